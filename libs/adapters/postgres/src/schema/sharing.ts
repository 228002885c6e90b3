import { p } from '@mikro-orm/postgresql';
import type { PasswordHash } from '#identity';
import type { Thumbnail } from '#files';
import type { Allowance } from '#sharing';
import { id, ref, table, time } from './columns.ts';

/** A link: to a board, a folder of a board, or else the items in `share_media`. */
export const ShareRow = table('ShareRow', 'shares', {
  id: id(),
  workspaceId: ref(),
  createdBy: ref(),
  hash: p.blob(),
  name: p.text(),
  boardId: ref().nullable(),
  folderId: ref().nullable(),
  allow: p.text().$type<Allowance[]>().columnType('text[]'),
  passwordHash: p.text().$type<PasswordHash>().nullable(),
  passwordVersion: p.integer().defaultRaw('1'),
  watermark: p.text().nullable(),
  label: p.text().nullable(),
  expiresAt: time().nullable(),
  createdAt: time(),
  /** Openings that earlier versions have counted. */
  openedCount: p.integer().defaultRaw('0'),
  lastOpenedAt: time().nullable(),
});

/** Openings of a link, by the connection that has counted them. */
export const ShareOpening = table('ShareOpening', 'share_openings', {
  shareId: ref().primary(),
  connection: p.integer().primary(),
  openedCount: p.integer(),
  lastOpenedAt: time(),
});

export const ShareMedia = table('ShareMedia', 'share_media', { shareId: ref().primary(), mediaId: ref().primary() });

export const ShareGuest = table('ShareGuest', 'share_guests', {
  id: id(),
  shareId: ref(),
  /** Hash of the secret in the cookie. */
  hash: p.blob(),
  name: p.text().nullable(),
  passwordVersion: p.integer(),
  openedCount: p.integer().defaultRaw('0'),
  lastOpenedAt: time(),
});

/** The pictures of a media item with the watermark and the label of a link. */
export const SharePicture = table('SharePicture', 'share_pictures', {
  shareId: ref().primary(),
  mediaId: ref().primary(),
  state: p.enum(['waiting', 'made']).defaultRaw(`'waiting'`),
  /** Null where nothing could be made. */
  whole: p.json<Thumbnail>().nullable(),
  /** For 0.2, written by a trigger: the file of `whole` has them. Dropped with 0.4. */
  thumbnails: p.json<Thumbnail[]>().defaultRaw(`'[]'`),
});

/** The files of these pictures. A trigger has the sweep delete the files of pictures that are gone. */
export const SharePictureFile = table('SharePictureFile', 'share_picture_files', {
  fileId: ref().primary().autoincrement(false),
  shareId: ref(),
  mediaId: ref(),
});
