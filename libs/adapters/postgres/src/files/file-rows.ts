import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { StoredFile } from '#files';
import type { Tables } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';

/** The properties of a new file that are the same however it is added. */
export const NEW_FILE = ['origin', 'key', 'filename', 'size', 'contentType', 'createdAt', 'expiresAt'] as const;

/** A file as the domain has it. Prepared statements name its columns, so that a later migration can add columns. */
export const FILE = fieldsOf('files', ['id', 'workspaceId', 'personaId', ...NEW_FILE]);

/** Tells a file from the nulls of a left join without one. */
export function isFile(row: { readonly [Name in keyof StoredFile]: StoredFile[Name] | null }): row is StoredFile {
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
    eb.exists(eb.selectFrom('generation_inputs').whereRef('generation_inputs.file_id', '=', 'files.id')),
  ]);
}

/** The file is a thumbnail of an output of a generation. */
export function isThumbnail(eb: FileExpressions): Expression<SqlBool> {
  return eb.exists(eb.selectFrom('generation_thumbnails').whereRef('generation_thumbnails.file_id', '=', 'files.id'));
}

/**
 * The file is an output of a generation. Looked up for each file: within a condition with `or`, PostgreSQL may read the
 * whole table for an `exists` first.
 */
export function isOutput(eb: FileExpressions): Expression<SqlBool> {
  const outputs = eb.selectFrom('generation_outputs').whereRef('generation_outputs.file_id', '=', 'files.id');
  return sql<boolean>`(${outputs.select(sql.lit(true).as('found')).limit(sql.lit(1))}) is true`;
}

/**
 * It is referenced, or an upload whose persona exists, or an output (or its thumbnail) whose persona is not deleted.
 */
export function isNeeded(eb: FileExpressions): Expression<SqlBool> {
  const persona = eb.selectFrom('personas').whereRef('personas.id', '=', 'files.persona_id');
  const isDeleted = eb.exists(persona.where('personas.deleted_at', 'is not', null));
  return eb.or([
    isReferenced(eb),
    eb.and([eb('files.origin', '=', 'upload'), eb.exists(persona.where('personas.deleted_at', 'is', null))]),
    eb.and([eb('files.origin', '=', 'output'), eb.or([isOutput(eb), isThumbnail(eb)]), eb.not(isDeleted)]),
  ]);
}
