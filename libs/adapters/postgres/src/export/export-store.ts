import type { EndedExport, Export, ExportStore, QueuedExport, ReadyExport, RunningExport } from '#export';
import type { Database } from '../database.ts';
import { discardObject } from '../files/discarded-files.ts';
import { DiscardedObject, ExportRow } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';

const STATE = ['attempt', 'key', 'size', 'expiresAt', 'endedAt'] as const;
const EXPORT = fieldsOf('exports', ['id', 'userId', 'state', 'createdAt', ...STATE]);

export class PostgresExports implements ExportStore {
  constructor(private readonly database: Database) {}

  async list(userId: number): Promise<readonly Export[]> {
    const rows = await this.#exports().where('user_id', '=', userId).orderBy('id', 'desc').execute();
    return rows.map(exportOf);
  }

  async lock(id: number): Promise<Export | null> {
    const row = await this.#exports().where('id', '=', id).forUpdate().executeTakeFirst();
    return row ? exportOf(row) : null;
  }

  /** A user has one export under way (`exports_one_under_way`). */
  async add(userId: number, now: Date): Promise<QueuedExport> {
    const { id } = await this.database.kysely
      .insertInto('exports')
      .values({ user_id: userId, state: 'queued', created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, userId, createdAt: now, state: 'queued' };
  }

  async save(changed: RunningExport | ReadyExport | EndedExport): Promise<void> {
    const none = { attempt: null, key: null, size: null, expiresAt: null, endedAt: null };
    const { id, ...columns } = { ...none, ...changed };
    await this.database.em.nativeUpdate(ExportRow, { id }, columns);
  }

  async removeAll(userId: number): Promise<readonly Export[]> {
    const removal = this.database.kysely.deleteFrom('exports').where('user_id', '=', userId).returning(EXPORT);
    return (await removal.execute()).map(exportOf);
  }

  async lockExpired(now: Date, limit: number): Promise<readonly ReadyExport[]> {
    const rows = await this.#exports()
      .where('state', '=', 'ready')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    return rows.map((row) => exportOf(row) as ReadyExport);
  }

  discard(key: string, at: Date): Promise<void> {
    return discardObject(this.database, key, at);
  }

  async keep(key: string): Promise<boolean> {
    return (await this.database.em.nativeDelete(DiscardedObject, { key })) === 1;
  }

  #exports() {
    return this.database.kysely.selectFrom('exports').select(EXPORT);
  }
}

/** The constraints of the table say which columns a state has. */
type Columns = { readonly [Name in (typeof STATE)[number]]: unknown };

function exportOf(row: { readonly state: Export['state'] } & Columns): Export {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(present) as unknown as Export;
}
