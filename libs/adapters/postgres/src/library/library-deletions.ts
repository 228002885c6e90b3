import type { Deletion } from '#files';
import type { DeletableItem, LibraryDeletions } from '#library';
import type { Database } from '../database.ts';
import { NAME } from '../files/file-rows.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { addEntries } from '../trash/entries.ts';
import { isVisible } from './library-rows.ts';

export class PostgresLibraryDeletions implements LibraryDeletions {
  constructor(private readonly database: Database) {}

  lock(workspaceId: number, fileIds: readonly number[]): Promise<readonly DeletableItem[]> {
    return this.database.run(lockItems, { workspaceId, ids: fileIds });
  }

  async delete(workspaceId: number, items: readonly DeletableItem[], deletion: Deletion): Promise<number> {
    const { fileId, name } = items[0]!;
    const item = { kind: 'item', workspaceId, itemId: fileId, boardId: null, name } as const;
    const entryId = (await addEntries(this.database, [item], deletion))[0]!;
    const ids = items.map((each) => each.fileId);
    await this.database.run(removeFiles, { ids, entryId, at: deletion.at });
    return entryId;
  }
}

/**
 * Files before their items, as a trigger on files writes items; and by id, so that two of these statements can't wait for each
 * other.
 */
const lockItems = prepared<{ workspaceId: number; ids: readonly number[] }>()((param) =>
  build
    .selectFrom('files')
    .innerJoin('library_items', 'library_items.file_id', 'files.id')
    .select(['files.id as fileId', NAME, 'library_items.user_id as madeBy'])
    .where('library_items.workspace_id', '=', param('workspaceId'))
    .where('library_items.file_id', '=', anyOf(param('ids')))
    .where((eb) => isVisible(eb, param('workspaceId')))
    .orderBy('files.id')
    .forNoKeyUpdate(['files', 'library_items']),
);

const removeFiles = prepared<{ ids: readonly number[]; entryId: number; at: Date }>()((param) =>
  build
    .updateTable('files')
    .set({ removed_at: param('at'), removal_id: param('entryId') })
    .where('id', '=', anyOf(param('ids'))),
);
