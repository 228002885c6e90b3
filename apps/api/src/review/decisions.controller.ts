import { Controller, Get, Inject, Put } from '@nestjs/common';
import type { Actor } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { Decisions, type ReviewViews } from '#review';
import { reviewViews } from '#wiring';
import { CurrentActor, cursorOf, Existing, PageQuery, PathId, Post, RequestBody, Responds } from '../http/index.ts';
import { decisionDto, DecisionRequest, DecisionResponse, DecisionsResponse } from './review.dto.ts';

@Controller(['boards/:board_id/media/:id', 'v2/boards/:board_id/media/:id'])
export class DecisionsController {
  constructor(
    @Inject(reviewViews) private readonly views: ReviewViews,
    @Inject(Decisions) private readonly decisions: Decisions,
  ) {}

  @Get('decisions')
  @Existing('board', 'board_id')
  @Responds(200, DecisionsResponse, {
    id: 'boards.media.decisions.list',
    summary: 'List the decisions about a media item',
    description:
      'Lists the decisions about a media item, newest first. Returns a page of them: who decided what, and when.',
  })
  async getDecisions(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
    @PageQuery() page: PageRequest,
  ) {
    const decisions = await this.views.decisions({ workspaceId, boardId, mediaId }, page);
    if (!decisions) throw notFound('media');
    return { decisions: decisions.items.map(decisionDto), next_cursor: cursorOf(decisions.next) };
  }

  @Put('decision')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, DecisionResponse, {
    id: 'boards.media.decisions.create',
    summary: 'Decide about a media item',
    description:
      'Approves a media item, asks for changes, or takes the decision back. Returns the decision, which counts from now ' +
      'on. Earlier decisions are kept. A version that was replaced is not decided about.',
    errors: ['conflict'],
  })
  async putDecision(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
    @RequestBody() { decision, text }: DecisionRequest,
  ) {
    const id = await this.decisions.decide(actor, { boardId, mediaId }, decision, text ?? null);
    const made = await this.views.decision({ workspaceId: actor.workspaceId, boardId, mediaId }, id);
    if (!made) throw notFound('media');
    return { decision: decisionDto(made) };
  }

  @Post('decision/close')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, null, {
    id: 'boards.media.decisions.close',
    summary: 'Close a request for changes',
    description:
      'Closes a request for changes that needs no newer version: `changes_open` is false then, and the decision stays. ' +
      'Returns only `status`.',
    errors: ['conflict'],
  })
  async postClose(@CurrentActor() actor: Actor, @PathId('board_id') boardId: number, @PathId('id') mediaId: number) {
    await this.decisions.close(actor, { boardId, mediaId });
  }
}
