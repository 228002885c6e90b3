/** @tier deep, 90 s, about libs/generation libs/adapters/providers */
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { demoToken } from '../support/started-service.ts';
import type { VendorBehaviour } from '../support/vendors/fake-vendor.ts';
import { Chance } from './rig/chance.ts';
import { BAD_ENDS, byCallers, FAULTS, VendorRig } from './rig/vendor-rig.ts';

/** `VENDOR_GENERATIONS=2000 VENDOR_KILLS=100 npm run test:faults` is the long run. */
const GENERATIONS = Number(process.env.VENDOR_GENERATIONS ?? 120);
const KILLS = Number(process.env.VENDOR_KILLS ?? 6);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const CALLERS = 8;
const COST = 3;
const TIME_LIMIT = 40;

jest.setTimeout(1_800_000);

/** Prompt of the workspace that meets no fault. */
const HEALTHY = 'a healthy picture';
/** Generations at each vendor of the workspace that meets faults, and how often the other one is measured meanwhile. */
const TROUBLED = 20;
const ROUNDS = 4;
/** As many as both workers send to a vendor at a time. OpenAI sends outputs at once; other outputs are fetched. */
const hangingAt = (name: VendorName): readonly VendorBehaviour[] =>
  Array<VendorBehaviour>(8).fill(name === 'openai' ? 'hangs' : 'hangs_output');

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

let rig: VendorRig;
beforeAll(async () => {
  const common = { kind: 'image', parameters: SEED_PARAMETER, cost: COST, time_limit: TIME_LIMIT };
  const models = VENDORS.map((id) => ({ id, provider: id, ...common, ...TARGETS[id] }));
  const folder = await mkdtemp(join(tmpdir(), 'x12-workflow-'));
  await writeFile(join(folder, 'workflow.json'), JSON.stringify(WORKFLOW));
  rig = await VendorRig.open(models, [join(folder, 'workflow.json')]);
  await rm(folder, { recursive: true });
}, 180_000);
afterAll(() => rig?.close());

async function allGenerations(): Promise<Ended[]> {
  const all: Ended[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await rig.call(`/v2/generations?limit=200${cursor && `&cursor=${cursor}`}`);
    all.push(...(page.generations as Ended[]));
    cursor = page.next_cursor as string | null;
  }
  return all;
}

function generate(index: number): Promise<unknown> {
  const model = VENDORS[index % VENDORS.length]!;
  return rig.call('/v2/generate', { model, prompt: `task ${index} of ${model}` });
}

it('submits and charges every generation once, whatever vendors do and however often workers are killed', async () => {
  const chance = new Chance(SEED);
  rig.planFaults(chance, 2 * GENERATIONS);
  const since = Date.now();
  await Promise.all([byCallers(CALLERS, GENERATIONS, generate), rig.killWorkers(chance, KILLS)]);
  const isOpen = ({ state }: Ended) => state === 'queued' || state === 'running';
  await eventually(async () => !(await allGenerations()).some(isOpen), { everyMs: 1000 });

  const generations = await allGenerations();
  expect(generations).toHaveLength(GENERATIONS);
  const starts = rig.starts(/task \d+ of [a-z]+/);
  const figures: Record<string, Record<string, number>> = {};
  const wrong: string[] = [];
  for (const name of VENDORS) {
    const { posts, submissions } = rig.fakes[name];
    const counted: Record<string, number> = { posts, started: submissions.length };
    for (const { id, prompt, state, error } of generations.filter(({ model }) => model === name)) {
      const outcome = error?.code ?? state;
      counted[outcome] = (counted[outcome] ?? 0) + 1;
      const started = starts.get(prompt) ?? 0;
      if (started > 1) wrong.push(`${id} (${name}, ${outcome}) was started ${started} times`);
      if (state === 'succeeded' && started !== 1) wrong.push(`${id} (${name}) succeeded and was never started`);
      if (state !== 'succeeded' && !BAD_ENDS.includes(outcome)) wrong.push(`${id} (${name}) ended as ${outcome}`);
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
  await rig.expectCharged(COST * succeeded.length);
});

/** Seconds that one generation of the other workspace takes at each vendor, all at once. */
async function healthySeconds(token: string): Promise<Record<string, number>> {
  const seconds = VENDORS.map(async (model) => {
    const start = Date.now();
    const { generation_id: id } = await rig.call('/v2/generate', { model, prompt: HEALTHY }, token);
    await eventually(
      async () => {
        const { state, error } = await rig.call(`/v2/generations/${id}`, undefined, token);
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
  const token = await demoToken(rig.demo.folder, 'solo');
  const chance = new Chance(SEED).fork('fairness');
  for (const name of VENDORS) {
    rig.fakes[name].spare(HEALTHY);
    rig.fakes[name].plan([]);
  }
  const alone = await healthySeconds(token);
  for (const name of VENDORS) {
    const next = Array.from({ length: 4 * TROUBLED }, () => (chance.next() < 0.5 ? chance.pick(FAULTS) : 'works'));
    rig.fakes[name].plan([...hangingAt(name), ...next]);
  }
  await Promise.all(
    VENDORS.map(async (model) => {
      for (let n = 0; n < TROUBLED; n++) await rig.call('/v2/generate', { model, prompt: `trouble ${n} of ${model}` });
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
