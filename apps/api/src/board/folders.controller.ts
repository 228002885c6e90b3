import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreateFolder, DeleteFolder, UpdateFolder, type BoardViews } from '#board';
import type { Actor } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { boardViews } from '#wiring';
import { Responds, CurrentActor, Existing, RequestBody, JsonText, PageQuery, PathId } from '../http/index.ts';
import {
  DeletedAnswer,
  deletedAnswer,
  FolderAnswer,
  folderAnswer,
  FolderListingAnswer,
  FoldersAnswer,
  pageAnswer,
} from './board-answers.ts';
import { CreateFolderForm, UpdateFolderForm } from './board-forms.ts';

@ApiTags('Boards')
@Controller(['boards/:board_id/folders', 'v2/boards/:board_id/folders'])
export class FoldersController {
  constructor(
    @Inject(boardViews) private readonly views: BoardViews,
    @Inject(CreateFolder) private readonly createFolder: CreateFolder,
    @Inject(UpdateFolder) private readonly updateFolder: UpdateFolder,
    @Inject(DeleteFolder) private readonly deleteFolder: DeleteFolder,
  ) {}

  @Get()
  @Existing('board', 'board_id')
  @Responds(200, FoldersAnswer, {
    summary: 'List folders with their media',
    errors: ['validation_failed', 'not_found'],
  })
  async getFolders(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PageQuery({ whole: true }) page: PageRequest,
  ): Promise<JsonText> {
    const list = await this.views.folders(actor.workspaceId, boardId, page);
    if (!list) throw notFound('board');
    return pageAnswer(list);
  }

  @Post()
  @Existing('board', 'board_id')
  @Responds(201, FolderAnswer, {
    summary: 'Make a folder',
    description: 'With `parent_id` it is nested; folders nest at most 50 deep.',
    errors: ['validation_failed', 'not_found'],
  })
  async postFolder(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @RequestBody() form: CreateFolderForm,
  ): Promise<FolderAnswer> {
    const request = { name: form.name, parentId: form.parent_id ?? null };
    return folderAnswer(await this.createFolder.run(actor, boardId, request));
  }

  @Get(':id')
  @Existing('board', 'board_id')
  @Existing('folder', 'id')
  @Responds(200, FolderListingAnswer, {
    summary: 'What lies directly in a folder',
    errors: ['validation_failed', 'not_found'],
  })
  async getFolder(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') folderId: number,
    @PageQuery() page: PageRequest,
  ): Promise<JsonText> {
    const listing = await this.views.folder(actor.workspaceId, boardId, folderId, page);
    if (!listing) throw notFound('folder');
    return pageAnswer(listing);
  }

  @Put(':id')
  @Existing('board', 'board_id')
  @Existing('folder', 'id')
  @Responds(200, FolderAnswer, {
    summary: 'Rename or move a folder',
    errors: ['validation_failed', 'not_found', 'folder_cycle'],
  })
  async putFolder(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') folderId: number,
    @RequestBody() form: UpdateFolderForm,
  ): Promise<FolderAnswer> {
    const change = { name: form.name, parentId: form.parent_id };
    return folderAnswer(await this.updateFolder.run(actor, boardId, folderId, change));
  }

  @Delete(':id')
  @Existing('board', 'board_id')
  @Existing('folder', 'id')
  @Responds(200, DeletedAnswer, {
    summary: 'Delete a folder with everything in it',
    errors: ['validation_failed', 'not_found'],
  })
  async deleteFolderById(
    @CurrentActor() actor: Actor,
    @PathId('board_id') boardId: number,
    @PathId('id') folderId: number,
  ): Promise<DeletedAnswer> {
    return deletedAnswer(await this.deleteFolder.run(actor, boardId, folderId));
  }
}
