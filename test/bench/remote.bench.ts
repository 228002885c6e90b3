import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import sharp from 'sharp';
import { PostgresFileRecords, PostgresStorageSpace, PostgresUploadRecords } from '#adapters/postgres';
import { Files, StoredUrls } from '#files';
import { systemClock } from '#kernel';
import { freePort } from '#process';
import { databaseUrlOf, demoToken, StartedService } from '../support/started-service.ts';
import { startAllVendors } from '../support/vendors/all-vendors.ts';
import { onBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { load, median } from './measure.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const GENERATIONS = Number(process.env.GENERATIONS ?? 30);
const WARM_UP = 30;
const IDLE_MS = 5000;
/** Maximum time of `npm start`, which builds the service when its files have changed. */
const START_SECONDS = 300;
/** How long the service may be busy with what has ended. */
const REST_MS = 1500;
/** Maximum processor time of API and worker for a generation, beside storing its files, in ms. */
const MOST_CPU_MS = 30;
/** About as large as those of `aPicture`. */
const THUMBNAIL_BYTES = [6_000, 60_000];

/** How the only statements of this bench begin. */
const COUNT = 'select count(*)::integer as bench';

const PROGRAMS = {
  worker: /apps\/worker\/src\/main/,
  api: /apps\/api\/src\/main/,
  pictures: /picture-main/,
  postgres: /^postgres:|bin\/postgres /,
};
type Program = keyof typeof PROGRAMS;
const NAMES = Object.keys(PROGRAMS) as Program[];

/** Processor time of each program and of this process in ms, and statements. */
type Costs = Readonly<Record<Program | 'bench' | 'statements', number>>;

/** Costs of a phase, and its length. */
interface Spent {
  readonly ms: number;
  readonly costs: Costs;
}

/**
 * Costs of a picture of 1 MB from a remote provider, from the request to the end of the generation, less the
 * costs of an idle service. The vendor is a fake in this process, and nobody asks the API how far it is.
 * In the same rounds this process stores the files of as many generations, after as many to warm up: what that costs is
 * taken off. With STATEMENTS=1 it prints what was sent to the database.
 */
const picture = await aPicture();
const folder = await mkdtemp(join(tmpdir(), 'x12-bench-remote-'));
const vendors = await startAllVendors(join(folder, 'vendors'), { workMs: 200, picture });
try {
  const { service, baseUrl } = await startService();
  process.once('SIGINT', () => service.interrupt());
  const database = new pg.Pool({ connectionString: await databaseUrlOf(folder), max: 1 });
  try {
    await onBenchDatabase(async (bench) => measure(service, baseUrl, database, await storingOn(bench)));
  } finally {
    await database.end();
    await service.stop();
  }
} finally {
  await vendors.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/** @param store stores the files of one generation */
async function measure(
  service: StartedService,
  baseUrl: string,
  database: pg.Pool,
  store: () => Promise<void>,
): Promise<void> {
  const post = await asOwner(baseUrl);
  const { persona } = await post('/v2/personas', { name: 'Ada' });
  const request = async (number: number): Promise<void> => {
    await post('/v2/generate', { model: 'fake-replicate', pid: String(persona!.id), prompt: `fox ${number}` });
  };
  const count = async (condition: string): Promise<number> =>
    (await database.query(`${COUNT} from generations where ${condition}`)).rows[0].bench;
  const end = async (): Promise<void> => {
    while ((await count('finished_at is null')) > 0) await sleep(100);
  };
  /** Since the last call, with the time that has passed. */
  let before = { at: performance.now(), costs: await costsOf(service, database) };
  const costs = async (): Promise<Spent> => {
    const now = { at: performance.now(), costs: await costsOf(service, database) };
    const since = { ms: now.at - before.at, costs: combined(now.costs, before.costs, (a, b) => a - b) };
    before = now;
    return since;
  };

  console.log(`PNG of ${(picture.length / 1e6).toFixed(2)} MB; medians of ${ROUNDS} rounds of ${GENERATIONS}`);
  const generate = (callers: number, times: number) => load({ callers, times }, request).then(end);
  await generate(8, WARM_UP);
  await load({ callers: 1, times: WARM_UP }, store);
  await database.query('select pg_stat_statements_reset()');
  const measured = async (work: () => Promise<unknown>): Promise<Spent> => {
    await sleep(REST_MS);
    await costs();
    await work();
    await sleep(REST_MS);
    return costs();
  };
  const rounds: Record<'idle' | 'alone' | 'together' | 'storing', Spent>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      idle: await measured(() => sleep(IDLE_MS)),
      alone: await measured(() => load({ callers: 1, times: GENERATIONS }, (number) => request(number).then(end))),
      together: await measured(() => generate(8, GENERATIONS)),
      storing: await measured(() => load({ callers: 1, times: GENERATIONS }, store)),
    });
  }
  if ((await count(`state <> 'succeeded'`)) > 0) throw new Error('a generation has failed');
  // The least of the rounds: what is more belongs to the generations before.
  const idle = rounds
    .map((round) => perSecond(round.idle))
    .reduce((a, b) => combined(a, b, (one, other) => Math.min(one, other)));
  const of = (phase: keyof (typeof rounds)[number]) => rounds.map((round) => each(round[phase], idle));
  const [alone, together, storing] = [of('alone'), of('together'), of('storing').map(({ bench }) => bench)];
  report('idle, each second', [idle]);
  report('one after another, each', alone);
  report(`${GENERATIONS} at once, each`, together);
  console.log(`storing the three files of one: ${median(storing).toFixed(1)} ms`);
  const beside = (costs: readonly Costs[]) =>
    median(costs.map(({ worker, api }, round) => worker + api - storing[round]!));
  const overhead = beside(together);
  console.log(`worker and API beside storing: ${beside(alone).toFixed(1)} ms one after another`);
  console.log(`at once: ${overhead.toFixed(1)} ms (at most ${MOST_CPU_MS})`);
  if (overhead > MOST_CPU_MS) process.exitCode = 1;
  if (process.env.STATEMENTS) await printStatements(database, ROUNDS * GENERATIONS * 2);
}

