import { Module } from '@nestjs/common';
import {
  Database,
  PostgresBoards,
  PostgresBoardViews,
  PostgresFolders,
  PostgresMediaItems,
} from '#adapters/postgres';
import {
  AddMedia,
  CreateBoard,
  CreateFolder,
  DeleteBoard,
  DeleteFolder,
  DeleteMedia,
  FailMedia,
  MoveMedia,
  PurgeBoard,
  RetryFailedMedia,
  RetryMedia,
  UpdateBoard,
  UpdateFolder,
  type Boards,
  type BoardViews,
  type Folders,
  type MediaItems,
} from '#board';
import { AdoptFile } from '#files';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';
import { objectStorage } from './storage.module.ts';
import { FilesModule } from './files.module.ts';

export const boardViews = token<BoardViews>('BoardViews');
export const mediaItems = token<MediaItems>('MediaItems');
const boards = token<Boards>('Boards');
const folders = token<Folders>('Folders');

/** Boards with their folders and media. */
@Module({
  imports: [FilesModule],
  providers: [
    provideAs(boards, PostgresBoards, Database),
    provideAs(boardViews, PostgresBoardViews, Database),
    provideAs(folders, PostgresFolders, Database),
    provideAs(mediaItems, PostgresMediaItems, Database),
    provide(AddMedia, mediaItems, AdoptFile, objectStorage, jobs, unitOfWork, clock),
    provide(CreateBoard, boards, clock),
    provide(CreateFolder, folders, unitOfWork, clock),
    provide(DeleteBoard, boards, jobs, unitOfWork, clock),
    provide(DeleteFolder, folders, jobs, unitOfWork),
    provide(DeleteMedia, mediaItems, jobs, unitOfWork),
    provide(FailMedia, mediaItems),
    provide(MoveMedia, mediaItems),
    provide(PurgeBoard, boards, jobs, unitOfWork),
    provide(RetryFailedMedia, mediaItems, jobs, unitOfWork),
    provide(RetryMedia, mediaItems, jobs, unitOfWork),
    provide(UpdateBoard, boards),
    provide(UpdateFolder, folders, unitOfWork),
  ],
  exports: [
    boardViews,
    mediaItems,
    AddMedia,
    CreateBoard,
    CreateFolder,
    DeleteBoard,
    DeleteFolder,
    DeleteMedia,
    FailMedia,
    MoveMedia,
    PurgeBoard,
    RetryFailedMedia,
    RetryMedia,
    UpdateBoard,
    UpdateFolder,
  ],
})
export class BoardModule {}
