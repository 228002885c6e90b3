import { sql } from 'kysely';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type {
  Allowance,
  NewShare,
  Share,
  ShareChanges,
  SharedItems,
  ShareStore,
  ShareTerms,
  ShareView,
  ShareViews,
} from '#sharing';
import type { Database } from '../database.ts';
import { bytesOf } from '../identity/token-hash.ts';
import { NEWEST } from '../board/postgres-media.ts';
import { anyOf, pageValues } from '../prepared.ts';
import { ShareMedia, ShareRow } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';
import { lastOpenedAt, openedCount } from './share-openings.ts';
import { sharedCount } from './shared-media.ts';

const TERMS = ['name', 'allow', 'passwordHash', 'watermark', 'label', 'expiresAt'] as const;
const SHARE = fieldsOf('shares', [
  'id',
  'workspaceId',
  'createdBy',
  'boardId',
  'folderId',
  'passwordVersion',
  ...TERMS,
]);

/** Names shown with a link. */
const VISITS = 100;

/** Links, for a statement that selects a link. */
export const selectShares = ({ kysely }: Database) => kysely.selectFrom('shares').select(SHARE);

export type ShareColumns = Omit<Share, 'of'>;

export function toShare<Row extends ShareColumns>(row: Row): Row & Share {
  return { ...row, of: row.folderId !== null ? 'folder' : row.boardId !== null ? 'board' : 'media' };
}

