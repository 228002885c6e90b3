import type { Download, DownloadStore, NewDownload } from '#download';
import type { TokenHash } from '#identity';
import type { Database } from '../database.ts';
import { bytesOf } from '../identity/token-hash.ts';
import { Download as DownloadTable } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';

export class PostgresDownloads implements DownloadStore {
  constructor(private readonly database: Database) {}

  async add({ hash, ...download }: NewDownload, now: Date): Promise<number> {
    const { em } = this.database;
    const { userId } = download;
    const hasEnded = [{ runsUntil: null }, { runsUntil: { $lte: now } }];
    await em.nativeDelete(DownloadTable, { userId, expiresAt: { $lte: now }, $or: hasEnded });
    return em.insert(DownloadTable, { ...download, hash: bytesOf(hash) });
  }

  async find(hash: TokenHash, now: Date): Promise<Download | null> {
    const link = this.database.kysely
      .selectFrom('downloads')
      .select(fieldsOf('downloads', ['id', 'workspaceId', 'userId', 'tokenId', 'selection', 'label', 'expiresAt']))
      .where('hash', '=', bytesOf(hash))
      .where('expires_at', '>', now);
    return (await link.executeTakeFirst()) ?? null;
  }

  /** Locks the links of the user first: the next statement sees which of them have been started. */
  async start({ id, userId }: Download, now: Date, until: Date): Promise<boolean> {
    const { kysely } = this.database;
    await kysely.selectFrom('downloads').select('id').where('user_id', '=', userId).orderBy('id').forUpdate().execute();
    const isRunning = kysely
      .selectFrom('downloads as running')
      .select('running.id')
      .where('running.user_id', '=', userId)
      .where('running.runs_until', '>', now);
    const started = await kysely
      .updateTable('downloads')
      .set({ runs_until: until })
      .where('id', '=', id)
      .where((eb) => eb.not(eb.exists(isRunning)))
      .returning('id')
      .execute();
    return started.length > 0;
  }

  async keep(id: number, until: Date | null): Promise<void> {
    await this.database.em.nativeUpdate(DownloadTable, { id }, { runsUntil: until });
  }
}
