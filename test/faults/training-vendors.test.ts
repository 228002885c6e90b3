import { setTimeout as sleep } from 'node:timers/promises';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { connectPostgres, PostgresAudit, type Database } from '#adapters/postgres';
import { DiskObjectStorage } from '#adapters/storage';
import { systemClock } from '#kernel';
import { aPng } from '#testing/sources';
import { callApi } from '../support/call-api.ts';
import { sqlOn } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { Processes } from '../support/processes.ts';
import { signal, startDemo, type DemoService } from '../support/started-service.ts';
import { startFakeComfyUi } from '../support/vendors/comfyui.ts';
import { startFakeFal } from '../support/vendors/fal.ts';
import type { FakeVendor, VendorBehaviour } from '../support/vendors/fake-vendor.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { Chance } from './rig/chance.ts';

/** `TRAININGS=200 TRAINING_KILLS=40 npm run test:faults` is the long run. */
const TRAININGS = Number(process.env.TRAININGS ?? 60);
const KILLS = Number(process.env.TRAINING_KILLS ?? 6);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
/** Seconds between two kills. */
const KILL_EVERY = 1.5;
const CALLERS = 4;
const COST = 3;
const TIME_LIMIT = 40;
const SIGNING_SECRET = 'the secret of signed URLs in this test';
const FOLDER = join(import.meta.dirname, '../../docs/comfyui');

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
  'sends_too_much',
  'loses_output',
  'hangs_output',
];
/** Of ten submissions one meets a fault. */
const FAULT_CHANCE = 0.1;

/** How a training may end badly, and nothing else. */
const ENDS = [
  'content_rejected',
  'invalid_input',
  'unusable_output',
  'timed_out',
  'provider_busy',
  'provider_unavailable',
  'provider_outcome_unknown',
];

const TRAINERS = {
  replicate: {
    provider: 'replicate',
    target: `ostris/flux-dev-lora-trainer:${'a'.repeat(64)}`,
    mapping: { destination: 'acme/styles', input_images: '{pictures}', trigger_word: '{trigger}', note: '{note}' },
    result: { weights: 'output.weights' },
  },
  fal: {
    provider: 'fal',
    target: 'fal-ai/flux-lora-fast-training',
    mapping: { images_data_url: '{pictures}', trigger_word: '{trigger}', note: '{note}' },
    result: { weights: 'diffusers_lora_file.url' },
  },
  recraft: {
    provider: 'fal',
    target: 'fal-ai/recraft/v3/create-style',
    mapping: { images_data_url: '{pictures}', note: '{note}' },
    result: { reference: 'style_id' },
  },
  comfyui: {
    provider: 'comfyui',
    target: 'train-style.json',
    mapping: {
      '10.inputs.folder': '{pictures}',
      '12.inputs.text': '{trigger} {note}',
      // The value that the fake refuses is then the caller's; refusing the operator's is `provider_misconfigured`.
      '13.inputs.seed': '{seed}',
      '14.inputs.prefix': 'loras/{trigger}',
      '15.inputs.value': '{trigger}_00001_.safetensors',
    },
    result: { reference: '16.text.0' },
  },
};
type TrainerName = keyof typeof TRAINERS;
const NAMES = Object.keys(TRAINERS) as TrainerName[];

interface Trained {
  readonly id: number;
  readonly model: TrainerName;
  readonly note: string;
  readonly state: string;
  readonly error: string | null;
  readonly key: string | null;
}

