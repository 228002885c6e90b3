import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { readSettings } from '#config';
import {
  NotAccepted,
  OutcomeUnknown,
  ProviderFailure,
  type Model,
  type ProviderHealth,
  type ProviderSettings,
  type RemoteProvider,
  type RemoteTask,
  type VendorState,
} from '#generation';
import { aModel, modelInputs } from '#testing/generation';
import { runCommand } from '../../../../test/support/command-line.ts';
import { startFakeFal } from '../../../../test/support/vendors/fal.ts';
import { findings } from '../../../wiring/src/doctor/check.ts';
import { catalogueChecks, checkModels } from '../../../wiring/src/doctor/check-models.ts';
import { runRemotely, tryModel, type Trial } from './try-model.ts';

const WELL: ProviderHealth = { isReachable: true, isKeyAccepted: true, hasTarget: null, remedy: null };
const inputs = modelInputs({ image: 'required', style: 'none', references: 'optional', maxReferences: 1 });
const model = aModel({
  inputs,
  parameters: { seed: { type: 'integer', minimum: 0 }, count: { type: 'integer', maximum: 4, default: 1 } },
});

let folder: string;
let picture: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-models-'));
  picture = join(folder, 'fox.png');
  await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).toFile(picture);
});
afterAll(() => rm(folder, { recursive: true }));

const settingsOf = (id: string): ProviderSettings => ({
  id,
  type: 'replicate',
  baseUrl: null,
  key: 'k',
  maxConcurrent: 2,
  submissionsPerMinute: null,
});

describe('models check', () => {
  it('asks each provider, and for the targets of those that are well, and says what to do', async () => {
    const providers = ['up', 'down'].map(settingsOf);
    const models = [
      aModel({ id: 'there', provider: 'up' }),
      aModel({ id: 'gone', provider: 'up' }),
      aModel({ id: 'unknown', provider: 'down' }),
    ];
    const health: Record<string, ProviderHealth> = {
      up: WELL,
      there: { ...WELL, hasTarget: true },
      gone: { ...WELL, hasTarget: false, remedy: 'check the target' },
      down: { isReachable: false, isKeyAccepted: null, hasTarget: null, remedy: 'check base_url' },
    };
    const open = async ({ id }: ProviderSettings) => ({
      health: async (asked: Model | null) => health[asked?.id ?? id]!,
    });
    expect((await checkModels({ providers, models }, open)).map((row) => Object.values(row))).toEqual([
      ['catalogue', 'well', '3 models, 2 remote providers', null],
      ['provider up', 'well', 'reachable, the key is accepted', null],
      ['model there', 'well', 'reachable, the key is accepted, the target is there', null],
      ['model gone', 'ill', 'does not have the target', 'check the target'],
      ['provider down', 'ill', 'can not be reached', 'check base_url'],
    ]);
  });
});

it('the doctor finds a wrong catalogue ill, and each provider that is', async () => {
  const file = join(folder, 'doctor.yaml');
  const found = (env: Record<string, string>) => findings(catalogueChecks(readSettings({ DATA_DIR: folder, ...env })));
  const states = async (env: Record<string, string>) => (await found(env)).map(({ check, state }) => [check, state]);
  expect(await states({ COMFYUI_URL: 'http://127.0.0.1:1' })).toEqual([
    ['models', 'well'],
    ['provider comfyui', 'ill'],
  ]);
  await writeFile(file, 'models: 7');
  expect(await found({ MODELS_FILE: file })).toMatchObject([
    { check: 'models', state: 'ill', finding: 'doctor.yaml: models must be a list' },
  ]);
});