function perSecond({ ms, costs }: Spent): Costs {
  return combined(costs, costs, (cost) => (cost / ms) * 1000);
}

/** Costs of one generation, less the costs of an idle service in the time. */
function each({ ms, costs }: Spent, idle: Costs): Costs {
  return combined(costs, idle, (cost, rest) => (cost - (rest * ms) / 1000) / GENERATIONS);
}

function report(name: string, rounds: readonly Costs[]): void {
  const costs = combined(rounds[0]!, rounds[0]!, (_, __, of) => median(rounds.map((round) => round[of])));
  const times = NAMES.map((program) => `${program} ${costs[program].toFixed(1)}`).join(', ');
  console.log(`${name}: ${times} ms; ${costs.statements.toFixed(1)} statements`);
}

function combined(a: Costs, b: Costs, one: (a: number, b: number, of: keyof Costs) => number): Costs {
  const keys = [...NAMES, 'bench', 'statements'] as const;
  return Object.fromEntries(keys.map((of) => [of, one(a[of], b[of], of)])) as unknown as Costs;
}

async function costsOf(service: StartedService, database: pg.Pool): Promise<Costs> {
  const { rows } = await database.query(
    `select sum(calls)::float8 as calls from pg_stat_statements where not starts_with(query, '${COUNT}')`,
  );
  const { user, system } = process.cpuUsage();
  const bench = (user + system) / 1000;
  const costs = { worker: 0, api: 0, pictures: 0, postgres: 0, bench, statements: rows[0].calls ?? 0 };
  for (const { pid, command } of service.processes()) {
    const name = NAMES.find((program) => PROGRAMS[program].test(command));
    if (!name) continue;
    const { own, ofChildren } = await processorTime(pid);
    costs[name] += own;
    // Child processes that have ended count, too.
    costs[name === 'worker' || name === 'api' ? 'pictures' : name] += ofChildren;
  }
  return costs;
}

async function processorTime(pid: number): Promise<{ readonly own: number; readonly ofChildren: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') ');
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map((ticks) => Number(ticks) * 10);
  return { own: utime + stime, ofChildren: cutime + cstime };
}

async function asOwner(baseUrl: string) {
  const headers = { authorization: `Bearer ${await demoToken(folder, 'owner')}` };
  return async (path: string, fields: Readonly<Record<string, string>>) => {
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { readonly persona?: { readonly id: number } };
  };
}

/** Starts it twice, as the database counts statements only when it was started so. */
async function startService(): Promise<{ readonly service: StartedService; readonly baseUrl: string }> {
  const plan = { monthly_credits: 1_000_000, teams: true };
  const env = {
    DATA_DIR: folder,
    PORT: String(await freePort()),
    RATE_LIMIT_PER_MINUTE: '0',
    PLANS: JSON.stringify({ free: plan, team: plan }),
    // The default of the service; tests have less.
    LOG_LEVEL: 'info',
    ...vendors.env,
  };
  const first = new StartedService(env);
  await first.ready(START_SECONDS);
  const database = new pg.Client(await databaseUrlOf(folder));
  await database.connect();
  await database.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await database.query('create extension pg_stat_statements');
  await database.end();
  await first.stop();
  const service = new StartedService(env);
  return { service, baseUrl: await service.ready(START_SECONDS) };
}

async function printStatements(database: pg.Pool, generations: number): Promise<void> {
  const { rows } = await database.query(
    `select calls, total_exec_time / calls as ms, regexp_replace(query, '\\s+', ' ', 'g') as query
     from pg_stat_statements order by calls desc limit 80`,
  );
  for (const { calls, ms, query } of rows) {
    console.log(`${(calls / generations).toFixed(2)}  ${ms.toFixed(2)} ms  ${query.slice(0, 150)}`);
  }
}

/** Noise, which can't be compressed. */
function aPicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width: 640, height: 560, channels: 3, background: '#777', noise } })
    .png()
    .toBuffer();
}

/** Stores the files of one generation, as the worker does. */
async function storingOn({ database, folder: target, newUser, storage }: BenchDatabase): Promise<() => Promise<void>> {
  const { workspaceId } = await newUser();
  const urls = new StoredUrls('http://store.test');
  const [records, uploads] = [new PostgresFileRecords(database), new PostgresUploadRecords(database)];
  const files = new Files(records, uploads, storage(), urls, systemClock, new PostgresStorageSpace(database, {}));
  const all = [picture, ...THUMBNAIL_BYTES.map((bytes) => picture.subarray(0, bytes))];
  const paths = all.map((_, index) => join(target, String(index)));
  await Promise.all(all.map((bytes, index) => writeFile(paths[index]!, bytes)));
  const stored = { workspaceId, personaId: null, origin: 'output', contentType: 'image/png' } as const;
  return async () => {
    for (const file of paths) await files.store({ ...stored, filename: 'picture.png', file });
  };
}
