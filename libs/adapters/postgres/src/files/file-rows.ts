import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import { PICTURE_FACTS, type FileState, type SeenFile, type SeenPicture, type StoredFile } from '#files';
import { CUSTOM_DATA } from '#kernel';
import { anyIn } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { fieldsOf, pick } from '../shapes.ts';

const ADDED = ['origin', 'key', 'filename', 'size', 'contentType', 'createdAt', 'expiresAt', 'marking'] as const;

/** The properties of a new file that uploads and other additions have in common. */
export const NEW_FILE = [...ADDED, 'name', 'isPrivate'] as const;

/** The name of a picture: files of versions up to 0.2 may have none of their own. */
export const NAME = sql<string>`coalesce(files.name, files.filename)`.as('name');

/** The properties of a file that a look finds. */
export const SEEN = [...PICTURE_FACTS, 'thumbnails'] as const;

/** The columns of a picture. */
export const PICTURE_COLUMNS = ['key', 'contentType', ...SEEN] as const;
export const PICTURE = [...fieldsOf('files', PICTURE_COLUMNS), NAME] as const;

/** The columns of a file. Statements name columns, so that a later migration can add some. */
export const FILE = [
  ...fieldsOf('files', ['id', 'workspaceId', 'personaId', ...ADDED, ...SEEN, ...CUSTOM_DATA]),
  NAME,
] as const;

/** The result of a look, by the columns of the file. */
export function valuesOf(seen: SeenPicture) {
  const { look, thumbnails } = seen;
  return {
    ...pick(seen, PICTURE_FACTS),
    thumbnails: JSON.stringify(thumbnails),
    thumbnailKeys: thumbnails.map(({ key }) => key),
    colors: look && [...look.colors],
    shape: look?.shape ?? null,
  };
}

export type SeenValues = ReturnType<typeof valuesOf>;

/** Reports whether a row of a left join has a file. */
export function isFile(row: { readonly [Name in keyof StoredFile]: StoredFile[Name] | null }): row is StoredFile {
  return row.id !== null;
}

/**
 * Parts of a statement that adds a file, whose place was chosen before: if the workspace has changed meanwhile, the file's
 * object has to move. The lock makes the end of a switch wait for files that are being added.
 */
export function placedIn(workspaceId: RawBuilder<number>, isPrivate: RawBuilder<boolean>) {
  const workspace = sql<{ id: number; is_wrong: boolean }>`(
    select id, (files = 'private') <> ${isPrivate}::boolean as is_wrong
    from workspaces where id = ${workspaceId} limit 1 for key share)`;
  return sql<{ id: number }>`(
    update workspaces set files_misplaced = true from ${workspace} as placed
    where workspaces.id = placed.id and placed.is_wrong returning workspaces.id)`;
}

type FileExpressions = ExpressionBuilder<Tables, 'files'>;

/*
 * Only this file decides whether a file is needed. Add a new kind of reference to files here, and to the builder of
 * references in test/support/file-store.ts.
 */

