import { Controller, Delete, Get, Inject, Put } from '@nestjs/common';
import type { IssuedUrls } from '#files';
import { Folders, type BoardViews } from '#board';
import type { Actor } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { boardViews } from '#wiring';
import { CurrentActor, Existing, PageQuery, PathId, Post, RequestBody, Responds, CurrentUrls } from '../http/index.ts';
import {
  CreateFolderRequest,
  DeletedResponse,
  deletedResponse,
  folderDto,
  FolderListingResponse,
  folderListingResponse,
  FolderResponse,
  FoldersResponse,
  foldersResponse,
  UpdateFolderRequest,
} from './board.dto.ts';
import { ShownMedia } from './shown-media.ts';

@Controller(['boards/:board_id/folders', 'v2/boards/:board_id/folders'])
export class FoldersController {
  constructor(
    @Inject(boardViews) private readonly views: BoardViews,
    @Inject(Folders) private readonly folders: Folders,
    @Inject(ShownMedia) private readonly shown: ShownMedia,
  ) {}

  @Get()
  @Existing('board', 'board_id')
  @Responds(200, FoldersResponse, {
    id: 'boards.folders.list',
    summary: 'List folders with their media',
    description: 'Lists the folders of a board as a flat list. Returns each with the media in it.',
  })
  async getFolders(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('board_id') boardId: number,
    @PageQuery({ whole: true }) page: PageRequest,
  ) {
    const list = await this.views.folders(actor.workspaceId, boardId, page);
    if (!list) throw notFound('board');
    return foldersResponse(
      list,
      await this.shown.of(
        list.items.flatMap(({ media }) => media),
        urls,
      ),
    );
  }

  @Post()
  @Existing('board', 'board_id')
  @Responds(201, FolderResponse, {
    id: 'boards.folders.create',
    summary: 'Create a folder',
    description:
      'Creates a folder on a board, with `parent_id` in another folder. Returns the folder. Folders nest at most ' +
      '50 deep.',
  })
  async postFolder(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @RequestBody() body: CreateFolderRequest,
  ) {
    const request = { name: body.name, parentId: body.parent_id ?? null };
    return { folder: folderDto(await this.folders.create(actor, boardId, request)) };
  }

  @Get(':id')
  @Existing('board', 'board_id')
  @Existing('folder', 'id')
  @Responds(200, FolderListingResponse, {
    id: 'boards.folders.get',
    summary: 'Read a folder',
    description: 'Reads a folder. Returns the folder with the folders and media directly in it.',
  })
  async getFolder(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('board_id') boardId: number,
    @PathId('id') folderId: number,
    @PageQuery() page: PageRequest,
  ) {
    const listing = await this.views.folder(actor.workspaceId, boardId, folderId, page);
    if (!listing) throw notFound('folder');
    return folderListingResponse(listing, await this.shown.of(listing.media.items, urls));
  }

  @Put(':id')
  @Existing('board', 'board_id')
  @Existing('folder', 'id')
  @Responds(200, FolderResponse, {
    id: 'boards.folders.update',
    summary: 'Rename or move a folder',
    description: 'Renames a folder, or moves it into another. Returns the folder.',
    errors: ['folder_cycle'],
  })
  async putFolder(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') folderId: number,
    @RequestBody() body: UpdateFolderRequest,
  ) {
    const change = { name: body.name, parentId: body.parent_id };
    return { folder: folderDto(await this.folders.update(actor, boardId, folderId, change)) };
  }

  @Delete(':id')
  @Existing('board', 'board_id')
  @Existing('folder', 'id')
  @Responds(200, DeletedResponse, {
    id: 'boards.folders.delete',
    summary: 'Delete a folder with everything in it',
    description: 'Deletes a folder with everything in it. Returns how many folders and media were deleted.',
  })
  async deleteFolderById(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') folderId: number,
  ) {
    return deletedResponse(await this.folders.delete(actor, boardId, folderId));
  }
}
