import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
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

/** A training, a media item, an unfinished generation or an avatar refers to the file, and is not deleted. */
export function isReferenced(eb: FileExpressions): Expression<SqlBool> {
  const open = eb.selectFrom('generations').where('generations.state', 'in', ['queued', 'running']);
  return eb.or([
    eb.exists(
      trainingsOf(eb)
        .innerJoin('personas as owner', 'owner.id', 'trainings.persona_id')
        .where('owner.deletion_id', 'is', null),
    ),
    eb.exists(
      mediaOf(eb)
        .innerJoin('media', 'media.id', 'media_files.media_id')
        .innerJoin('boards', 'boards.id', 'media.board_id')
        .where((eb) => eb.and({ 'media.deletion_id': null, 'boards.deletion_id': null })),
    ),
    eb.exists(open.whereRef('generations.image_file_id', '=', 'files.id')),
    eb.exists(open.whereRef('generations.style_file_id', '=', 'files.id')),
    eb.exists(eb.selectFrom('generation_inputs').whereRef('generation_inputs.file_id', '=', 'files.id')),
    eb.exists(eb.selectFrom('users').whereRef('users.avatar_file_id', '=', 'files.id')),
  ]);
}

const trainingsOf = (eb: FileExpressions) => eb.selectFrom('trainings').whereRef('trainings.file_id', '=', 'files.id');
const mediaOf = (eb: FileExpressions) => eb.selectFrom('media_files').whereRef('media_files.file_id', '=', 'files.id');

/** A training or a media item refers to the file, deleted or not: its record has to stay. */
export function hasRows(eb: FileExpressions): Expression<SqlBool> {
  return eb.or([eb.exists(trainingsOf(eb)), eb.exists(mediaOf(eb))]);
}

/** Of the entries of the trash that refer to the file the one that ends last: the file is in the trash with it. */
export function keepingEntry(eb: FileExpressions): RawBuilder<number | null> {
  const entries = trainingsOf(eb)
    .innerJoin('personas as owner', 'owner.id', 'trainings.persona_id')
    .select('owner.deletion_id as entry_id')
    .unionAll(
      eb
        .selectFrom('personas as owner')
        .select('owner.deletion_id as entry_id')
        .whereRef('owner.id', '=', 'files.persona_id'),
    )
    .unionAll(
      mediaOf(eb)
        .innerJoin('media', 'media.id', 'media_files.media_id')
        .innerJoin('boards', 'boards.id', 'media.board_id')
        .select((row) => row.fn.coalesce('media.deletion_id', 'boards.deletion_id').as('entry_id')),
    );
  return sql`(
    select trash.id from trash where trash.id in (${entries})
    order by trash.expires_at desc, trash.id desc limit 1)`;
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
  const hasPersona = eb.exists(persona.where('personas.deletion_id', 'is', null));
  // The persona of an output in the trash was deleted, and may be gone by now.
  const isOfNobody = eb.and([eb('files.persona_id', 'is', null), eb('files.deletion_id', 'is', null)]);
  return eb.or([
    isReferenced(eb),
    eb.and([eb('files.origin', '=', 'upload'), hasPersona]),
    eb.and([
      eb('files.origin', '=', 'output'),
      eb.or([isOutput(eb), isThumbnail(eb)]),
      eb.or([hasPersona, isOfNobody]),
    ]),
  ]);
}

/**
 * Callers see the file: it is not deleted, alone or with its persona. What else refers to it is read only when its persona
 * is deleted.
 */
export function isShown(eb: FileExpressions): RawBuilder<boolean> {
  const deletedPersona = eb
    .selectFrom('personas')
    .whereRef('personas.id', '=', 'files.persona_id')
    .where('personas.deletion_id', 'is not', null);
  return sql`(files.deletion_id is null and case when ${eb.exists(deletedPersona)} then ${isReferenced(eb)} else true end)`;
}
