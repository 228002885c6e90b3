import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { connectPostgres, PostgresAudit } from '#adapters/postgres';
import { callApi } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { Processes } from '../support/processes.ts';
import { demoToken, signal, startDemo, type DemoService } from '../support/started-service.ts';
import { startFakeComfyUi } from '../support/vendors/comfyui.ts';
import { startFakeFal } from '../support/vendors/fal.ts';
import type { FakeVendor, VendorBehaviour } from '../support/vendors/fake-vendor.ts';
import { startFakeOpenAi } from '../support/vendors/openai.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { Chance } from './rig/chance.ts';

/** `VENDOR_GENERATIONS=2000 VENDOR_KILLS=100 npm run test:faults` is the long run. */
const GENERATIONS = Number(process.env.VENDOR_GENERATIONS ?? 120);
const KILLS = Number(process.env.VENDOR_KILLS ?? 6);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
/** Seconds between two kills. */
const KILL_EVERY = 1.5;
const CALLERS = 8;
const COST = 3;
const TIME_LIMIT = 40;

jest.setTimeout(1_800_000);

/** What vendors do wrong; each accepts a task at most once by it. */
const FAULTS: readonly VendorBehaviour[] = [
  'drops_before',
  'drops_after',
  'hangs',
  'busy',
  'down',
  'rejects',
  'moderates',
  'never_ends',
  'lies',
  'sends_html',
  'loses_output',
  'hangs_output',
];
/** Of ten submissions one meets a fault. */
const FAULT_CHANCE = 0.1;

/** Of the workspace that meets no fault. */
const HEALTHY = 'a healthy picture';
/** Generations at each vendor of the workspace that meets faults, and how often the other one is measured meanwhile. */
const TROUBLED = 20;
const ROUNDS = 4;
/** As many as both workers send to a vendor at a time. OpenAI sends outputs at once; other outputs are fetched. */
const hangingAt = (name: VendorName): readonly VendorBehaviour[] =>
  Array<VendorBehaviour>(8).fill(name === 'openai' ? 'hangs' : 'hangs_output');

/** How a generation may end badly, and nothing else. */
const ENDS = [
  'content_rejected',
  'invalid_input',
  'unusable_output',
  'timed_out',
  'provider_busy',
  'provider_unavailable',
  'provider_outcome_unknown',
];

const WORKFLOW = {
  1: { class_type: 'CLIPTextEncode', inputs: { text: '' } },
  2: { class_type: 'KSampler', inputs: { seed: 0, positive: ['1', 0] } },
  3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'x12' } },
};
const SEED_PARAMETER = { seed: { type: 'integer', minimum: 0, maximum: 2_147_483_647 } };
const TARGETS = {
  replicate: { target: 'black-forest-labs/flux-schnell', mapping: { prompt: '{prompt}', seed: '{seed}' } },
  fal: { target: 'fal-ai/flux/schnell', mapping: { prompt: '{prompt}', seed: '{seed}' } },
  openai: { target: 'gpt-image-2', mapping: { prompt: '{prompt}' }, parameters: {} },
  comfyui: { target: 'workflow.json', mapping: { '1.inputs.text': '{prompt}', '2.inputs.seed': '{seed}' } },
};
type VendorName = keyof typeof TARGETS;
const VENDORS = Object.keys(TARGETS) as VendorName[];

interface Ended {
  readonly id: number;
  readonly model: VendorName;
  readonly prompt: string;
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';
  readonly error: { readonly code: string } | null;
}

