import { Inject, Injectable } from '@nestjs/common';
import type { BatchViews } from '#batch';
import type { BoardViews } from '#board';
import type { Models } from '#catalogue';
import { rememberedUrls, type EventData, type EventSubjects, type EventType, type RecordedEvent } from '#events';
import type { FileRecords, FileUrls } from '#files';
import type { GenerationViews, StyleViews } from '#generation';
import { DomainError, type Role } from '#kernel';
import type { ReviewViews } from '#review';
import type { ShareViews } from '#sharing';
import type { MemberStore } from '#team';
import {
  batchViews,
  boardViews,
  fileRecords,
  generationViews,
  memberStore,
  models,
  reviewViews,
  shareViews,
  styleViews,
} from '#wiring';
import { batchDto } from '../batch/batches.dto.ts';
import { boardDto, mediaDto } from '../board/board.dto.ts';
import { personaFileDto } from '../files/files.dto.ts';
import { generationResponse } from '../generation/generation.dto.ts';
import { modelDto } from '../generation/models.dto.ts';
import { styleDto } from '../persona/style.dto.ts';
import { commentDto, decisionDto } from '../review/review.dto.ts';
import { shareDto } from '../sharing/share.dto.ts';
import { memberDto } from '../team/team.dto.ts';

type Read = (event: RecordedEvent, urls: FileUrls) => Promise<object | null>;

/** Reads the objects of events, as the responses of the API show them. */
@Injectable()
export class ApiEventSubjects implements EventSubjects {
  /** Events without an entry have their facts as data. */
  readonly #reads: Partial<Record<EventType, Read>>;

  constructor(
    @Inject(generationViews) generations: GenerationViews,
    @Inject(batchViews) batches: BatchViews,
    @Inject(styleViews) styles: StyleViews,
    @Inject(fileRecords) files: FileRecords,
    @Inject(boardViews) boards: BoardViews,
    @Inject(reviewViews) reviews: ReviewViews,
    @Inject(shareViews) shares: ShareViews,
    @Inject(memberStore) members: MemberStore,
    @Inject(models) catalogue: Models,
  ) {
    const generation: Read = async ({ workspaceId, subjectId }, urls) =>
      generationResponse(await generations.get(workspaceId, Number(subjectId)), urls);
    const style: Read = async ({ subjectId }, urls) => {
      const found = await styles.get(Number(subjectId) as never);
      return found && styleDto(found, urls);
    };
    const media: Read = async ({ workspaceId, subjectId, facts }, urls) => {
      const id = Number(facts['media_id']);
      const page = await boards.media(workspaceId, Number(subjectId), {}, { limit: 1, after: id + 1 });
      const found = page?.items.find((item) => item.id === id);
      return found ? mediaDto(found, { urls, reviews: await reviews.summaries([id]) }) : null;
    };
    const comment: Read = async ({ workspaceId, subjectId, facts }) => {
      const item = { workspaceId, boardId: Number(subjectId), mediaId: Number(facts['media_id']) };
      const found = await reviews.comment(item, Number(facts['comment_id']));
      return found && { ...commentDto(found), media_id: item.mediaId };
    };
    const member: Read = async ({ workspaceId, subjectId, facts }) => {
      const found = await members.find(workspaceId, Number(subjectId));
      return found && { ...memberDto(found), role: facts['role'] as Role };
    };
    const model: Read = ({ subjectId, facts }) => {
      const found = catalogue.all.find(({ id }) => id === subjectId);
      return Promise.resolve(found ? { ...modelDto(found), ...facts } : null);
    };
    this.#reads = {
      ...{ 'model.retiring': model, 'model.gone': model },
      ...{ 'generation.succeeded': generation, 'generation.failed': generation, 'generation.canceled': generation },
      'batch.ended': async ({ workspaceId, subjectId }) => batchDto(await batches.get(workspaceId, Number(subjectId))),
      ...{ 'style.ready': style, 'style.failed': style },
      'upload.saved': async ({ facts }, urls) => {
        const file = await files.find(Number(facts['file_id']));
        return file && personaFileDto(file, urls);
      },
      ...{ 'media.processed': media, 'media.failed': media },
      ...{ 'comment.created': comment, 'comment.updated': comment },
      'decision.made': async ({ workspaceId, subjectId, facts }) => {
        const item = { workspaceId, boardId: Number(subjectId), mediaId: Number(facts['media_id']) };
        const found = await reviews.decision(item, Number(facts['decision_id']));
        return found && { ...decisionDto(found), media_id: item.mediaId };
      },
      'board.created': async ({ workspaceId, subjectId }) => {
        const board = await boards.board(workspaceId, Number(subjectId));
        return board && boardDto(board);
      },
      'share.opened': async ({ workspaceId, subjectId }) => {
        const share = await shares.find(workspaceId, Number(subjectId));
        return share && shareDto(share);
      },
      ...{ 'member.joined': member, 'member.role_changed': member },
    };
  }

  async read(event: RecordedEvent): Promise<EventData | null> {
    const read = this.#reads[event.type];
    if (!read) return event.facts;
    try {
      return (await read(event, rememberedUrls(event))) as EventData | null;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return null;
      throw error;
    }
  }
}
