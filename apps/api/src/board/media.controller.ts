import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AddMedia, DeleteMedia, MoveMedia, RetryMedia, type BoardViews } from '#board';
import type { Actor } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { boardViews } from '#wiring';
import {
  Responds,
  CurrentActor,
  Existing,
  RequestBody,
  JsonText,
  PageQuery,
  PathId,
  RequestQuery,
} from '../http/index.ts';
import {
  BulkAnswer,
  bulkResults,
  DeletedAnswer,
  deletedAnswer,
  DeletedManyAnswer,
  MediaAnswer,
  mediaAnswer,
  MediaListAnswer,
  pageAnswer,
} from './board-answers.ts';
import {
  AddMediaForm,
  DeleteManyMediaForm,
  MediaQuery,
  MoveManyMediaForm,
  MoveMediaForm,
} from './board-forms.ts';

@ApiTags('Boards')
@Controller(['boards/:board_id/media', 'v2/boards/:board_id/media'])
export class MediaController {
  constructor(
    @Inject(boardViews) private readonly views: BoardViews,
    @Inject(AddMedia) private readonly addMedia: AddMedia,
    @Inject(MoveMedia) private readonly moveMedia: MoveMedia,
    @Inject(DeleteMedia) private readonly deleteMedia: DeleteMedia,
    @Inject(RetryMedia) private readonly retryMedia: RetryMedia,
  ) {}

  @Get()
  @Existing('board', 'board_id')
  @Responds(200, MediaListAnswer, { summary: 'List media', errors: ['validation_failed', 'not_found'] })
  async getMedia(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @RequestQuery() query: MediaQuery,
    @PageQuery() page: PageRequest,
  ): Promise<JsonText> {
    const list = await this.views.media(actor.workspaceId, boardId, { folderId: query.folder_id }, page);
    if (!list) throw notFound('board');
    return pageAnswer(list);
  }

  @Post()
  @Existing('board', 'board_id')
  @Responds(201, MediaAnswer, {
    summary: 'Add a media',
    description: 'Its sources are fetched and prepared in the background; `state` tells when that is done.',
    errors: ['validation_failed', 'not_found', 'file_expired'],
  })
  async postMedia(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @RequestBody() form: AddMediaForm,
  ): Promise<JsonText> {
    const media = await this.addMedia.run(actor, boardId, {
      url: form.url ?? null,
      controlImage: form.control_image ?? null,
      folderId: form.folder_id ?? null,
      extras: form.extras ?? null,
    });
    return mediaAnswer(media);
  }

  @Post('move')
  @Existing('board', 'board_id')
  @Responds(200, BulkAnswer, { summary: 'Move up to 500 media', errors: ['validation_failed', 'not_found'] })
  async moveMany(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @RequestBody() form: MoveManyMediaForm,
  ): Promise<BulkAnswer> {
    const moved = await this.moveMedia.run(actor, boardId, form.ids, form.folder_id ?? null);
    return { results: bulkResults(form.ids, moved) };
  }

  @Post('delete')
  @Existing('board', 'board_id')
  @Responds(200, DeletedManyAnswer, {
    summary: 'Delete up to 500 media',
    errors: ['validation_failed', 'not_found'],
  })
  async deleteMany(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @RequestBody() form: DeleteManyMediaForm,
  ): Promise<DeletedManyAnswer> {
    const gone = await this.deleteMedia.run(actor, boardId, form.ids);
    return { ...deletedAnswer({ folders: 0, media: gone.size }), results: bulkResults(form.ids, gone) };
  }

  @Delete(':id')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, DeletedAnswer, { summary: 'Delete a media', errors: ['validation_failed', 'not_found'] })
  async deleteOne(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
  ): Promise<DeletedAnswer> {
    const gone = await this.deleteMedia.run(actor, boardId, [mediaId]);
    if (!gone.has(mediaId)) throw notFound('media');
    return deletedAnswer({ folders: 0, media: 1 });
  }

  @Put(':id/move')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, MediaAnswer, {
    summary: 'Move a media to another folder',
    errors: ['validation_failed', 'not_found'],
  })
  async moveOne(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
    @RequestBody() form: MoveMediaForm,
  ): Promise<JsonText> {
    const moved = await this.moveMedia.run(actor, boardId, [mediaId], form.folder_id ?? null);
    const media = moved.get(mediaId);
    if (media === undefined) throw notFound('media');
    return mediaAnswer(media);
  }

  @Post(':id/retry')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, MediaAnswer, {
    summary: 'Process a failed media once more',
    errors: ['validation_failed', 'not_found', 'conflict'],
  })
  async retryOne(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
  ): Promise<JsonText> {
    return mediaAnswer(await this.retryMedia.run(actor, boardId, mediaId));
  }
}
