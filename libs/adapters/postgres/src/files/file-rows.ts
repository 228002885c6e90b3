import { sql, type Expression, type ExpressionBuilder, type Selectable, type SqlBool } from 'kysely';
import type { NewFile, StoredFile } from '#files';
import type { Param } from '../prepared.ts';
import type { Tables } from '../schema.ts';

/** The columns of a file. Prepared statements name them, so that a later migration can add columns. */
export const FILE_COLUMNS = [
  'id',
  'workspace_id',
  'persona_id',
  'origin',
  'key',
  'filename',
  'size',
  'content_type',
  'created_at',
  'expires_at',
] as const;

export type FileRow = Pick<Selectable<Tables['files']>, (typeof FILE_COLUMNS)[number]>;

/** Tells a file from the nulls of a left join without one. */
export function isFile<Row extends { readonly [Name in keyof FileRow]: FileRow[Name] | null }>(
  row: Row,
): row is Row & FileRow {
  return row.id !== null;
}

export function fileOf(row: FileRow): StoredFile {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    personaId: row.persona_id,
    origin: row.origin,
    key: row.key,
    filename: row.filename,
    size: row.size,
    contentType: row.content_type,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** The columns of a new file that are the same however it is added. */
export const NEW_FILE_COLUMNS = [
  'origin',
  'key',
  'filename',
  'size',
  'content_type',
  'created_at',
  'expires_at',
] as const;

/** Their values, for `insert … select`. */
export function newFileValues<In extends NewFile>(p: Param<In>) {
  return [
    sql<StoredFile['origin']>`${p('origin')}::text`.as('origin'),
    sql<string>`${p('key')}::text`.as('key'),
    sql<string>`${p('filename')}::text`.as('filename'),
    sql<number>`${p('size')}::bigint`.as('size'),
    sql<string>`${p('contentType')}::text`.as('content_type'),
    sql<Date>`${p('createdAt')}::timestamptz`.as('created_at'),
    sql<Date | null>`${p('expiresAt')}::timestamptz`.as('expires_at'),
  ] as const;
}

type FileExpressions = ExpressionBuilder<Tables, 'files'>;

/*
 * Whether a file is still needed is decided here and nowhere else. A new kind of reference to files has to be added
 * here, and to the builder of references in test/support/file-store.ts.
 */

/** A training, a media or an unfinished generation refers to the file. */
export function isReferenced(eb: FileExpressions): Expression<SqlBool> {
  const open = eb
    .selectFrom('generations')
    .select('generations.id')
    .where('generations.state', 'in', ['queued', 'running']);
  return eb.or([
    eb.exists(eb.selectFrom('trainings').select('trainings.id').whereRef('trainings.file_id', '=', 'files.id')),
    eb.exists(
      eb.selectFrom('media_files').select('media_files.file_id').whereRef('media_files.file_id', '=', 'files.id'),
    ),
    eb.exists(open.whereRef('generations.image_file_id', '=', 'files.id')),
    eb.exists(open.whereRef('generations.style_file_id', '=', 'files.id')),
  ]);
}

/** The file is an output of a generation. */
export function isOutput(eb: FileExpressions): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('generation_outputs')
      .select('generation_outputs.file_id')
      .whereRef('generation_outputs.file_id', '=', 'files.id'),
  );
}

/** It is referenced, or an upload whose persona exists, or an output whose persona is not deleted. */
export function isNeeded(eb: FileExpressions): Expression<SqlBool> {
  const persona = eb.selectFrom('personas').select('personas.id').whereRef('personas.id', '=', 'files.persona_id');
  return eb.or([
    isReferenced(eb),
    eb.and([eb('files.origin', '=', 'upload'), eb.exists(persona.where('personas.deleted_at', 'is', null))]),
    eb.and([
      eb('files.origin', '=', 'output'),
      isOutput(eb),
      eb.not(eb.exists(persona.where('personas.deleted_at', 'is not', null))),
    ]),
  ]);
}
