/** @tier deep, 110 s, about libs/generation libs/adapters/queue */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { freePort } from '#process';
import { auditFindings } from '../support/audit.ts';
import { callApi } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { databaseUrlOf, demoToken, signal, StartedService } from '../support/started-service.ts';
import { startFakeFal } from '../support/vendors/fal.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { Chance } from './rig/chance.ts';
import { numberOf, say } from './rig/run-rig.ts';
import { byCallers } from './rig/vendor-rig.ts';

/**
 * `OUTPUTS=500 OUTPUT_KILLS=20 STOPS=2 STOP_SECONDS=300 TIME_LIMIT=240 npm test -- test/faults/slow-outputs` is the long
 * run, 40 minutes on 2 cores. A stop is longer than the time limit.
 */
const OUTPUTS = numberOf('OUTPUTS', 24);
const KILLS = numberOf('OUTPUT_KILLS', 2);
const STOPS = numberOf('STOPS', 1);
const TIME_LIMIT = numberOf('TIME_LIMIT', 15);
const STOP_SECONDS = numberOf('STOP_SECONDS', 20);
const DOWNLOAD_SECONDS = numberOf('DOWNLOAD_SECONDS', 6);
const SEED = numberOf('SEED', Date.now() % 1_000_000);
const COST = 3;
const WORKER = /apps\/worker\/src\/main/;

jest.setTimeout((STOPS * STOP_SECONDS + 4 * OUTPUTS + 60 * KILLS + 600) * 1000);

interface Ended {
  readonly id: number;
  readonly prompt: string;
  readonly state: string;
  readonly error: { readonly code: string } | null;
}

const fakes = [
  await startFakeReplicate({ downloadMs: DOWNLOAD_SECONDS * 1000 }),
  await startFakeFal({ downloadMs: DOWNLOAD_SECONDS * 1000 }),
] as const;
let folder: string;
let env: Record<string, string>;
let service: StartedService;
let baseUrl: string;

const start = async (): Promise<void> => {
  service = new StartedService(env);
  baseUrl = await service.ready();
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-slow-outputs-'));
  const common = { kind: 'image', cost: COST, time_limit: TIME_LIMIT, mapping: { prompt: '{prompt}', seed: '{seed}' } };
  const parameters = { seed: { type: 'integer', minimum: 0, maximum: 2_147_483_647 } };
  const models = [
    { id: 'replicate', provider: 'replicate', target: 'black-forest-labs/flux-schnell', parameters, ...common },
    { id: 'fal', provider: 'fal', target: 'fal-ai/flux/schnell', parameters, ...common },
  ];
  await writeFile(join(folder, 'models.json'), JSON.stringify({ models }));
  env = {
    DATA_DIR: join(folder, 'data'),
    PORT: String(await freePort()),
    RATE_LIMIT_PER_MINUTE: '0',
    MODELS_FILE: join(folder, 'models.json'),
    ...{ REPLICATE_API_TOKEN: 'r8_test', REPLICATE_BASE_URL: fakes[0].url },
    ...{ FAL_KEY: 'fal_test', FAL_BASE_URL: fakes[1].url },
    PLANS: '{"free":{"monthly_credits":100000},"enterprise":{"monthly_credits":100000,"teams":true}}',
  };
  await start();
}, 300_000);
afterAll(async () => {
  await service?.stop();
  await Promise.all(fakes.map((fake) => fake.close()));
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}, 60_000);

async function call(token: string, path: string, form?: Record<string, string>) {
  const { status, body } = await callApi(new URL(path, baseUrl), form ? 'POST' : 'GET', { token, form });
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

async function allOf(token: string): Promise<Ended[]> {
  const all: Ended[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await call(token, `/v2/generations?limit=200${cursor && `&cursor=${cursor}`}`);
    all.push(...(page.generations as Ended[]));
    cursor = page.next_cursor as string | null;
  }
  return all;
}

/** Each some seconds after the worker is there: a supervised worker comes back later each time. */
async function killWorkers(chance: Chance, kills: number): Promise<void> {
  for (let killed = 0; killed < kills; killed++) {
    const { pid } = await service.until(() => service.find(WORKER), 120);
    await sleep(3_000 + 9_000 * chance.next());
    signal(pid, 'SIGKILL');
    await service.until(() => service.find(WORKER)?.pid !== pid);
  }
}

it('loses no output that a vendor has made, however slow its download, however often workers are killed or stopped', async () => {
  const since = Date.now();
  const chance = new Chance(SEED);
  const tokens = [await demoToken(env.DATA_DIR!, 'owner'), await demoToken(env.DATA_DIR!, 'solo')] as const;
  await byCallers(4, OUTPUTS, (index) => {
    const model = index % 4 < 2 ? 'replicate' : 'fal';
    return call(tokens[index % 2]!, '/v2/generate', { model, prompt: `output ${index}.` });
  });
  const submissions = () => fakes.flatMap((fake) => fake.submissions.map(({ fields }) => JSON.stringify(fields)));
  for (let part = 0; part <= STOPS; part++) {
    await eventually(() => submissions().length >= 4);
    await killWorkers(
      chance,
      Math.floor(((part + 1) * KILLS) / (STOPS + 1)) - Math.floor((part * KILLS) / (STOPS + 1)),
    );
    if (part === STOPS) continue;
    await service.stop();
    await sleep(STOP_SECONDS * 1000);
    await start();
  }
  const all = async () => (await Promise.all(tokens.map(allOf))).flat();
  const isOpen = ({ state }: Ended) => state === 'queued' || state === 'running';
  await eventually(async () => !(await all()).some(isOpen), { everyMs: 1000 });

  const outcomes: Record<string, number> = {};
  const lost: string[] = [];
  const generations = await all();
  for (const { id, prompt, state, error } of generations) {
    const outcome = error?.code ?? state;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const started = submissions().filter((fields) => fields.includes(prompt)).length;
    // fal does not show what it has never got: such a generation ends without an output, and without a bill.
    if (started !== (state === 'succeeded' ? 1 : 0)) lost.push(`${id}: ${outcome}, started ${started} times`);
  }
  const seconds = Math.round((Date.now() - since) / 1000);
  say(`SEED=${SEED} ${OUTPUTS} outputs, ${KILLS} kills, ${STOPS} stops, ${seconds} s: ${JSON.stringify(outcomes)}`);
  expect([lost, generations.length]).toEqual([[], OUTPUTS]);
  expect(outcomes['timed_out'] ?? 0).toBe(0);
  const used = await Promise.all(
    tokens.map(async (token) => (await call(token, '/v2/credits')).credits.used as number),
  );
  expect(used[0]! + used[1]!).toBe(COST * (outcomes['succeeded'] ?? 0));
  expect(await auditFindings(await databaseUrlOf(env.DATA_DIR!))).toEqual([]);
});
