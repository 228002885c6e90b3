import { AjvParameterCheck } from '#adapters/catalog';
import {
  PostgresCreditLedger,
  PostgresFileRecords,
  PostgresGenerations,
  PostgresPersonas,
  PostgresPersonaSlots,
  PostgresUnitOfWork,
  PostgresUploadRecords,
} from '#adapters/postgres';
import { Outbox, type Queues } from '#adapters/queue';
import { Generations, ModelCatalog } from '#generation';
import type { Actor } from '#identity';
import { systemClock } from '#kernel';
import { Files, StoredUrls } from '#files';
import { aModel } from '#testing/generation';
import { onBenchDatabase } from './bench-database.ts';
import { countStatements, load, percentiles } from './measure.ts';

const ALONE = 500;
const TOGETHER = 4000;
const CALLERS = 32;
const MOST_STATEMENTS = 6;

const model = aModel();

/** What accepting a request costs whose two inputs are stored files: alone, and with many callers of one workspace. */
await onBenchDatabase(async ({ database, pool, newUser, storage }) => {
  const statements = countStatements(pool);
  const clock = systemClock;
  const urls = new StoredUrls('http://store.test');
  const files = new Files(
    new PostgresFileRecords(database),
    new PostgresUploadRecords(database),
    storage(),
    urls,
    clock,
  );
  const unitOfWork = new PostgresUnitOfWork(database);
  const idle = { addBulk: async () => [] };
  const queues = { generations: idle, pictures: idle, housekeeping: idle } as unknown as Queues;
  const outbox = new Outbox(database, unitOfWork, queues, clock, (error) => {
    throw error;
  });
  const generations = new Generations({
    models: new ModelCatalog([model]),
    parameterCheck: new AjvParameterCheck(),
    personaSlots: new PostgresPersonaSlots(database),
    personas: { createDefault: async () => undefined },
    files,
    mayCall: () => true,
    urls,
    store: new PostgresGenerations(database),
    webhooks: { schedule: async () => undefined },
    ledger: new PostgresCreditLedger(database),
    plans: { free: { id: 'free', monthlyCredits: 1_000_000, teams: false } },
    jobs: outbox,
    unitOfWork,
    clock,
  });

  const { userId, workspaceId } = await newUser();
  const { id: personaId } = await new PostgresPersonas(database).add({
    workspaceId,
    createdBy: userId,
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
  const actor: Actor = { userId, workspaceId, role: 'owner', plan: 'free', isTeam: false, tokenId: 1 };
  const request = {
    model: model.id,
    personaId,
    styleTransfer: url,
    image: url,
    extraImages: [],
    maskImage: null,
    controlImage: null,
    webhook: null,
    prompt: 'a fox',
    fields: {},
    dryRun: false,
  };
  const call = () => generations.request(actor, request);

  await call();
  await outbox.close();
  statements.count = 0;
  await call();
  // Without begin and commit.
  const inOneCall = statements.count - 2;
  await outbox.close();
  const alone = await load({ callers: 1, times: ALONE }, call);
  const together = await load({ callers: CALLERS, times: TOGETHER }, call);
  await outbox.close();

  console.log(`${inOneCall} statements and one transaction`);
  console.log(`alone: ${percentiles(alone.latencies)}`);
  const perSecond = `${together.perSecond.toFixed(0)} requests/s`;
  console.log(`${CALLERS} callers of one workspace: ${perSecond}, ${percentiles(together.latencies)}`);
  if (inOneCall > MOST_STATEMENTS) process.exitCode = 1;
});
