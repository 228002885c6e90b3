import { Controller, Delete, Get, Inject, Module, Put } from '@nestjs/common';
import type { Actor } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { Comments, type ReviewViews } from '#review';
import { BoardLiveModule, ReviewModule, reviewViews } from '#wiring';
import {
  CurrentActor,
  cursorOf,
  ExistenceChecks,
  Existing,
  PageQuery,
  PathId,
  pathId,
  Post,
  RequestBody,
  Responds,
} from '../http/index.ts';
import { StreamsModule } from '../streams/event-streams.ts';
import { BoardEventsController } from './board-events.controller.ts';
import { DecisionsController } from './decisions.controller.ts';
import {
  commentDto,
  commentRequestOf,
  CommentResponse,
  CommentsResponse,
  CreateCommentRequest,
  ResolveCommentRequest,
  UpdateCommentRequest,
} from './review.dto.ts';

@Controller(['boards/:board_id/media/:id/comments', 'v2/boards/:board_id/media/:id/comments'])
export class CommentsController {
  constructor(
    @Inject(reviewViews) private readonly views: ReviewViews,
    @Inject(Comments) private readonly comments: Comments,
    @Inject(ExistenceChecks) checks: ExistenceChecks,
  ) {
    checks.register('comment', async (actor, commentId, request) => {
      const place = { boardId: pathId(request, 'board_id')!, mediaId: pathId(request, 'id')! };
      await comments.assertMayChange(actor, place, commentId);
      return true;
    });
  }

  @Get()
  @Existing('board', 'board_id')
  @Responds(200, CommentsResponse, {
    id: 'boards.media.comments.list',
    summary: 'List the comments of a media item',
    description: 'Lists the comments of a media item, oldest first. Returns a page of them.',
  })
  async getComments(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
    @PageQuery() page: PageRequest,
  ) {
    const comments = await this.views.comments({ workspaceId, boardId, mediaId }, page);
    if (!comments) throw notFound('media');
    return { comments: comments.items.map(commentDto), next_cursor: cursorOf(comments.next) };
  }

  @Post()
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(201, CommentResponse, {
    id: 'boards.media.comments.create',
    summary: 'Comment on a media item',
    description:
      'Adds a comment to a media item, a point of it, or a moment of a video; with `parent_id` a reply. Returns the ' +
      'comment. `@name` mentions a member.',
    errors: ['conflict'],
  })
  async postComment(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
    @RequestBody() body: CreateCommentRequest,
  ) {
    const place = { boardId, mediaId };
    return this.#read(actor, place, await this.comments.add(actor, place, commentRequestOf(body)));
  }

  @Put(':comment_id')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, CommentResponse, {
    id: 'boards.media.comments.update',
    summary: 'Change a comment',
    description: 'Replaces the text of a comment: by its author, an admin or the owner. Returns the comment.',
  })
  @Existing('comment', 'comment_id')
  async putComment(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
    @PathId('comment_id') commentId: number,
    @RequestBody() { text }: UpdateCommentRequest,
  ) {
    const place = { boardId, mediaId };
    await this.comments.update(actor, place, commentId, text);
    return this.#read(actor, place, commentId);
  }

  @Delete(':comment_id')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, null, {
    id: 'boards.media.comments.delete',
    summary: 'Delete a comment',
    description:
      'Deletes a comment for good, and the replies to it: by its author, an admin or the owner. Returns only `status`. ' +
      '`conflict` when others than the author have replied: then only admins and the owner delete it.',
    errors: ['conflict'],
  })
  deleteComment(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
    @PathId('comment_id') commentId: number,
  ) {
    return this.comments.delete(actor, { boardId, mediaId }, commentId);
  }

  @Post(':comment_id/resolve')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, CommentResponse, {
    id: 'boards.media.comments.resolve',
    summary: 'Resolve a thread',
    description: 'Resolves the thread of a comment, or opens it again. Returns the first comment of the thread.',
    errors: ['conflict'],
  })
  async resolveComment(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
    @PathId('comment_id') commentId: number,
    @RequestBody() { resolved = true }: ResolveCommentRequest,
  ) {
    const place = { boardId, mediaId };
    await this.comments.resolve(actor, place, commentId, resolved);
    return this.#read(actor, place, commentId);
  }

  async #read(
    { workspaceId }: Actor,
    place: { readonly boardId: number; readonly mediaId: number },
    commentId: number,
  ): Promise<CommentResponse> {
    const comment = await this.views.comment({ workspaceId, ...place }, commentId);
    if (!comment) throw notFound('comment');
    return { comment: commentDto(comment) };
  }
}

@Module({
  imports: [BoardLiveModule, ReviewModule, StreamsModule],
  controllers: [BoardEventsController, CommentsController, DecisionsController],
})
export class ReviewApiModule {}