/** The given terms by their columns. */
function columnsOf({ name, allow, passwordHash, watermark, label, expiresAt }: Partial<ShareTerms>) {
  const columns = {
    name,
    allow: allow && sql<Allowance[]>`${[...allow]}::text[]`,
    password_hash: passwordHash,
    watermark,
    label,
    expires_at: expiresAt,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as {
    [Column in keyof typeof columns]: Exclude<(typeof columns)[Column], undefined>;
  };
}

export class PostgresShares implements ShareStore, ShareViews {
  constructor(private readonly database: Database) {}

  async nameOf(workspaceId: number, items: SharedItems): Promise<string | null> {
    const boards = this.database.kysely
      .selectFrom('boards')
      .where((eb) => eb.and({ 'boards.workspace_id': workspaceId, 'boards.deletion_id': null }))
      .forKeyShare('boards');
    if (items.of === 'board') {
      const board = await boards.select('boards.name').where('boards.id', '=', items.boardId).executeTakeFirst();
      return board?.name ?? null;
    }
    if (items.of === 'folder') {
      const folders = boards
        .innerJoin('folders', 'folders.board_id', 'boards.id')
        .where((eb) => eb.and({ 'folders.id': items.folderId, 'folders.deletion_id': null }));
      return (await folders.select('folders.name').forKeyShare('folders').executeTakeFirst())?.name ?? null;
    }
    const ids = [...new Set(items.mediaIds)];
    const found = await boards
      .innerJoin('media', 'media.board_id', 'boards.id')
      .select('boards.name')
      .where('media.id', '=', anyOf(sql.val(ids)))
      .where((eb) => eb.and(NEWEST))
      .orderBy('media.id')
      .forKeyShare('media')
      .execute();
    return found.length === ids.length ? found[0]!.name : null;
  }

  async add({ items, hash, ...share }: NewShare): Promise<number> {
    const { em, kysely } = this.database;
    const boardId =
      items.of === 'board' ? items.boardId : items.of === 'folder' ? await this.#boardOf(items.folderId) : null;
    const added = await kysely
      .insertInto('shares')
      .values({
        ...columnsOf(share),
        workspace_id: share.workspaceId,
        created_by: share.createdBy,
        created_at: share.createdAt,
        hash: bytesOf(hash),
        board_id: boardId,
        folder_id: items.of === 'folder' ? items.folderId : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (items.of === 'media') {
      const ids = [...new Set(items.mediaIds)];
      await em.insertMany(
        ShareMedia,
        ids.map((mediaId) => ({ shareId: added.id, mediaId })),
      );
    }
    return added.id;
  }

  async #boardOf(folderId: number): Promise<number> {
    const folder = this.database.kysely.selectFrom('folders').select('board_id').where('id', '=', folderId);
    return (await folder.executeTakeFirstOrThrow()).board_id;
  }

  async lock(workspaceId: number, id: number): Promise<Share | null> {
    const row = await selectShares(this.database)
      .where((eb) => eb.and({ id, workspace_id: workspaceId }))
      .forUpdate()
      .executeTakeFirst();
    return row ? toShare(row) : null;
  }

  async lockOf(userId: number): Promise<readonly Share[]> {
    const shares = selectShares(this.database).where('created_by', '=', userId).orderBy('id').forUpdate();
    return (await shares.execute()).map(toShare);
  }

  async update(id: number, { passwordVersion, ...terms }: ShareChanges): Promise<void> {
    const changed = { ...columnsOf(terms), ...(passwordVersion && { password_version: passwordVersion }) };
    if (Object.keys(changed).length === 0) return;
    await this.database.kysely.updateTable('shares').set(changed).where('id', '=', id).execute();
  }

  async delete(id: number): Promise<void> {
    await this.database.em.nativeDelete(ShareRow, { id });
  }

  async list(
    workspaceId: number,
    { boardId, createdBy }: Parameters<ShareViews['list']>[1],
    page: PageRequest,
  ): Promise<Page<ShareView>> {
    const { before, limit } = pageValues(page);
    const rows = await this.#views(workspaceId)
      .where('shares.id', '<', before)
      .$if(createdBy !== null, (shares) => shares.where('shares.created_by', '=', createdBy!))
      .$if(boardId !== null, (shares) =>
        shares.where((eb) =>
          eb.or([
            eb('shares.board_id', '=', boardId!),
            eb.exists(
              eb
                .selectFrom('share_media')
                .innerJoin('media', 'media.id', 'share_media.media_id')
                .whereRef('share_media.share_id', '=', 'shares.id')
                .where('media.board_id', '=', boardId!),
            ),
          ]),
        ),
      )
      .orderBy('shares.id', 'desc')
      .$if(limit !== null, (shares) => shares.limit(limit!))
      .execute();
    return pageOf(await this.#withVisits(rows), page.limit, ({ id }) => id);
  }

  async find(workspaceId: number, id: number): Promise<ShareView | null> {
    const rows = await this.#views(workspaceId).where('shares.id', '=', id).execute();
    return (await this.#withVisits(rows))[0] ?? null;
  }

  #views(workspaceId: number) {
    return selectShares(this.database)
      .innerJoin('users', 'users.id', 'shares.created_by')
      .where('shares.workspace_id', '=', workspaceId)
      .select('shares.created_at as createdAt')
      .select([openedCount.as('openedCount'), lastOpenedAt.as('lastOpenedAt')])
      .select(['users.name as createdByName', sharedCount.as('mediaCount')]);
  }

  async #withVisits(rows: readonly (ShareColumns & Omit<ShareView, keyof Share | 'openedBy'>)[]): Promise<ShareView[]> {
    const ids = rows.map(({ id }) => id);
    const visits = await this.database.kysely
      .selectFrom('share_guests')
      .select(fieldsOf('share_guests', ['shareId', 'name', 'openedCount', 'lastOpenedAt']))
      .where('share_id', '=', anyOf(sql.val(ids)))
      .where('name', 'is not', null)
      .$narrowType<{ name: string }>()
      .orderBy('last_opened_at', 'desc')
      .execute();
    const byShare = Map.groupBy(visits, ({ shareId }) => shareId);
    return rows.map((row) => {
      const openedBy = (byShare.get(row.id) ?? []).slice(0, VISITS).map(({ shareId: _, ...visit }) => visit);
      return { ...row, ...toShare(row), openedBy };
    });
  }
}
