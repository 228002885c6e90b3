import type { PictureNames } from '#files';
import type { Database } from '../database.ts';
import { changeBoards } from '../board/postgres-media.ts';
import { build, prepared } from '../prepared.ts';
import { reindex } from './library-marks.ts';

export class PostgresPictureNames implements PictureNames {
  constructor(private readonly database: Database) {}

  async rename(workspaceId: number, file: Parameters<PictureNames['rename']>[1], name: string): Promise<boolean> {
    const { database } = this;
    const named = { workspaceId, name, id: null, key: null, ...file };
    // The file before its item and its boards, as deletions lock them.
    const renamed = await database.one(renameFile, named);
    if (!renamed) return false;
    await reindex(database, workspaceId, [renamed.id], (item) => item);
    const boards = await database.run(boardsOf, renamed);
    await database.run(changeBoards, { boardIds: boards.map(({ id }) => id) });
    return true;
  }
}

const renameFile = prepared<{ workspaceId: number; name: string; id: number | null; key: string | null }>()((param) =>
  build
    .updateTable('files')
    .set({ name: param('name') })
    .where((eb) => eb.or([eb('id', '=', param('id')), eb('key', '=', param('key'))]))
    .where((eb) => eb.and({ workspace_id: param('workspaceId'), deletion_id: null }))
    .returning('id'),
);

const boardsOf = prepared<{ id: number }>()((param) =>
  build
    .selectFrom('media_files')
    .innerJoin('media', 'media.id', 'media_files.media_id')
    .select('media.board_id as id')
    .distinct()
    .where('media_files.file_id', '=', param('id'))
    .where('media.deletion_id', 'is', null),
);
