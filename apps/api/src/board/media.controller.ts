import { Controller, Delete, Get, Inject, Put } from '@nestjs/common';
import type { IssuedUrls } from '#files';
import { BoardOrder, MediaItems, type BoardViews } from '#board';
import type { Actor } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { boardViews } from '#wiring';
import {
  CurrentActor,
  Existing,
  PageQuery,
  PathId,
  Post,
  RequestBody,
  RequestQuery,
  Responds,
  CurrentUrls,
} from '../http/index.ts';
import {
  AddMediaRequest,
  afterOf,
  BulkResponse,
  bulkResults,
  DeletedManyResponse,
  DeletedResponse,
  deletedResponse,
  DeleteManyMediaRequest,
  mediaDto,
  mediaFilterOf,
  MediaListResponse,
  mediaListResponse,
  MediaQuery,
  MediaResponse,
  MoveManyMediaRequest,
  MoveMediaRequest,
  OrderMediaRequest,
  placeDto,
  PlacesResponse,
  UpdateMediaRequest,
} from './board.dto.ts';
import { ShownMedia } from './shown-media.ts';

@Controller(['boards/:board_id/media', 'v2/boards/:board_id/media'])
export class MediaController {
  constructor(
    @Inject(boardViews) private readonly views: BoardViews,
    @Inject(MediaItems) private readonly media: MediaItems,
    @Inject(BoardOrder) private readonly order: BoardOrder,
    @Inject(ShownMedia) private readonly shown: ShownMedia,
  ) {}

  @Get()
  @Existing('board', 'board_id')
  @Responds(200, MediaListResponse, {
    id: 'boards.media.list',
    summary: 'List media',
    description:
      'Lists the media of a board that match all given filters. Returns each item with its URLs, size and state.',
  })
  async getMedia(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('board_id') boardId: number,
    @RequestQuery() query: MediaQuery,
    @PageQuery() page: PageRequest,
  ) {
    const list = await this.views.media(actor.workspaceId, boardId, mediaFilterOf(query), page);
    if (!list) throw notFound('board');
    return mediaListResponse(list, await this.shown.of(list.items, urls));
  }

  @Post()
  @Existing('board', 'board_id')
  @Responds(201, MediaResponse, {
    id: 'boards.media.create',
    summary: 'Add a media item',
    description:
      'Adds a picture, video or 3D model to a board, or as the next version of one. Returns the media item. Its sources are fetched and prepared ' +
      'in the background; `state` changes to `processed` or `failed` when that is done.',
    errors: ['conflict', 'file_expired', 'quota_exceeded'],
  })
  async postMedia(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('board_id') boardId: number,
    @RequestBody() body: AddMediaRequest,
  ) {
    const media = await this.media.add(actor, boardId, {
      url: body.url ?? null,
      controlImage: body.control_image ?? null,
      folderId: body.folder_id ?? null,
      extras: body.extras ?? null,
      replaces: body.replaces ?? null,
    });
    return { media: mediaDto(media, body.replaces ? await this.shown.of([media], urls) : this.shown.ofNew(urls)) };
  }

  @Post('move')
  @Existing('board', 'board_id')
  @Responds(200, BulkResponse, {
    id: 'boards.media.moveMany',
    summary: 'Move up to 500 media items',
    description: 'Moves up to 500 media items to a folder, or out of all folders. Returns a result for each.',
  })
  async moveMany(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @RequestBody() body: MoveManyMediaRequest,
  ) {
    const moved = await this.media.move(actor, boardId, body.ids, body.folder_id ?? null);
    return { results: bulkResults(body.ids, moved) };
  }

  @Post('delete')
  @Existing('board', 'board_id')
  @Responds(200, DeletedManyResponse, {
    id: 'boards.media.deleteMany',
    summary: 'Delete up to 500 media items',
    description: 'Deletes up to 500 media items. Returns how many were deleted, and a result for each.',
  })
  async deleteMany(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @RequestBody() body: DeleteManyMediaRequest,
  ) {
    const gone = await this.media.delete(actor, boardId, body.ids);
    return { ...deletedResponse({ folders: 0, media: gone.size }), results: bulkResults(body.ids, gone) };
  }

  @Put('order')
  @Existing('board', 'board_id')
  @Responds(200, PlacesResponse, {
    id: 'boards.media.order',
    summary: 'Order up to 500 media items',
    description:
      'Puts up to 500 media items of one folder, in the order given, after another item of that folder, or first. Returns ' +
      'the places that have changed.',
    errors: ['not_found'],
  })
  async orderMany(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @RequestBody() body: OrderMediaRequest,
  ) {
    const places = await this.order.put(actor, boardId, { ids: body.ids, ...afterOf(body) });
    return { places: places.map(placeDto) };
  }

  @Delete(':id')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, DeletedResponse, {
    id: 'boards.media.delete',
    summary: 'Delete a media item',
    description: 'Deletes one media item. Returns how many were deleted.',
  })
  async deleteOne(@CurrentActor() actor: Actor, @PathId('board_id') boardId: number, @PathId('id') mediaId: number) {
    const gone = await this.media.delete(actor, boardId, [mediaId]);
    if (!gone.has(mediaId)) throw notFound('media');
    return deletedResponse({ folders: 0, media: 1 });
  }

  @Put(':id')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, MediaResponse, {
    id: 'boards.media.update',
    summary: 'Rename a media item',
    description: 'Renames the picture of a media item, wherever it is shown. Returns the media item.',
    errors: ['conflict'],
  })
  async putMedia(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
    @RequestBody() { name }: UpdateMediaRequest,
  ) {
    await this.media.rename(actor, boardId, mediaId, name);
    const media = await this.views.item(actor.workspaceId, boardId, mediaId);
    if (!media) throw notFound('media');
    return { media: mediaDto(media, await this.shown.of([media], urls)) };
  }

  @Get(':id/versions')
  @Existing('board', 'board_id')
  @Responds(200, MediaListResponse, {
    id: 'boards.media.versions.list',
    summary: 'List the versions of a media item',
    description:
      'Lists the versions of a media item, newest first; any of them may be named. Returns them all: at most 100.',
    errors: ['not_found'],
  })
  async getVersions(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
  ) {
    const items = await this.views.versionsOf(actor.workspaceId, boardId, mediaId);
    if (items.length === 0) throw notFound('media');
    return mediaListResponse({ items, next: null }, await this.shown.of(items, urls));
  }

  @Put(':id/move')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, MediaResponse, {
    id: 'boards.media.move',
    summary: 'Move a media item to another folder',
    description: 'Moves one media item to another folder, or out of all folders. Returns the media item.',
  })
  async moveOne(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
    @RequestBody() body: MoveMediaRequest,
  ) {
    const moved = await this.media.move(actor, boardId, [mediaId], body.folder_id ?? null);
    const media = moved.get(mediaId);
    if (media === undefined) throw notFound('media');
    return { media: mediaDto(media, await this.shown.of([media], urls)) };
  }

  @Post(':id/retry')
  @Existing('board', 'board_id')
  @Existing('media', 'id')
  @Responds(200, MediaResponse, {
    id: 'boards.media.retry',
    summary: 'Process a failed media item again',
    description: 'Processes a media item again whose processing failed. Returns the media item.',
    errors: ['conflict'],
  })
  async retryOne(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('board_id') boardId: number,
    @PathId('id') mediaId: number,
  ) {
    const media = await this.media.retry(actor, boardId, mediaId);
    return { media: mediaDto(media, await this.shown.of([media], urls)) };
  }
}