/** A training, a style, a media item, a picture for guests, an unfinished generation or an avatar refers to the file, and is not deleted. */
export function isReferenced(eb: FileExpressions): Expression<SqlBool> {
  const open = eb.selectFrom('generations').where('generations.state', 'in', ['queued', 'running']);
  return eb.or([
    eb.exists(
      trainingsOf(eb)
        .innerJoin('personas as owner', 'owner.id', 'trainings.persona_id')
        .where('owner.deletion_id', 'is', null),
    ),
    eb.exists(
      stylesOf(eb)
        .innerJoin('personas as owner', 'owner.id', 'styles.persona_id')
        .where('owner.deletion_id', 'is', null),
    ),
    eb.exists(
      mediaOf(eb)
        .innerJoin('media', 'media.id', 'media_files.media_id')
        .innerJoin('boards', 'boards.id', 'media.board_id')
        .where((eb) => eb.and({ 'media.deletion_id': null, 'boards.deletion_id': null })),
    ),
    eb.exists(
      eb
        .selectFrom('share_picture_files as picture')
        .innerJoin('media', 'media.id', 'picture.media_id')
        .innerJoin('boards', 'boards.id', 'media.board_id')
        .whereRef('picture.file_id', '=', 'files.id')
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

/** Styles that were made into the file or trained on it. */
const stylesOf = (eb: FileExpressions) => {
  const made = eb.selectFrom('styles as made').select('made.id').whereRef('made.file_id', '=', 'files.id');
  const trained = eb
    .selectFrom('style_pictures')
    .select('style_id as id')
    .whereRef('style_pictures.file_id', '=', 'files.id');
  return eb.selectFrom('styles').where('styles.id', '=', anyIn<number>(made.unionAll(trained)));
};

/** A training, a style or a media item, deleted or not, refers to the file: its record must stay. */
export function hasRows(eb: FileExpressions): Expression<SqlBool> {
  return eb.or([eb.exists(trainingsOf(eb)), eb.exists(stylesOf(eb)), eb.exists(mediaOf(eb))]);
}

/** People deleted the item of the library that the file is. The file stays while it is referenced. */
const isRemoved = (eb: FileExpressions) => eb('files.removed_at', 'is not', null);

/** The picture that the file is a thumbnail or a variant of, in a subselect whose `files` is that picture; null for others. */
function ofPicture<T>(eb: FileExpressions, select: (picture: FileExpressions) => Expression<T>): RawBuilder<T | null> {
  const picture = eb
    .selectFrom('files')
    .whereRef('files.id', '=', sql.ref<number>('thumbnail.picture_id'))
    .select((inner) => sql<T>`${select(inner as never)}`.as('found'));
  return sql`(select ${picture} from (select files.picture_id) thumbnail)`;
}

/** The trash entry with the latest end that refers to the file. The file is in the trash with this entry. */
export function keepingEntry(eb: FileExpressions): RawBuilder<number | null> {
  return sql`coalesce(${ownEntry(eb)}, ${ofPicture(eb, ownEntry)})`;
}

function ownEntry(eb: FileExpressions): RawBuilder<number | null> {
  const entries = trainingsOf(eb)
    .innerJoin('personas as owner', 'owner.id', 'trainings.persona_id')
    .select('owner.deletion_id as entry_id')
    .unionAll(
      stylesOf(eb)
        .innerJoin('personas as owner', 'owner.id', 'styles.persona_id')
        .select('owner.deletion_id as entry_id'),
    )
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
    select trash.id from trash where trash.id in (${entries} union all select files.removal_id)
    order by trash.expires_at desc, trash.id desc limit 1)`;
}

/**
 * The file is an output of a generation. A subselect: for `exists` within an `or`, PostgreSQL may read the whole table.
 */
export function isOutput(eb: FileExpressions): Expression<SqlBool> {
  const outputs = eb.selectFrom('generation_outputs').whereRef('generation_outputs.file_id', '=', 'files.id');
  return sql<boolean>`(${outputs.select(sql.lit(true).as('found')).limit(sql.lit(1))}) is true`;
}

/** The file is a thumbnail of a picture. A variant is none: it is made anew when it is asked for. */
export function isThumbnail(eb: FileExpressions): Expression<SqlBool> {
  const variants = eb.selectFrom('file_variants').whereRef('file_variants.file_id', '=', 'files.id');
  return eb.and([eb('files.picture_id', 'is not', null), eb.not(eb.exists(variants))]);
}

/**
 * `hasPictures` of the generation that a file is an output of, as `madeFrom` decides; null for no output. A trained style is
 * no picture.
 */
export function hasPicturesOf(fileId: 'files.id' | 'original.id') {
  return sql<boolean | null>`(
    select coalesce(made.image_key, made.image_url, made.style_key, made.style_url) is not null
      or exists (select from generation_inputs i where i.generation_id = made.id and i.input <> 'style_weights')
    from generation_outputs o join generations made on made.id = o.generation_id
    where o.file_id = ${sql.ref(fileId)} limit 1)`.as('hasPictures');
}

/**
 * A file is needed while something refers to it, and as an upload or output of a persona that is not deleted until people
 * delete it from the library. The thumbnails and variants of a needed picture are needed.
 */
export function isNeeded(eb: FileExpressions): Expression<SqlBool> {
  return sql<boolean>`(${isNeededItself(eb)} or ${ofPicture(eb, isNeededItself)} is true)`;
}

function isNeededItself(eb: FileExpressions): Expression<SqlBool> {
  const persona = eb.selectFrom('personas').whereRef('personas.id', '=', 'files.persona_id');
  const hasPersona = eb.exists(persona.where('personas.deletion_id', 'is', null));
  // An output that is in the trash belonged to a persona, which may no longer exist.
  const hasNoPersona = eb.and([eb('files.persona_id', 'is', null), eb('files.deletion_id', 'is', null)]);
  const isOfPersona = eb.or([
    eb.and([eb('files.origin', '=', 'upload'), hasPersona]),
    eb.and([eb('files.origin', '=', 'output'), isOutput(eb), eb.or([hasPersona, hasNoPersona])]),
  ]);
  return eb.or([isReferenced(eb), eb.and([eb.not(isRemoved(eb)), isOfPersona])]);
}

/** The state of a file, by which `isSeen` decides who sees it by its URL. */
export function stateOf(eb: FileExpressions): RawBuilder<SeenFile> {
  return sql`(${ownState(eb)} || jsonb_build_object('picture', ${ofPicture(eb, ownState)}))`;
}

function ownState(eb: FileExpressions): RawBuilder<FileState> {
  return sql`jsonb_build_object('isInTrash', files.deletion_id is not null, 'isRemoved', ${isRemoved(eb)},
    'hasDeletedPersona', ${hasDeletedPersona(eb)}, 'isUsed', ${isReferenced(eb)})`;
}

function hasDeletedPersona(eb: FileExpressions): Expression<SqlBool> {
  const persona = eb.selectFrom('personas').whereRef('personas.id', '=', 'files.persona_id');
  return eb.exists(persona.where('personas.deletion_id', 'is not', null));
}

/**
 * Callers see the file as an output of its generation: `isSeen` at an output. References are read only when the persona is
 * deleted.
 */
export function isShownOutput(eb: FileExpressions): RawBuilder<boolean> {
  return sql`(files.deletion_id is null and not ${isRemoved(eb)}
    and case when ${hasDeletedPersona(eb)} then ${isReferenced(eb)} else true end)`;
}