describe('models try', () => {
  const states: VendorState[] = [];
  const seen: RemoteTask[] = [];
  let submit: RemoteProvider['submit'];
  const provider: Parameters<typeof runRemotely>[0] = {
    submit: (task, options) => submit(task, options),
    check: async () => states.shift()!,
    async fetchOutput({ url }, target) {
      const type = url.endsWith('.webp') ? 'webp' : 'png';
      await sharp(picture).toFormat(type).toFile(target);
    },
    cancel: async () => 'canceled',
  };
  const attempt = (trial: Trial = {}, tried = model) =>
    tryModel(tried, { image: picture, ...trial }, (task) => {
      seen.push(task);
      return runRemotely(provider, task);
    });
  const accepts = async () => ({ handle: { id: 'v1' } });
  const pending = { state: 'pending', progress: null, checkAfterSeconds: 0.01 } as const;
  const output = (url: string) => ({ url, label: null, score: null });

  it('submits once, waits for the end, keeps the outputs, and says what they cost', async () => {
    submit = accepts;
    states.push(pending, { state: 'ended', outputs: [output('a.webp'), output('b.png')], cost: 0.04 });
    const target = join(folder, 'made');
    const rows = await attempt({ prompt: 'a fox', set: ['count=2'], reference: [picture], folder: target });
    const all = { bytes: expect.any(Number), credits: 8, vendor_cost: 0.04, seconds: expect.any(Number) };
    expect(rows).toEqual([
      { file: join(target, 'output-1.webp'), content_type: 'image/webp', ...all },
      { file: join(target, 'output-2.png'), content_type: 'image/png', ...all },
    ]);
    expect(await readdir(target)).toEqual(['output-1.webp', 'output-2.png']);
    const [task] = seen;
    expect(task).toMatchObject({ prompt: 'a fox', parameters: { count: 2, seed: expect.any(Number) } });
    const given = { file: picture, contentType: 'image/png', url: null };
    expect(task!.inputs).toEqual({ image: given, style: null, references: [given], mask: null, control: null });
  });

  it.each<[what: string, behaviour: () => never, line: RegExp]>([
    [
      'refuses',
      () => {
        throw new ProviderFailure('content_rejected', 'it was rejected', { cause: new Error('moderation: violence') });
      },
      /^content_rejected: it was rejected \(moderation: violence\)$/,
    ],
    [
      'is busy',
      () => {
        throw new NotAccepted('provider_busy', 5);
      },
      /^provider_busy: nothing was started/,
    ],
    [
      'does not answer',
      () => {
        throw new OutcomeUnknown();
      },
      /^provider_outcome_unknown: the vendor may have made and billed it$/,
    ],
  ])('says what happened when the vendor %s', async (_what, behaviour, line) => {
    submit = async () => behaviour();
    await expect(attempt()).rejects.toThrow(line);
  });

  it('cancels what does not end within the time limit', async () => {
    submit = accepts;
    states.push(...Array.from({ length: 200 }, () => pending));
    const hasty = { ...model, timeLimitSeconds: 0.1 };
    await expect(attempt({}, hasty)).rejects.toThrow('not ended within 0.1 s; asked to cancel it: canceled');
  });

  it.each<[Trial, string]>([
    [{ image: undefined }, 'needs --image <file>'],
    [{ style: 'a.png' }, 'does not take --style'],
    [{ reference: ['a.png', 'b.png'] }, 'takes 1 references'],
    [{ image: '/nowhere.png' }, '/nowhere.png can not be read (ENOENT)'],
    [{ image: import.meta.filename }, 'is not a picture'],
    [{ set: ['colour=red'] }, 'has no parameter colour; it has seed, count'],
    [{ set: ['count'] }, '--set takes name=value'],
    [{ set: ['count=9'] }, 'count must be an integer of at most 4'],
  ])('refuses %j, and submits nothing', async (trial, message) => {
    submit = () => Promise.reject(new Error('was submitted'));
    await expect(attempt(trial)).rejects.toThrow(message);
  });
});

it('models list shows the catalogue, or what is wrong with it', async () => {
  const file = join(folder, 'models.yaml');
  const env = { DATA_DIR: folder, MODELS_FILE: file };
  const entry = { id: 'painter', provider: 'local', target: 'local-image', cost: { credits: 2.5 } };
  await writeFile(file, JSON.stringify({ models: [entry] }));
  const { out } = await runCommand(env, 'models', 'list', '--json');
  expect(JSON.parse(out)).toContainEqual(
    expect.objectContaining({ id: 'painter', provider: 'local', cost: '2.5', inputs: 'image? style?' }),
  );
  await writeFile(file, JSON.stringify({ models: [{ ...entry, target: 'nothing' }, entry] }));
  const { code, complaints } = await runCommand(env, 'models', 'list');
  expect(complaints).toMatch(
    /^models\.yaml: models\[0\] \(painter\): target must be one of local-image, local-video\n/,
  );
  expect(complaints).toMatch(/\nmodels\.yaml: models\[1\] \(painter\): id is also the id of models\[0\]\n$/);
  expect(code).toBe(1);
});

it('models check and try speak to the vendor, and never show its key', async () => {
  const key = 'fal-secret-1';
  const fal = await startFakeFal({ key });
  const env = { DATA_DIR: folder, MODELS_FILE: join(folder, 'fal.yaml'), FAL_KEY: key, FAL_BASE_URL: fal.url };
  const entry = { id: 'sketch', kind: 'image', provider: 'fal', target: 'fal-ai/flux/dev', cost: 4 };
  await writeFile(env.MODELS_FILE, JSON.stringify({ models: [{ ...entry, mapping: { prompt: '{prompt}' } }] }));

  const well = await runCommand(env, 'models', 'check', '--json');
  expect(well.complaints).toBe('');
  expect(JSON.parse(well.out).map(({ check, state }: Record<string, string>) => [check, state])).toEqual([
    ['catalogue', 'well'],
    ['provider fal', 'well'],
    ['model sketch', 'well'],
  ]);

  const made = await runCommand(env, 'models', 'try', 'sketch', '--prompt', 'a fox', '--folder', folder, '--json');
  expect(made.complaints).toBe('');
  expect(JSON.parse(made.out)).toEqual([expect.objectContaining({ content_type: 'image/png', credits: 4 })]);
  expect(fal.submissions).toMatchObject([{ fields: { prompt: 'a fox' } }]);

  const wrong = await runCommand({ ...env, FAL_KEY: 'fal-secret-2' }, 'models', 'check');
  expect(wrong).toMatchObject({ code: 1, out: expect.stringMatching(/provider fal +ill +refuses the key/) });
  await fal.close();
  const down = await runCommand(env, 'models', 'check');
  expect(down).toMatchObject({ code: 1, out: expect.stringMatching(/provider fal +ill +can not be reached/) });
  for (const { out, complaints } of [well, made, wrong, down]) expect(out + complaints).not.toContain('fal-secret');
});
