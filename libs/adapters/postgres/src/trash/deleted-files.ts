import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { arrayOf } from '../shapes.ts';

/** The ids of the files that what was deleted with these entries refers to, or that belong to a deleted persona. */
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
    .where('boards.deletion_id', '=', entry)
    .where('media.deletion_id', 'is', null);
  const ofTrainings = build
    .selectFrom('personas')
    .innerJoin('trainings', 'trainings.persona_id', 'personas.id')
    .select(sql<number>`trainings.file_id`.as('id'))
    .where('personas.deletion_id', '=', entry)
    .where('trainings.file_id', 'is not', null);
  const ofPersonas = build
    .selectFrom('personas')
    .innerJoin('files', 'files.persona_id', 'personas.id')
    .select('files.id')
    .where('personas.deletion_id', '=', entry);
  return build.selectNoFrom(arrayOf(ofMedia.union(ofBoards).union(ofTrainings).union(ofPersonas)).as('ids'));
});