let fakes: Record<VendorName, FakeVendor>;
let folder: string;
let demo: DemoService;
let beside: Processes;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-vendors-'));
  const [replicate, fal, openai, comfyui] = await Promise.all([
    startFakeReplicate(),
    startFakeFal(),
    startFakeOpenAi(),
    startFakeComfyUi(),
  ]);
  fakes = { replicate, fal, openai, comfyui };
  const models = VENDORS.map((id) => ({
    id,
    kind: 'image',
    provider: id,
    parameters: SEED_PARAMETER,
    cost: COST,
    time_limit: TIME_LIMIT,
    ...TARGETS[id],
  }));
  await writeFile(join(folder, 'models.json'), JSON.stringify({ models }));
  await writeFile(join(folder, 'workflow.json'), JSON.stringify(WORKFLOW));
  const env = {
    MODELS_FILE: join(folder, 'models.json'),
    REPLICATE_API_TOKEN: 'r8_test',
    REPLICATE_BASE_URL: replicate.url,
    FAL_KEY: 'fal_test',
    FAL_BASE_URL: fal.url,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: openai.url,
    COMFYUI_URL: comfyui.url,
    WORKER_CONCURRENCY: '8',
    WORKSPACE_CONCURRENCY: '12',
    PLANS: '{"free":{"monthly_credits":100000},"enterprise":{"monthly_credits":100000,"teams":true}}',
  };
  demo = await startDemo(env);
  const production = { PATH: process.env.PATH, ...env, NODE_ENV: 'production', LOG_LEVEL: 'fatal' };
  beside = new Processes({ ...production, DATA_DIR: demo.folder, DATABASE_URL: demo.databaseUrl }, 300);
  beside.start('second', 'worker');
}, 180_000);

afterAll(async () => {
  await beside?.stop();
  await demo?.stop();
  await Promise.all(Object.values(fakes ?? {}).map((fake) => fake.close()));
  await rm(folder, { recursive: true, force: true });
});

