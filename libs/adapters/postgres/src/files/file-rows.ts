import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
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

/** The parameters of a new file that are the same however it is added. */
export const NEW_FILE = ['origin', 'key', 'filename', 'size', 'contentType', 'createdAt', 'expiresAt'] as const;

type FileRow = Pick<Selectable<Tables['files']>, (typeof FILE_COLUMNS)[number]>;

/** Tells a file from the nulls of a left join without one. */
export function isFile<Row extends { readonly [Name in keyof FileRow]: FileRow[Name] | null }>(
  row: Row,
): row is Row & FileRow {
  return row.id !== null;
}

type FileExpressions = ExpressionBuilder<Tables, 'files'>;

/*
 * Whether a file is still needed is decided here and nowhere else. A new kind of reference to files has to be added
 * here, and to the builder of references in test/support/file-store.ts.
 */

/** A training, a media or an unfinished generation refers to the file. */
export function isReferenced(eb: FileExpressions): Expression<SqlBool> {
  const open = eb.selectFrom('generations').where('generations.state', 'in', ['queued', 'running']);
  return eb.or([
    eb.exists(eb.selectFrom('trainings').whereRef('trainings.file_id', '=', 'files.id')),
    eb.exists(eb.selectFrom('media_files').whereRef('media_files.file_id', '=', 'files.id')),
    eb.exists(open.whereRef('generations.image_file_id', '=', 'files.id')),
    eb.exists(open.whereRef('generations.style_file_id', '=', 'files.id')),
  ]);
}

/** The file is an output of a generation. */
export function isOutput(eb: FileExpressions): Expression<SqlBool> {
  return eb.exists(eb.selectFrom('generation_outputs').whereRef('generation_outputs.file_id', '=', 'files.id'));
}

/** It is referenced, or an upload whose persona exists, or an output whose persona is not deleted. */
export function isNeeded(eb: FileExpressions): Expression<SqlBool> {
  const persona = eb.selectFrom('personas').whereRef('personas.id', '=', 'files.persona_id');
  const isDeleted = eb.exists(persona.where('personas.deleted_at', 'is not', null));
  return eb.or([
    isReferenced(eb),
    eb.and([eb('files.origin', '=', 'upload'), eb.exists(persona.where('personas.deleted_at', 'is', null))]),
    eb.and([eb('files.origin', '=', 'output'), isOutput(eb), eb.not(isDeleted)]),
  ]);
}
