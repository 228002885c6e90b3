import { sql } from 'kysely';
import type { TokenHash } from '#identity';
import type { Guest, GuestStore } from '#sharing';
import type { Database } from '../database.ts';
import { FILE_ACCESS } from '../files/workspace-file-records.ts';
import { bytesOf } from '../identity/token-hash.ts';
import { anyIn } from '../prepared.ts';
import { ShareGuest } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';
import { selectShares, toShare } from './postgres-shares.ts';
import { recordOpening } from './share-openings.ts';
import { hasContents } from './shared-media.ts';

const GUEST = fieldsOf('share_guests', ['id', 'shareId', 'name', 'passwordVersion']);

export class PostgresGuests implements GuestStore {
  constructor(private readonly database: Database) {}

  async findShare(hash: TokenHash): ReturnType<GuestStore['findShare']> {
    const row = await this.#withState().where('shares.hash', '=', bytesOf(hash)).executeTakeFirst();
    return row ? toShare(row) : null;
  }

  /** The link is read again after the lock was granted. */
  async lockShare(id: number): ReturnType<GuestStore['lockShare']> {
    await this.database.kysely.selectFrom('shares').select('id').where('id', '=', id).forShare().execute();
    const row = await this.#withState().where('shares.id', '=', id).executeTakeFirst();
    return row ? toShare(row) : null;
  }

  #withState() {
    return selectShares(this.database)
      .innerJoin('workspaces', 'workspaces.id', 'shares.workspace_id')
      .select(FILE_ACCESS)
      .select(hasContents.as('hasContents'))
      .select(sql<boolean>`workspaces.erasure_requested_at is not null`.as('isWorkspaceErased'));
  }

  async find(shareId: number, hash: TokenHash): Promise<Guest | null> {
    const guest = this.database.kysely
      .selectFrom('share_guests')
      .select(GUEST)
      .where((eb) => eb.and({ share_id: shareId, hash: bytesOf(hash) }));
    return (await guest.executeTakeFirst()) ?? null;
  }

  async add({ hash, at, ...guest }: Parameters<GuestStore['add']>[0], limit: number): Promise<Guest> {
    const { em, kysely } = this.database;
    const id = await em.insert(ShareGuest, { ...guest, hash: bytesOf(hash), openedCount: 1, lastOpenedAt: at });
    const tooMany = kysely
      .selectFrom('share_guests')
      .select('id')
      .where('share_id', '=', guest.shareId)
      .orderBy('last_opened_at', 'desc')
      .orderBy('id', 'desc')
      .offset(limit);
    // Guests that others are forgetting, or that look at this moment, are not waited for.
    const free = kysely.selectFrom('share_guests').select('id').where('id', '=', anyIn(tooMany));
    await kysely.deleteFrom('share_guests').where('id', '=', anyIn(free.forUpdate().skipLocked())).execute();
    return { ...guest, id };
  }

  async update({ id, name, passwordVersion }: Guest, hash: TokenHash): Promise<void> {
    await this.database.em.nativeUpdate(ShareGuest, { id }, { name, passwordVersion, hash: bytesOf(hash) });
  }

  async countOpening(shareId: number, guestId: number | null, at: Date): Promise<void> {
    await recordOpening(this.database, shareId, at);
    if (guestId === null) return;
    const opened = { opened_count: sql<number>`opened_count + 1`, last_opened_at: at };
    await this.database.kysely.updateTable('share_guests').set(opened).where('id', '=', guestId).execute();
  }
}
