import { AjvParameterCheck } from '#adapters/catalog';
import {
  PostgresEvents,
  PostgresCreditLedger,
  PostgresFileRecords,
  PostgresGenerations,
  PostgresPersonas,
  PostgresPersonaSlots,
  PostgresPresets,
  PostgresStorageSpace,
  PostgresStyles,
  PostgresTeams,
  PostgresTokens,
  PostgresUnitOfWork,
  PostgresUploadRecords,
} from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { Outbox, type Queues } from '#adapters/queue';
import { ModelCatalog } from '#catalogue';
import { Generations } from '#generation';
import { Gate } from '#identity';
import { NO_CUSTOM_DATA, systemClock } from '#kernel';
import { Files, StoredUrls } from '#files';
import { aModel } from '#testing/catalogue';
import { aToken } from '../../libs/identity/src/testing/doubles.ts';
import { CheckedUnitOfWork, runningRequest } from '../../apps/wiring/src/checked-unit-of-work.ts';
import { onBenchDatabase } from './bench-database.ts';
import { compete, postgresTime, report } from './contest.ts';
import { GENERATE } from './limits.ts';
import { countStatements, load, percentiles } from './measure.ts';

const ALONE = 500;
/** The look-up of the token is not among them: it takes a shared connection. */
const MOST_STATEMENTS = 7;
const MONTHLY_CREDITS = 1_000_000_000;
const LEAST_RATIO = 0.35;

const model = aModel();

/**
 * Costs of accepting a request whose two inputs are stored files, without HTTP: alone, and with many callers of one
 * workspace, beside one statement written by hand.
 */
await onBenchDatabase(async (bench) => {
  const { database, pool, newUser, storage } = bench;
  const statements = countStatements(pool);
  const clock = systemClock;
  const urls = new StoredUrls('http://store.test');
  const space = new PostgresStorageSpace(database, {});
  const files = new Files(
    new PostgresFileRecords(database),
    new PostgresUploadRecords(database),
    storage(),
    urls,
    clock,
    space,
  );
  const tokens = new PostgresTokens(database);
  const transactions = new PostgresUnitOfWork(database);
  const unitOfWork = new CheckedUnitOfWork(
    transactions,
    new Gate(tokens, new PostgresTeams(database), { plans: {}, requiresVerifiedEmail: false }, clock),
    10,
  );
  const idle = { addBulk: async () => [] };
  const queues = { generations: idle, pictures: idle, housekeeping: idle } as unknown as Queues;
  const outbox = new Outbox(database, transactions, queues, clock, (error) => {
    throw error;
  });
  const generations = new Generations({
    models: new ModelCatalog([model]),
    goneModels: { refused: async () => undefined, succeeded: async () => undefined },
    presets: new PostgresPresets(database),
    parameterCheck: new AjvParameterCheck(),
    personaSlots: new PostgresPersonaSlots(database),
    personas: { createDefault: async () => undefined },
    files,
    mayCall: () => true,
    urls,
    store: new PostgresGenerations(database),
    styles: new PostgresStyles(database),
    stylePreviews: null,
    batches: { cellEnded: async () => undefined },
    events: new PostgresEvents(database),
    ledger: new PostgresCreditLedger(database),
    tokens: new PostgresTokens(database),
    plans: { free: { id: 'free', monthlyCredits: MONTHLY_CREDITS, teams: false } },
    space,
    jobs: outbox,
    unitOfWork,
    clock,
  });

  const { userId, workspaceId } = await newUser();
  const { id: personaId } = await new PostgresPersonas(database).add({
    ...NO_CUSTOM_DATA,
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
  const url = urls.plainUrlOf(stored.key);
  const secrets = new RandomTokenSecrets();
  const hash = secrets.hash(secrets.create());
  await tokens.add(aToken({ userId, hash }));
  const request = {
    model: model.id,
    personaId,
    styleTransfer: url,
    styleId: null,
    image: url,
    extraImages: [],
    maskImage: null,
    controlImage: null,
    presetId: null,
    variables: null,
    parent: null,
    webhook: null,
    ...NO_CUSTOM_DATA,
    prompt: 'a fox',
    fields: {},
    dryRun: false,
  };
  const call = async () => {
    const actor = (await tokens.authenticate(hash, clock.now()))!;
    return runningRequest.run({ caller: { actor, requirements: { scopes: [] } } }, () =>
      generations.request(actor, request),
    );
  };

  const { cost } = await call();
  await outbox.close();
  statements.count = 0;
  await call();
  // Without begin and commit.
  const inOneCall = statements.count - 2;
  await outbox.close();
  console.log(`${inOneCall} statements and one transaction, after the look-up of the token`);
  const alone = await load({ callers: 1, times: ALONE }, call);
  console.log(`alone: ${percentiles(alone.latencies)}`);
  if (inOneCall > MOST_STATEMENTS) process.exitCode = 1;

  const bytes = Buffer.from(hash, 'hex');
  const values = [bytes, personaId, stored.key, cost, MONTHLY_CREDITS, model.id, 'a fox', '{}'];
  const byHand = async () => {
    const { rowCount } = await pool.query({ name: 'generate', text: GENERATE, values });
    if (rowCount !== 1) throw new Error('nothing was accepted');
  };
  const contenders = [
    { name: 'service', pid: process.pid, work: call },
    { name: 'limit', pid: process.pid, work: byHand },
  ];
  report('accept a generation, one workspace', LEAST_RATIO, await compete(contenders, await postgresTime(bench)));
  await outbox.close();
});
