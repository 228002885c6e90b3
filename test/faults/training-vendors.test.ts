/** @tier deep, 60 s, about libs/generation libs/adapters/providers */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { DiskObjectStorage } from '#adapters/storage';
import { systemClock } from '#kernel';
import { aPng } from '#testing/sources';
import { eventually } from '../support/eventually.ts';
import { Chance } from './rig/chance.ts';
import { BAD_ENDS, byCallers, FAULTS, VendorRig } from './rig/vendor-rig.ts';

/** `TRAININGS=200 TRAINING_KILLS=40 npm run test:faults` is the long run. */
const TRAININGS = Number(process.env.TRAININGS ?? 60);
const KILLS = Number(process.env.TRAINING_KILLS ?? 6);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const CALLERS = 4;
const COST = 3;
const TIME_LIMIT = 40;
const SIGNING_SECRET = 'the secret of signed URLs in this test';
const FOLDER = join(import.meta.dirname, '../../docs/comfyui');

jest.setTimeout(1_800_000);

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

let rig: VendorRig;
let personaId: number;
beforeAll(async () => {
  const common = { kind: 'style', family: 'test', cost: COST, time_limit: TIME_LIMIT };
  const note = { type: 'string', maxLength: 100 };
  const seed = { type: 'integer', default: 7 };
  const inputs = { pictures: 'required', min_pictures: 3 };
  const models = NAMES.map((id) => {
    const parameters = { note, ...(id === 'comfyui' && { seed }) };
    return { id, ...common, parameters, inputs, ...TRAINERS[id] };
  });
  rig = await VendorRig.open(models, [join(FOLDER, 'train-style.json')], { STORAGE_SIGNING_SECRET: SIGNING_SECRET });
  personaId = await aPersonaWithPictures();
}, 240_000);
afterAll(() => rig?.close());

/** A persona with pictures in the slots 1 to 3; its id. */
async function aPersonaWithPictures(): Promise<number> {
  const { persona } = await rig.call('/v2/personas', { name: 'Trained' });
  const pid = String(persona.id);
  for (const slot of [1, 2, 3]) {
    const { signed_url, final_url } = await rig.call('/v2/upload', { filename: `${slot}.png`, pid });
    const bytes = new Uint8Array(aPng({ width: 64 + slot, height: 48 }));
    expect((await fetch(signed_url as string, { method: 'PUT', body: bytes })).status).toBe(200);
    await rig.call(`/v2/finalize_upload?url=${encodeURIComponent(final_url as string)}`);
    await rig.call(`/v2/personas/${pid}/trains`, { photo: final_url as string, slot: String(slot) });
  }
  await eventually(async () => {
    const { trainings } = await rig.call(`/v2/personas/${pid}/trainings`);
    return (trainings as { state: string }[]).every(({ state }) => state === 'processed');
  });
  return persona.id as number;
}

async function all(): Promise<Trained[]> {
  return rig.sql.query<Trained>(
    `select generation.id, generation.model, generation.parameters ->> 'note' as note, generation.state,
            generation.error_code as error, file.key
     from generations generation
     join styles style on style.id = generation.style_id
     left join files file on file.id = style.file_id
     where generation.kind = 'style' order by generation.id`,
  );
}

function train(index: number): Promise<unknown> {
  const model = NAMES[index % NAMES.length]!;
  return rig.call(`/v2/personas/${personaId}/styles`, { model, note: `training ${index} of ${model}` });
}

/** The first bytes of what a GET of the URL returns; its status if that is another than 200. */
async function got(url: string): Promise<string | number> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.status === 200 ? bytes.toString('latin1', 0, 200) : response.status;
}

it('submits, charges and keeps every training once and privately, whatever vendors do and workers meet', async () => {
  const chance = new Chance(SEED);
  rig.planFaults(chance, 2 * TRAININGS, [...FAULTS, 'sends_too_much']);
  const since = Date.now();
  await Promise.all([byCallers(CALLERS, TRAININGS, train), rig.killWorkers(chance, KILLS)]);
  const isOpen = ({ state }: Trained) => state === 'queued' || state === 'running';
  await eventually(async () => !(await all()).some(isOpen), { everyMs: 1000 });

  const trainings = await all();
  expect(trainings).toHaveLength(TRAININGS);
  const counted = rig.starts(/training \d+ of [a-z]+/);
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
    if (state !== 'succeeded' && !BAD_ENDS.includes(outcome)) wrong.push(`${id} (${model}) ended as ${outcome}`);
    // Recraft gets nothing of ours that its list could show; fal's list shows only what was started.
    const canTell = model !== 'recraft' && (model !== 'fal' || started > 0);
    if (outcome === 'provider_outcome_unknown' && canTell) wrong.push(`${id} (${model}) is unknown`);
  }
  const seconds = Math.round((Date.now() - since) / 1000);
  process.stdout.write(`SEED=${SEED} ${KILLS} kills, ${seconds} s: ${JSON.stringify(figures)}\n`);
  expect(wrong).toEqual([]);
  const succeeded = trainings.filter(({ state }) => state === 'succeeded');
  expect(succeeded.length).toBeGreaterThan(TRAININGS / 2);
  await rig.expectCharged(COST * succeeded.length);

  const disk = new DiskObjectStorage({
    root: join(rig.demo.folder, 'files'),
    publicUrl: rig.demo.baseUrl,
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
  const { files } = await rig.call(`/v2/personas/${personaId}/files`);
  expect(JSON.stringify(files)).not.toMatch(/safetensors|weights|\.json/);
});
