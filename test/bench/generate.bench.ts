import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import {
  PostgresAccounts,
  PostgresCreditLedger,
  PostgresFileRecords,
  PostgresGenerations,
  PostgresPersonas,
  PostgresPersonaSlots,
  PostgresUnitOfWork,
  PostgresUploadRecords,
} from '#adapters/postgres';
import { Outbox, type Queues } from '#adapters/queue';
import { DiskObjectStorage } from '#adapters/storage';
import { Generations, ModelCatalog, type Model } from '#generation';
import { emailOf, type Actor } from '#identity';
import { systemClock } from '#kernel';
import { Files, StoredUrls } from '#files';
import { onBenchDatabase } from './bench-database.ts';

const ALONE = 500;
const TOGETHER = 4000;
const CALLERS = 32;
const MOST_STATEMENTS = 6;

const model: Model = {
  id: 'bench',
  kind: 'image',
  provider: 'bench',
  description: '',
  cost: 4,
  inputs: { image: 'optional', styleReference: 'optional' },
  parameters: {},
};

/** What accepting a call costs whose two inputs are stored files: alone, and with many callers of one workspace. */
await onBenchDatabase(async ({ database, pool }) => {
  let statements = 0;
  const counted = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (counted.has(client)) return;
    counted.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      statements++;
      return query(...args);
    }) as typeof client.query;
  });
  const folder = await mkdtemp(join(tmpdir(), 'x12-bench-files-'));
  const clock = systemClock;
  const storage = new DiskObjectStorage({
    root: folder,
    publicUrl: 'http://store.test',
    secret: 'x'.repeat(32),
    clock,
  });
  const urls = new StoredUrls('http://store.test');
  const files = new Files(new PostgresFileRecords(database), new PostgresUploadRecords(database), storage, urls, clock);
  const unitOfWork = new PostgresUnitOfWork(database);
  const idle = { addBulk: async () => [] };
  const queues = { generations: idle, pictures: idle, housekeeping: idle } as unknown as Queues;
  const outbox = new Outbox(database, unitOfWork, queues, clock, (error) => {
    throw error;
  });
  const generations = new Generations({
    models: new ModelCatalog([model]),
    personaSlots: new PostgresPersonaSlots(database),
    files,
    urls,
    store: new PostgresGenerations(database),
    ledger: new PostgresCreditLedger(database),
    plans: { free: { id: 'free', monthlyCredits: 1_000_000, teams: false } },
    jobs: outbox,
    unitOfWork,
    clock,
  });

  const { user, workspaceId } = await new PostgresAccounts(database).open({
    email: emailOf('bench@example.com'),
    name: null,
    passwordHash: null,
    plan: 'free',
    openedAt: clock.now(),
  });
  const { id: personaId } = await new PostgresPersonas(database).add({
    workspaceId,
    createdBy: user.id,
    name: 'P',
    title: null,
    knows: null,
    profession: null,
    createdAt: clock.now(),
  });
  const stored = await files.store({
    workspaceId,
    personaId,
    origin: 'import',
    filename: 'picture.png',
    contentType: 'image/png',
    bytes: Buffer.from('bytes'),
  });
  const url = urls.urlOf(stored.key);
  const actor: Actor = { userId: user.id, workspaceId, role: 'owner', plan: 'free', isTeam: false, tokenId: 1 };
  const call = async (): Promise<number> => {
    const started = performance.now();
    await generations.request(actor, {
      model: model.id,
      personaId,
      styleTransfer: url,
      image: url,
      prompt: 'a fox',
      fields: {},
      dryRun: false,
    });
    return performance.now() - started;
  };

  await call();
  await outbox.close();
  statements = 0;
  await call();
  // Without begin and commit.
  const inOneCall = statements - 2;
  await outbox.close();

  const alone: number[] = [];
  for (let count = 0; count < ALONE; count++) alone.push(await call());

  const together: number[] = [];
  let left = TOGETHER;
  const started = performance.now();
  const caller = async (): Promise<void> => {
    while (left-- > 0) together.push(await call());
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const perSecond = (TOGETHER / (performance.now() - started)) * 1000;
  await outbox.close();
  await rm(folder, { recursive: true });

  const at = (latencies: number[], share: number): string =>
    `${latencies.sort((a, b) => a - b)[Math.floor(latencies.length * share)]!.toFixed(1)} ms`;
  console.log(`${inOneCall} statements and one transaction`);
  console.log(`alone: p50 ${at(alone, 0.5)}, p99 ${at(alone, 0.99)}`);
  console.log(
    `${CALLERS} callers of one workspace: ${perSecond.toFixed(0)} calls/s, p50 ${at(together, 0.5)}, p99 ${at(together, 0.99)}`,
  );
  if (inOneCall > MOST_STATEMENTS) process.exitCode = 1;
});
