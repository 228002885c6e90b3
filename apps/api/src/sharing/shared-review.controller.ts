import { Controller, Delete, Get, Inject, Put } from '@nestjs/common';
import type { PageRequest } from '#kernel';
import { MAX_COMMENT_LENGTH, MAX_DECISION_TEXT } from '#review';
import { GuestReviews, type Visit } from '#sharing';
import { listOf, PageQuery, PathId, Post, RequestBody, Responds, TakesText } from '../http/index.ts';
import { commentRequestOf, CreateCommentRequest, DecisionRequest } from '../review/review.dto.ts';
import { CurrentVisit, ForGuests, GuestWrites } from './guest-guard.ts';
import { LimitAddress } from './limit-address.ts';
import {
  sharedCommentDto,
  SharedCommentResponse,
  SharedCommentsResponse,
  sharedDecisionDto,
  SharedDecisionResponse,
  UpdateSharedCommentRequest,
} from './shared.dto.ts';

const DECISIONS = { name: 'guest-decisions', calls: 1_000, seconds: 3_600 } as const;
const COMMENTS = { name: 'guest-comments', calls: 30, seconds: 3_600 } as const;

/** Comments and decisions of the guests of a link. */
@Controller('v2/shared/:token/media/:id')
@ForGuests()
export class SharedReviewController {
  constructor(@Inject(GuestReviews) private readonly reviews: GuestReviews) {}

  @Get('comments')
  @Responds(200, SharedCommentsResponse, {
    id: 'shared.media.comments.list',
    summary: 'List the comments of a shared media item',
    description: 'Lists the comments of a media item, of members and guests, oldest first. Returns a page of them.',
    errors: ['forbidden'],
  })
  async getComments(@CurrentVisit() visit: Visit, @PathId('id') mediaId: number, @PageQuery() page: PageRequest) {
    return listOf('comments', await this.reviews.comments(visit, mediaId, page), (comment) =>
      sharedCommentDto(comment, visit),
    );
  }

  @Post('comments')
  @GuestWrites('comment')
  @TakesText(MAX_COMMENT_LENGTH)
  @LimitAddress(COMMENTS)
  @Responds(201, SharedCommentResponse, {
    id: 'shared.media.comments.create',
    summary: 'Comment on a shared media item',
    description:
      'Adds a comment of a guest, who must have given a name. Returns the comment. An address adds 30 an hour at most; tries that fail do not count.',
    errors: ['forbidden', 'workspace_suspended', 'guest_name_required', 'conflict'],
  })
  async postComment(
    @CurrentVisit() visit: Visit,
    @PathId('id') mediaId: number,
    @RequestBody() body: CreateCommentRequest,
  ) {
    return { comment: sharedCommentDto(await this.reviews.comment(visit, mediaId, commentRequestOf(body)), visit) };
  }

  @Put('comments/:comment_id')
  @GuestWrites('comment')
  @TakesText(MAX_COMMENT_LENGTH)
  @Responds(200, SharedCommentResponse, {
    id: 'shared.media.comments.update',
    summary: 'Change a comment of a guest',
    description: 'Replaces the text of a comment of this guest. Returns the comment.',
    errors: ['forbidden', 'workspace_suspended', 'guest_name_required'],
  })
  async putComment(
    @CurrentVisit() visit: Visit,
    @PathId('id') mediaId: number,
    @PathId('comment_id') commentId: number,
    @RequestBody() { text }: UpdateSharedCommentRequest,
  ) {
    return { comment: sharedCommentDto(await this.reviews.update(visit, mediaId, commentId, text), visit) };
  }

  @Delete('comments/:comment_id')
  @Responds(200, null, {
    id: 'shared.media.comments.delete',
    summary: 'Delete a comment of a guest',
    description:
      'Deletes a comment of this guest for good, and the replies to it. Returns only `status`. `conflict` when others have ' +
      'replied.',
    errors: ['forbidden', 'workspace_suspended', 'guest_name_required', 'conflict'],
  })
  deleteComment(@CurrentVisit() visit: Visit, @PathId('id') mediaId: number, @PathId('comment_id') commentId: number) {
    return this.reviews.delete(visit, mediaId, commentId);
  }

  @Put('decision')
  @GuestWrites('decide')
  @TakesText(MAX_DECISION_TEXT)
  @LimitAddress(DECISIONS)
  @Responds(200, SharedDecisionResponse, {
    id: 'shared.media.decisions.create',
    summary: 'Decide about a shared media item',
    description:
      'Approves a media item, asks for changes, or takes the decision back. Returns the decision. An address decides 1,000 ' +
      'times an hour at most.',
    errors: ['forbidden', 'workspace_suspended', 'guest_name_required'],
  })
  async putDecision(
    @CurrentVisit() visit: Visit,
    @PathId('id') mediaId: number,
    @RequestBody() { decision, text }: DecisionRequest,
  ) {
    return { decision: sharedDecisionDto(await this.reviews.decide(visit, mediaId, decision, text ?? null), visit) };
  }
}