let fakes: Record<'replicate' | 'fal' | 'comfyui', FakeVendor>;
let folder: string;
let demo: DemoService;
let beside: Processes;
let database: Database;
let closeDatabase: () => Promise<void>;
let personaId: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-trainings-'));
  const [replicate, fal, comfyui] = await Promise.all([startFakeReplicate(), startFakeFal(), startFakeComfyUi()]);
  fakes = { replicate, fal, comfyui };
  const common = { kind: 'style', family: 'test', cost: COST, time_limit: TIME_LIMIT };
  const note = { type: 'string', maxLength: 100 };
  const seed = { type: 'integer', default: 7 };
  const inputs = { pictures: 'required', min_pictures: 3 };
  const models = NAMES.map((id) => {
    const parameters = { note, ...(id === 'comfyui' && { seed }) };
    return { id, ...common, parameters, inputs, ...TRAINERS[id] };
  });
  await writeFile(join(folder, 'models.json'), JSON.stringify({ models }));
  await cp(join(FOLDER, 'train-style.json'), join(folder, 'train-style.json'));
  const env = {
    MODELS_FILE: join(folder, 'models.json'),
    REPLICATE_API_TOKEN: 'r8_test',
    REPLICATE_BASE_URL: replicate.url,
    FAL_KEY: 'fal_test',
    FAL_BASE_URL: fal.url,
    COMFYUI_URL: comfyui.url,
    STORAGE_SIGNING_SECRET: SIGNING_SECRET,
    WORKER_CONCURRENCY: '8',
    WORKSPACE_CONCURRENCY: '12',
    PLANS: '{"free":{"monthly_credits":100000},"enterprise":{"monthly_credits":100000,"teams":true}}',
  };
  demo = await startDemo(env);
  const production = { PATH: process.env.PATH, ...env, NODE_ENV: 'production', LOG_LEVEL: 'fatal' };
  beside = new Processes({ ...production, DATA_DIR: demo.folder, DATABASE_URL: demo.databaseUrl }, 300);
  beside.start('second', 'worker');
  ({ database, close: closeDatabase } = await connectPostgres(demo.databaseUrl, { poolSize: 2 }));
  personaId = await aPersonaWithPictures();
}, 240_000);

afterAll(async () => {
  await closeDatabase?.();
  await beside?.stop();
  await demo?.stop();
  await Promise.all(Object.values(fakes ?? {}).map((fake) => fake.close()));
  await rm(folder, { recursive: true, force: true });
});

async function call(path: string, form?: Record<string, string>) {
  const { status, body } = await callApi(new URL(path, demo.baseUrl), form ? 'POST' : 'GET', {
    token: demo.token,
    form,
  });
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** A persona with pictures in the slots 1 to 3; its id. */
async function aPersonaWithPictures(): Promise<number> {
  const { persona } = await call('/v2/personas', { name: 'Trained' });
  const pid = String(persona.id);
  for (const slot of [1, 2, 3]) {
    const { signed_url, final_url } = await call('/v2/upload', { filename: `${slot}.png`, pid });
    const bytes = new Uint8Array(aPng({ width: 64 + slot, height: 48 }));
    expect((await fetch(signed_url as string, { method: 'PUT', body: bytes })).status).toBe(200);
    await call(`/v2/finalize_upload?url=${encodeURIComponent(final_url as string)}`);
    await call(`/v2/personas/${pid}/trains`, { photo: final_url as string, slot: String(slot) });
  }
  await eventually(async () => {
    const { trainings } = await call(`/v2/personas/${pid}/trainings`);
    return (trainings as { state: string }[]).every(({ state }) => state === 'processed');
  });
  return persona.id as number;
}

async function all(): Promise<Trained[]> {
  return sqlOn(database).query<Trained>(
    `select generation.id, generation.model, generation.parameters ->> 'note' as note, generation.state,
            generation.error_code as error, file.key
     from generations generation
     join styles style on style.id = generation.style_id
     left join files file on file.id = style.file_id
     where generation.kind = 'style' order by generation.id`,
  );
}

/** How often each training was started, as the vendor has counted it. */
function starts(): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { fields } of Object.values(fakes).flatMap((fake) => fake.submissions)) {
    const note = /training \d+ of [a-z]+/.exec(JSON.stringify(fields))![0];
    counted.set(note, (counted.get(note) ?? 0) + 1);
  }
  return counted;
}

