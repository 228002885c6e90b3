import { p } from '@mikro-orm/postgresql';
import type { Selection } from '#download';
import type { LibraryFilter } from '#library';
import { deletion, id, ref, table, time } from './columns.ts';

/** A file as the library searches it. */
export const LibraryItem = table('LibraryItem', 'library_items', {
  fileId: ref().primary().autoincrement(false),
  workspaceId: ref(),
  kind: p.enum(['image', 'video', 'vector', 'model3d', 'mask']),
  origin: p.enum(['upload', 'import', 'output']),
  /** Persona of the file; kept in step by a trigger, as `deletionId`. */
  personaId: ref().nullable(),
  /** The person who made it; null if that is not known. */
  userId: ref().nullable(),
  generationId: ref().nullable(),
  model: p.text().nullable(),
  // Columns for 0.2, to the placeholder, written by a trigger; dropped with 0.4.
  width: p.integer().nullable(),
  height: p.integer().nullable(),
  placeholder: p.text().nullable(),
  rating: p.smallint().defaultRaw('0'),
  tags: p.text().$type<string[]>().columnType('text[]').defaultRaw(`'{}'`),
  /** Colours of the file, as the shape; a trigger keeps both in step. */
  colors: p.smallint().$type<number[]>().columnType('smallint[]').nullable(),
  shape: p.text().columnType('bit(64)').nullable(),
  /** `searchDocument` of its facts. */
  words: p.text().columnType('tsvector'),
  /** Column for 0.2, as `lookTries`; dropped with 0.4. */
  lookDueAt: time().nullable(),
  lookTries: p.smallint().defaultRaw('0'),
  createdAt: time(),
  deletionId: deletion(),
  /** Customer of the file. */
  customer: p.text().nullable(),
});

/** Every tag that an item of the workspace has had. */
export const LibraryTag = table('LibraryTag', 'library_tags', {
  workspaceId: ref().primary().autoincrement(false),
  tag: p.text().collation('C').primary(),
});

/** The words that typing errors are compared with. */
export const LibraryWord = table('LibraryWord', 'library_words', {
  workspaceId: ref().primary().autoincrement(false),
  word: p.text().collation('C').primary(),
});

/** How far files that are older than the library were added: one row. */
export const LibraryFilling = table('LibraryFilling', 'library_filling', {
  onlyRow: p.boolean().primary().defaultRaw('true'),
  passesLeft: p.smallint(),
  startsAt: time(),
  /** Files with ids from here on were looked at in this pass. */
  beforeId: p.bigint('number'),
});

/** Searches of the library by name. */
export const SavedSearch = table('SavedSearch', 'saved_searches', {
  id: id(),
  workspaceId: ref(),
  createdBy: ref(),
  name: p.text(),
  filter: p.json<LibraryFilter>(),
  createdAt: time(),
  updatedAt: time(),
});

/** Links to zips. */
export const Download = table('Download', 'downloads', {
  id: id(),
  hash: p.blob(),
  workspaceId: ref(),
  userId: ref(),
  /** The API token or session that made it. */
  tokenId: ref(),
  selection: p.json<Selection>(),
  label: p.text().nullable(),
  expiresAt: time(),
  /** While it is being sent: until when it counts as running. */
  runsUntil: time().nullable(),
});
