import { p } from '@mikro-orm/postgresql';
import type { Marking, Reconciliation as ComparedPart, Thumbnail } from '#files';
import type { VariantFailure } from '#transformation';
import { customData, deletion, id, ref, table, time } from './columns.ts';

/** The sum of the file sizes of each workspace, maintained by triggers on `files`. */
export const StorageCount = table('StorageCount', 'storage_use', {
  workspaceId: ref().primary().autoincrement(false),
  bytes: p.bigint('number').defaultRaw('0'),
});

export const File = table('File', 'files', {
  id: id(),
  workspaceId: ref(),
  /** Null after the persona was deleted, when something else still needs the file. */
  personaId: ref().nullable(),
  origin: p.enum(['upload', 'import', 'output']),
  key: p.text(),
  /** True if the object is at the private place of the key; null while it moves: it may be at both. */
  isPrivate: p.boolean().nullable().default(false),
  filename: p.text(),
  /** Null until 0.3: it is the file name then. */
  name: p.text().nullable(),
  size: p.bigint('number'),
  contentType: p.text(),
  createdAt: time(),
  expiresAt: time().nullable(),
  /** How its bytes came to their mark; null for a file that no AI system made as far as is known, and until 0.3. */
  marking: p.text().$type<Marking>().nullable(),
  /** When to check whether the file is needed. */
  reviewAt: time().nullable(),
  deletionId: deletion(),
  /** When people deleted the item of the library that the file is; null otherwise. */
  removedAt: time().nullable(),
  /** The entry that restores the item; null when it is deleted for good, and something else still needs the file. */
  removalId: ref().nullable(),
  /** The picture that the file is a thumbnail or a variant of. */
  pictureId: ref().nullable(),
  width: p.integer().nullable(),
  height: p.integer().nullable(),
  duration: p.double().$type<number>().nullable(),
  placeholder: p.text().nullable(),
  thumbnails: p.json<readonly Thumbnail[]>().defaultRaw(`'[]'`),
  /** Cells of colours; null until the picture is looked at, and for a file without a picture. A trigger copies both to the library. */
  colors: p.smallint().$type<number[]>().columnType('smallint[]').nullable(),
  shape: p.text().columnType('bit(64)').nullable(),
  /** When a worker may look at it; null if that is not needed. */
  lookDueAt: time().nullable(),
  /** How often a worker has begun to. */
  lookTries: p.smallint().defaultRaw('0'),
  ...customData(),
});

/** The variants of pictures and thumbnails, by their options. */
export const FileVariant = table('FileVariant', 'file_variants', {
  sourceId: ref().primary(),
  options: p.text().primary(),
  /** Null until it is made. */
  fileId: ref().nullable(),
  /** When another process may make it, or try again after a failure; null once it is made. */
  claimedUntil: time().nullable(),
  failure: p.text().$type<VariantFailure>().nullable(),
});

/** Keys of objects to delete at `dueAt`, unless a file has the key by then. */
export const DiscardedObject = table('DiscardedObject', 'discarded_objects', {
  key: p.text().primary(),
  dueAt: time(),
  /** If later than `dueAt`: at `dueAt` the object moves out of the public prefix, and is deleted at this time. */
  keptUntil: time().nullable(),
  /** Workspace of the file; null for a reserved key. */
  workspaceId: ref().nullable(),
  /** Empty, for 0.2; dropped with 0.4. */
  file: p.json<object>().nullable(),
});

/** A deletion: the deleted item, who deleted it, and until when it can be restored. */
export const TrashEntry = table('TrashEntry', 'trash', {
  id: id(),
  workspaceId: ref(),
  kind: p.enum(['board', 'folder', 'media', 'item', 'persona']),
  itemId: ref(),
  boardId: ref().nullable(),
  name: p.text().nullable(),
  deletedBy: ref(),
  deletedAt: time(),
  expiresAt: time(),
});

/** Empty, for 0.2; dropped with 0.4. */
export const TrashRow = table('TrashRow', 'trash_rows', {
  id: id(),
  trashId: ref(),
  relation: p.enum(['boards', 'folders', 'media', 'personas', 'trainings', 'files', 'generations']),
  content: p.json<object>(),
  fileIds: p.bigint('number').$type<number[]>().columnType('bigint[]').defaultRaw(`'{}'`),
});

export const Upload = table('Upload', 'uploads', {
  id: id(),
  workspaceId: ref(),
  userId: ref(),
  personaId: ref(),
  token: p.text(),
  filename: p.text(),
  state: p.enum(['allocated', 'frozen', 'finalized', 'expired']),
  frozenKey: p.text().nullable(),
  frozenSize: p.bigint('number').nullable(),
  frozenMarking: p.text().$type<Marking>().nullable(),
  /** Where a frozen upload is published: all calls of finalize use one place. */
  isPrivate: p.boolean().default(false),
  fileId: ref().nullable(),
  createdAt: time(),
  expiresAt: time(),
  cleanUpAt: time().nullable(),
  partsId: p.text().nullable(),
  partsCount: p.integer().nullable(),
  ...customData(),
});

/** The progress of the nightly comparison of object storage and records: one row. */
export const Reconciliation = table('Reconciliation', 'reconciliation', {
  onlyRow: p.boolean().primary().defaultRaw('true'),
  night: p.date(),
  objectKey: p.text().nullable(),
  fileId: ref().nullable(),
  /** The part compared last. */
  comparedAt: time().nullable(),
  result: p.json<ComparedPart>().nullable(),
});
