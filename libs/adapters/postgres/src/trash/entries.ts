import type { Deletion } from '#files';
import type { TrashKind } from '#trash';
import type { Database } from '../database.ts';

interface DeletedItem {
  readonly kind: TrashKind;
  readonly workspaceId: number;
  readonly itemId: number;
  /** Of a folder or a media item. */
  readonly boardId: number | null;
  /** Null for a media item. */
  readonly name: string | null;
}

/** Adds the entry of the trash that something is then deleted with. */
export async function addEntry(database: Database, item: DeletedItem, deletion: Deletion): Promise<number> {
  return (await addEntries(database, [item], deletion))[0]!.id;
}

/** Adds an entry for each of these. */
export async function addEntries(
  { kysely }: Database,
  items: readonly DeletedItem[],
  { at, by, expiresAt }: Deletion,
): Promise<readonly { readonly id: number; readonly itemId: number }[]> {
  if (items.length === 0) return [];
  const rows = items.map(({ kind, workspaceId, itemId, boardId, name }) => ({
    kind,
    name,
    workspace_id: workspaceId,
    item_id: itemId,
    board_id: boardId,
    deleted_by: by,
    deleted_at: at,
    expires_at: expiresAt,
  }));
  return kysely.insertInto('trash').values(rows).returning(['id', 'item_id as itemId']).execute();
}
