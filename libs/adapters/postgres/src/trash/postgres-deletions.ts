import { sql } from 'kysely';
import type { DeletedItem, DeletionStore, TrashKind } from '#trash';
import { bringBackFromJson } from './back-from-json.ts';
import { fileIdsOf } from './deleted-files.ts';
import type { Database } from '../database.ts';
import { anyIn, anyOf, build, prepared } from '../prepared.ts';
import { fieldsOf } from '../shapes.ts';

export class PostgresDeletions implements DeletionStore {
  constructor(private readonly database: Database) {}

  async find(entryIds: readonly number[]): Promise<readonly DeletedItem[]> {
    const items = await this.database.run(findEntries, { entryIds });
    await bringBackFromJson(this.database, [...new Set(items.map(({ workspaceId }) => workspaceId))]);
    return items;
  }

  async findByItem(kind: 'board' | 'persona', itemId: number): Promise<number | null> {
    return (await this.database.one(FIND_BY_ITEM[kind], { itemId }))?.entryId ?? null;
  }

  async expired(now: Date, limit: number): Promise<readonly number[]> {
    return (await this.database.run(findExpired, { now, limit })).map(({ id }) => id);
  }

  filesOf(entryIds: readonly number[]): Promise<readonly number[]> {
    return fileIdsOf(this.database, entryIds);
  }

  deleteSome({ id: entryId, kind, itemId }: DeletedItem, limit: number): Promise<boolean> {
    return this.database.any(SOME[kind], { entryId, itemId, limit });
  }

  async deleteRest({ id: entryId, kind, itemId }: DeletedItem): Promise<boolean> {
    const values = { entryId, itemId };
    if (await this.database.any(findFile, values)) return false;
    if (kind === 'persona' && !(await this.database.any(deletePersona, values))) return false;
    for (const statement of REST[kind]) await this.database.run(statement, values);
    return true;
  }
}

const findEntries = prepared<{ entryIds: readonly number[] }>()((param) =>
  build
    .selectFrom('trash')
    .select(fieldsOf('trash', ['id', 'kind', 'itemId', 'expiresAt', 'workspaceId']))
    .where('id', '=', anyOf(param('entryIds')))
    .orderBy('id'),
);

const entryOf = (table: 'boards' | 'personas') =>
  prepared<{ itemId: number }>()((param) =>
    build.selectFrom(table).select('deletion_id as entryId').where('id', '=', param('itemId')),
  );

const FIND_BY_ITEM = { board: entryOf('boards'), persona: entryOf('personas') };

const findExpired = prepared<{ now: Date; limit: number }>()((param) =>
  build
    .selectFrom('trash')
    .select('id')
    .where('expires_at', '<=', param('now'))
    .orderBy('expires_at')
    .limit(param('limit')),
);

interface Entry {
  readonly entryId: number;
  readonly itemId: number;
}

const some = (table: 'media' | 'trainings', of: 'deletion_id' | 'board_id' | 'persona_id', value: keyof Entry) =>
  prepared<Entry & { limit: number }>()((param) => {
    const rows = build.selectFrom(table).select('id').where(sql.ref(of), '=', param(value)).limit(param('limit'));
    return build.deleteFrom(table).where('id', '=', anyIn(rows)).returning('id');
  });

const mediaOfEntry = some('media', 'deletion_id', 'entryId');

/** What is deleted first, in batches: there may be many. */
const SOME = {
  board: some('media', 'board_id', 'itemId'),
  folder: mediaOfEntry,
  media: mediaOfEntry,
  persona: some('trainings', 'persona_id', 'itemId'),
} as const satisfies Record<TrashKind, unknown>;

const findFile = prepared<Entry>()((param) =>
  build.selectFrom('files').select('id').where('deletion_id', '=', param('entryId')).limit(sql.lit(1)),
);

const deletePersona = prepared<Entry>()((param) =>
  build
    .deleteFrom('personas')
    .where('id', '=', param('itemId'))
    .where((eb) => eb.not(eb.exists(eb.selectFrom('files').whereRef('persona_id', '=', 'personas.id'))))
    .where((eb) => eb.not(eb.exists(eb.selectFrom('uploads').whereRef('persona_id', '=', 'personas.id'))))
    .returning('id'),
);

const deleteEntry = prepared<Entry>()((param) => build.deleteFrom('trash').where('id', '=', param('entryId')));

const deleteFoldersOfBoard = prepared<Entry>()((param) =>
  build.deleteFrom('folders').where('board_id', '=', param('itemId')),
);

const deleteBoard = prepared<Entry>()((param) => build.deleteFrom('boards').where('id', '=', param('itemId')));

const deleteEntriesOfBoard = prepared<Entry>()((param) =>
  build.deleteFrom('trash').where('board_id', '=', param('itemId')),
);

const foldersOf = (entryId: ReturnType<typeof sql<number>>) =>
  build.selectFrom('folders').select('folders.id').where('folders.deletion_id', '=', entryId);

const takeMediaOut = prepared<Entry>()((param) =>
  build
    .updateTable('media')
    .set({ folder_id: null })
    .where('folder_id', 'in', foldersOf(param('entryId'))),
);

const takeFoldersOut = prepared<Entry>()((param) =>
  build
    .updateTable('folders')
    .set({ parent_id: null })
    .where('parent_id', 'in', foldersOf(param('entryId')))
    .where('deletion_id', 'is distinct from', param('entryId')),
);

const deleteFolders = prepared<Entry>()((param) =>
  build.deleteFrom('folders').where('deletion_id', '=', param('entryId')),
);

/** What is deleted last, in this order. */
const REST = {
  board: [deleteFoldersOfBoard, deleteBoard, deleteEntriesOfBoard, deleteEntry],
  folder: [takeMediaOut, takeFoldersOut, deleteFolders, deleteEntry],
  media: [deleteEntry],
  persona: [deleteEntry],
} as const satisfies Record<TrashKind, readonly unknown[]>;
