import { p } from '@mikro-orm/postgresql';
import { customData, deletion, id, ref, table, time } from './columns.ts';

export const Board = table('Board', 'boards', {
  id: id(),
  workspaceId: ref(),
  createdBy: ref(),
  name: p.text(),
  foldersCount: p.integer().defaultRaw('0'),
  mediaCount: p.integer().defaultRaw('0'),
  /** Grows with each change that a read of the board shows. */
  version: p.bigint('number').defaultRaw('1'),
  createdAt: time(),
  /** Empty, for 0.2; dropped with 0.4. */
  deletedAt: time().nullable(),
  deletionId: deletion(),
  ...customData(),
});

export const Folder = table('Folder', 'folders', {
  id: id(),
  boardId: ref(),
  parentId: ref().nullable(),
  name: p.text(),
  createdAt: time(),
  deletionId: deletion(),
});

export const Media = table('Media', 'media', {
  id: id(),
  boardId: ref(),
  folderId: ref().nullable(),
  /** Place in the folder that people gave it; null for one by its id. */
  place: p.bigint('number').nullable(),
  /** The newest version, which stands for all on the board; null for that one itself. */
  replacedBy: ref().nullable(),
  createdBy: ref(),
  /** A URL, or the key of a stored file. */
  sourceUrl: p.text().nullable(),
  sourceControlImage: p.text().nullable(),
  fileKey: p.text().nullable(),
  controlImageKey: p.text().nullable(),
  extras: p.text().nullable(),
  state: p.enum(['created', 'processed', 'failed']),
  error: p.text().nullable(),
  // Columns for 0.2, to the thumbnails: triggers write the facts of the file's row. Dropped with 0.4.
  width: p.integer().nullable(),
  height: p.integer().nullable(),
  duration: p.float().nullable(),
  contentType: p.text().nullable(),
  placeholder: p.text().nullable(),
  thumbnails: p.json<{ key: string; width: number; height: number }[]>().defaultRaw(`'[]'`),
  revision: p.integer().defaultRaw('1'),
  createdAt: time(),
  deletionId: deletion(),
});

/** A text between the media items of a folder. It is deleted with its folder or board, whose row says so. */
export const Note = table('Note', 'notes', {
  id: id(),
  boardId: ref(),
  folderId: ref().nullable(),
  createdBy: ref(),
  text: p.text(),
  place: p.bigint('number'),
  createdAt: time(),
  updatedAt: time(),
});

/** The files of a media item. */
export const MediaFile = table('MediaFile', 'media_files', { mediaId: ref().primary(), fileId: ref().primary() });
