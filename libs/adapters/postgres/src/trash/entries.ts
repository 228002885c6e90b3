import { sql } from 'kysely';
import type { Deletion } from '#files';
import type { TrashKind } from '#trash';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { arrayOf } from '../shapes.ts';

interface DeletedItem {
  readonly kind: TrashKind;
  readonly workspaceId: number;
  readonly itemId: number;
  /** Board of a folder or a media item. */
  readonly boardId: number | null;
  /** Null for a media item without a picture. */
  readonly name: string | null;
}

/** Adds an entry for each deleted item. @returns the ids of the entries, in the order of the items */
export async function addEntries(
  { kysely }: Database,
  items: readonly DeletedItem[],
  { at, by, expiresAt }: Deletion,
): Promise<readonly number[]> {
  if (items.length === 0) return [];
  const deletion = { deleted_by: by, deleted_at: at, expires_at: expiresAt };
  const rows = items.map(({ kind, name, workspaceId, itemId, boardId }) => {
    return { kind, name, workspace_id: workspaceId, item_id: itemId, board_id: boardId, ...deletion };
  });
  return (await kysely.insertInto('trash').values(rows).returning('id').execute()).map(({ id }) => id);
}

/** The ids of the files of these entries: of items of the library, media items, trainings, styles and personas. */
export async function fileIdsOf(database: Database, entryIds: readonly number[]): Promise<readonly number[]> {
  return (await database.one(findFiles, { entryIds }))!.ids;
}

const findFiles = prepared<{ entryIds: readonly number[] }>()((param) => {
  const entry = anyOf(param('entryIds'));
  const ofMedia = build
    .selectFrom('media')
    .innerJoin('media_files', 'media_files.media_id', 'media.id')
    .select('media_files.file_id as id')
    .where('media.deletion_id', '=', entry);
  const ofBoards = build
    .selectFrom('boards')
    .innerJoin('media', 'media.board_id', 'boards.id')
    .innerJoin('media_files', 'media_files.media_id', 'media.id')
    .select('media_files.file_id as id')
    .where((eb) => eb.and({ 'boards.deletion_id': entry, 'media.deletion_id': null }));
  const filesIn = (table: 'trainings' | 'styles') =>
    build
      .selectFrom('personas')
      .innerJoin(`${table as 'trainings'} as each`, 'each.persona_id', 'personas.id')
      .select(sql<number>`each.file_id`.as('id'))
      .where('personas.deletion_id', '=', entry)
      .where('each.file_id', 'is not', null);
  const ofStylePictures = build
    .selectFrom('personas')
    .innerJoin('styles', 'styles.persona_id', 'personas.id')
    .innerJoin('style_pictures', 'style_pictures.style_id', 'styles.id')
    .select(sql<number>`style_pictures.file_id`.as('id'))
    .where('personas.deletion_id', '=', entry)
    .where('style_pictures.file_id', 'is not', null);
  const ofPersonas = build
    .selectFrom('personas')
    .innerJoin('files', 'files.persona_id', 'personas.id')
    .select('files.id')
    .where('personas.deletion_id', '=', entry);
  const removed = build.selectFrom('files').select('files.id').where('files.removal_id', '=', entry);
  const marked = build
    .selectFrom('media')
    .innerJoin('boards', 'boards.id', 'media.board_id')
    .innerJoin('share_picture_files as picture', 'picture.media_id', 'media.id')
    .select('picture.file_id as id')
    .where((eb) => eb.or([eb('media.deletion_id', '=', entry), eb('boards.deletion_id', '=', entry)]));
  const ofPersona = filesIn('trainings').union(filesIn('styles')).union(ofStylePictures).union(ofPersonas);
  const all = ofMedia.union(ofBoards).union(marked).union(ofPersona).union(removed);
  return build.selectNoFrom(arrayOf(all).as('ids'));
});
