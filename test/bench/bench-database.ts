import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PostgresEvents,
  connectPostgres,
  migratePostgres,
  PostgresAccounts,
  PostgresDiscardedFiles,
  PostgresFileRecords,
  PostgresUnitOfWork,
  PostgresUploadRecords,
  type PostgresConnection,
} from '#adapters/postgres';
import { DiskObjectStorage } from '#adapters/storage';
import { EmbeddedPostgres } from '#embedded';
import { FileDeletion, type ObjectStorage } from '#files';
import { emailOf } from '#identity';
import { systemClock, type Clock } from '#kernel';
import { sqlOn, type Sql } from '../support/database.ts';

export interface BenchDatabase extends PostgresConnection, Sql {
  readonly url: string;
  /** Deleted afterwards. */
  readonly folder: string;
  /** A user on the free plan with a workspace; the first of a database has the ids 1. */
  newUser(): Promise<{ readonly userId: number; readonly workspaceId: number }>;
  /** An object storage on the disk, in the folder `files`. */
  storage(clock?: Clock): DiskObjectStorage;
}

/** Runs `work` on a migrated database of its own, as durable as the embedded one of `npm start`. */
export async function onBenchDatabase(
  work: (bench: BenchDatabase) => Promise<void>,
  options: { readonly poolSize?: number } = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'x12-bench-'));
  const cluster = await mkdtemp(join(tmpdir(), 'x12-bench-postgres-'));
  const server = await EmbeddedPostgres.open({ folder: cluster, password: 'bench' });
  try {
    const url = await server.start();
    const connection = await connectPostgres(url, options);
    try {
      await migratePostgres(connection, '0');
      await work(benchOn(connection, url, folder));
    } finally {
      await connection.close();
    }
  } finally {
    await server.stop();
    for (const each of [folder, cluster]) await rm(each, { recursive: true, force: true });
  }
}

function benchOn(connection: PostgresConnection, url: string, folder: string): BenchDatabase {
  const { database } = connection;
  return {
    ...connection,
    ...sqlOn(database),
    url,
    folder,
    newUser: async () => {
      const account = { email: emailOf('bench@example.com'), name: null, passwordHash: null, plan: 'free' };
      const { user, workspaceId } = await new PostgresAccounts(database).open({ ...account, openedAt: new Date() });
      return { userId: user.id, workspaceId };
    },
    storage: (clock = systemClock) => {
      const root = join(folder, 'files');
      return new DiskObjectStorage({ root, publicUrl: 'http://store.test', secret: 'x'.repeat(32), clock });
    },
  };
}

/** The sweep of files that are due. */
export function sweepOn({ database }: BenchDatabase, storage: ObjectStorage): FileDeletion {
  return new FileDeletion({
    files: new PostgresFileRecords(database),
    discarded: new PostgresDiscardedFiles(database),
    uploads: new PostgresUploadRecords(database),
    storage,
    events: new PostgresEvents(database),
    jobs: { announce: async () => {} },
    unitOfWork: new PostgresUnitOfWork(database),
    clock: systemClock,
  });
}