async function trainAll(): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < TRAININGS) {
      const model = NAMES[next % NAMES.length]!;
      await call(`/v2/personas/${personaId}/styles`, { model, note: `training ${next++} of ${model}` });
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

/** The first bytes of what a GET of the URL returns; its status if that is another than 200. */
async function got(url: string): Promise<string | number> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.status === 200 ? bytes.toString('latin1', 0, 200) : response.status;
}

it('submits, charges and keeps every training once and privately, whatever vendors do and workers meet', async () => {
  const chance = new Chance(SEED);
  for (const [name, fake] of Object.entries(fakes)) {
    const faults = chance.fork(name);
    fake.plan(
      Array.from({ length: 2 * TRAININGS }, (): VendorBehaviour =>
        faults.next() < FAULT_CHANCE ? faults.pick(FAULTS) : 'works',
      ),
    );
  }
  const since = Date.now();
  await Promise.all([trainAll(), killWorkers(chance)]);
  const isOpen = ({ state }: Trained) => state === 'queued' || state === 'running';
  await eventually(async () => !(await all()).some(isOpen), { everyMs: 1000 });

  const trainings = await all();
  expect(trainings).toHaveLength(TRAININGS);
  const counted = starts();
  const figures: Record<string, number> = {};
  const wrong: string[] = [];
  for (const { id, model, note, state, error, key } of trainings) {
    const outcome = error ?? state;
    figures[`${model} ${outcome}`] = (figures[`${model} ${outcome}`] ?? 0) + 1;
    const started = counted.get(note) ?? 0;
    if (started > 1) wrong.push(`${id} (${model}, ${outcome}) was started ${started} times`);
    if (state === 'succeeded' && started !== 1) wrong.push(`${id} (${model}) succeeded and was never started`);
    if (state === 'succeeded' && key === null) wrong.push(`${id} (${model}) succeeded without a file`);
    if (state !== 'succeeded' && key !== null) wrong.push(`${id} (${model}, ${outcome}) has a file`);
    if (state !== 'succeeded' && !ENDS.includes(outcome)) wrong.push(`${id} (${model}) ended as ${outcome}`);
    // Recraft gets nothing of ours that its list could show; fal's list shows only what was started.
    const canTell = model !== 'recraft' && (model !== 'fal' || started > 0);
    if (outcome === 'provider_outcome_unknown' && canTell) wrong.push(`${id} (${model}) is unknown`);
  }
  const seconds = Math.round((Date.now() - since) / 1000);
  process.stdout.write(`SEED=${SEED} ${KILLS} kills, ${seconds} s: ${JSON.stringify(figures)}\n`);
  expect(wrong).toEqual([]);
  const succeeded = trainings.filter(({ state }) => state === 'succeeded');
  expect(succeeded.length).toBeGreaterThan(TRAININGS / 2);
  const { credits } = await call('/v2/credits');
  expect(credits.used).toBe(COST * succeeded.length);
  expect(await new PostgresAudit(database).findings()).toEqual([]);

  const disk = new DiskObjectStorage({
    root: join(demo.folder, 'files'),
    publicUrl: demo.baseUrl,
    secret: SIGNING_SECRET,
    clock: systemClock,
  });
  for (const { model, key } of succeeded) {
    const url = await disk.signGet(key!, new Date(Date.now() + 60_000));
    const content = await got(url);
    expect(content).toMatch('reference' in TRAINERS[model].result ? /^\{"reference":/ : /lora/);
    const open = [url.split('?')[0]!, url.replace('/storage/weights/', '/files/'), url.replace('/storage/', '/')];
    for (const each of open) expect([403, 404]).toContain(await got(each));
    const expired = await disk.signGet(key!, new Date(Date.now() - 1));
    expect(await got(expired)).toBe(403);
  }
  const { files } = await call(`/v2/personas/${personaId}/files`);
  expect(JSON.stringify(files)).not.toMatch(/safetensors|weights|\.json/);
});
