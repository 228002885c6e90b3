import type { PictureNames } from '#files';
import type { Database } from '../database.ts';
import { changeBoardsWith } from '../board/postgres-media.ts';
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
    await changeBoardsWith(database, [renamed.id]);
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