async function call(path: string, form?: Record<string, string>, token = demo.token) {
  const { status, body } = await callApi(new URL(path, demo.baseUrl), form ? 'POST' : 'GET', { token, form });
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

async function allGenerations(): Promise<Ended[]> {
  const all: Ended[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await call(`/v2/generations?limit=200${cursor && `&cursor=${cursor}`}`);
    all.push(...(page.generations as Ended[]));
    cursor = page.next_cursor as string | null;
  }
  return all;
}

/** How often each prompt was started, as the vendor has counted it. */
function startsAt(fake: FakeVendor): Map<string, number> {
  const starts = new Map<string, number>();
  for (const { fields } of fake.submissions) {
    const prompt = /task \d+ of [a-z]+/.exec(JSON.stringify(fields))![0];
    starts.set(prompt, (starts.get(prompt) ?? 0) + 1);
  }
  return starts;
}

async function generateAll(): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < GENERATIONS) {
      const model = VENDORS[next % VENDORS.length]!;
      await call('/v2/generate', { model, prompt: `task ${next++} of ${model}` });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

/** Either worker: the supervisor waits longer before each start, the second one is back at once. */
async function killWorkers(chance: Chance): Promise<void> {
  for (let kills = 0; kills < KILLS; kills++) {
    await sleep(KILL_EVERY * 1000);
    const supervised = demo.service.find(/apps\/worker\/src\/main\.js/)?.pid;
    const second = beside.pidOf('second');
    const victim = chance.next() < 0.5 ? (supervised ?? second) : second;
    if (victim !== undefined) signal(victim, 'SIGKILL');
  }
}

it('submits and charges every generation once, whatever vendors do and however often workers are killed', async () => {
  const chance = new Chance(SEED);
  for (const name of VENDORS) {
    const faults = chance.fork(name);
    const next = Array.from({ length: 2 * GENERATIONS }, (): VendorBehaviour =>
      faults.next() < FAULT_CHANCE ? faults.pick(FAULTS) : 'works',
    );
    fakes[name].plan(next);
  }
  const since = Date.now();
  await Promise.all([generateAll(), killWorkers(chance)]);
  const isOpen = ({ state }: Ended) => state === 'queued' || state === 'running';
  await eventually(async () => !(await allGenerations()).some(isOpen), { everyMs: 1000 });

  const generations = await allGenerations();
  expect(generations).toHaveLength(GENERATIONS);
  const figures: Record<string, Record<string, number>> = {};
  const wrong: string[] = [];
  for (const name of VENDORS) {
    const starts = startsAt(fakes[name]);
    const counted: Record<string, number> = { posts: fakes[name].posts, started: fakes[name].submissions.length };
    for (const { id, prompt, state, error } of generations.filter(({ model }) => model === name)) {
      const outcome = error?.code ?? state;
      counted[outcome] = (counted[outcome] ?? 0) + 1;
      const started = starts.get(prompt) ?? 0;
      if (started > 1) wrong.push(`${id} (${name}, ${outcome}) was started ${started} times`);
      if (state === 'succeeded' && started !== 1) wrong.push(`${id} (${name}) succeeded and was never started`);
      if (state !== 'succeeded' && !ENDS.includes(outcome)) wrong.push(`${id} (${name}) ended as ${outcome}`);
      // OpenAI can't be asked what it has done, and fal's list shows what it has started, not what it has not.
      const canTell = name !== 'openai' && (name !== 'fal' || started > 0);
      if (outcome === 'provider_outcome_unknown' && canTell) wrong.push(`${id} (${name}) is unknown`);
    }
    figures[name] = counted;
  }
  const seconds = Math.round((Date.now() - since) / 1000);
  process.stdout.write(`SEED=${SEED} ${KILLS} kills, ${seconds} s: ${JSON.stringify(figures)}\n`);
  expect(wrong).toEqual([]);
  const succeeded = generations.filter(({ state }) => state === 'succeeded');
  expect(succeeded.length).toBeGreaterThan(GENERATIONS / 2);
  const { credits } = await call('/v2/credits');
  expect(credits.used).toBe(COST * succeeded.length);

  const { database, close } = await connectPostgres(demo.databaseUrl, { poolSize: 1 });
  try {
    expect(await new PostgresAudit(database).findings()).toEqual([]);
  } finally {
    await close();
  }
});

/** Seconds that one generation of the other workspace takes at each vendor, all at once. */
async function healthySeconds(token: string): Promise<Record<string, number>> {
  const seconds = VENDORS.map(async (model) => {
    const start = Date.now();
    const { generation_id: id } = await call('/v2/generate', { model, prompt: HEALTHY }, token);
    await eventually(
      async () => {
        const { state, error } = await call(`/v2/generations/${id}`, undefined, token);
        expect(error ?? null).toBeNull();
        return state === 'succeeded';
      },
      { everyMs: 200 },
    );
    return [model, (Date.now() - start) / 1000] as const;
  });
  return Object.fromEntries(await Promise.all(seconds));
}

it('delays no other workspace, whatever happens to the generations of one', async () => {
  const token = await demoToken(demo.folder, 'solo');
  const chance = new Chance(SEED).fork('fairness');
  for (const name of VENDORS) {
    fakes[name].spare(HEALTHY);
    fakes[name].plan([]);
  }
  const alone = await healthySeconds(token);
  for (const name of VENDORS) {
    const next = Array.from({ length: 4 * TROUBLED }, () => (chance.next() < 0.5 ? chance.pick(FAULTS) : 'works'));
    fakes[name].plan([...hangingAt(name), ...next]);
  }
  await Promise.all(
    VENDORS.map(async (model) => {
      for (let n = 0; n < TROUBLED; n++) await call('/v2/generate', { model, prompt: `trouble ${n} of ${model}` });
    }),
  );
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(2_000);
    rounds.push(await healthySeconds(token));
  }
  process.stdout.write(`SEED=${SEED} alone ${JSON.stringify(alone)}, beside trouble ${JSON.stringify(rounds)}\n`);
  const late = rounds.flatMap((round) => VENDORS.filter((name) => round[name]! > alone[name]! + 10));
  expect(late).toEqual([]);
});
