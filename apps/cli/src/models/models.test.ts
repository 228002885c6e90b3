import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { FollowedModel, FollowedProvider, Model, ProviderSettings } from '#catalogue';
import { readSettings } from '#config';
import type { ProviderHealth, Trial, TrialCall, TrialOutput } from '#generation';
import { aModel } from '#testing/catalogue';
import { temporaryFolder } from '#testing/sources';
import { runCommand } from '../../../../test/support/command-line.ts';
import { startFakeFal } from '../../../../test/support/vendors/fal.ts';
import { findings } from '../../../wiring/src/doctor/check.ts';
import { readCatalogue } from '../../../wiring/src/catalogue.ts';
import { catalogueChecks, checkModels, fixedCatalogue, lifeChecks } from '../../../wiring/src/doctor/check-models.ts';
import { tryModel, type TrialOptions } from './try-model.ts';

const WELL: ProviderHealth = { isReachable: true, isKeyAccepted: true, hasTarget: null, remedy: null };
const { fileAt } = temporaryFolder();
let folder: string;
let picture: string;
beforeEach(async () => {
  folder = fileAt('.');
  picture = fileAt('fox.png');
  await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).toFile(picture);
});

const settingsOf = (id: string): ProviderSettings => ({
  id,
  type: 'replicate',
  baseUrl: null,
  key: 'k',
  maxConcurrent: 2,
  submissionsPerMinute: null,
});

it('models check checks each provider, the targets of healthy providers, and says what to do', async () => {
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
  expect((await checkModels(fixedCatalogue({ providers, models }), open)).map((row) => Object.values(row))).toEqual([
    ['catalogue', 'well', '3 models, 2 remote providers', null],
    ['provider up', 'well', 'reachable, the key is accepted', null],
    ['model there', 'well', 'reachable, the key is accepted, the target is there', null],
    ['model gone', 'ill', 'does not have the target', 'check the target'],
    ['provider down', 'ill', 'cannot be reached', 'check base_url'],
  ]);
});

it('the doctor finds added entries ill that cannot be used, and says what to do', async () => {
  const settings = readSettings({ DATA_DIR: folder });
  const provider = { added: { id: 'vendor' }, problem: 'SECRET_KEY is not set' } as FollowedProvider;
  const model = {
    added: { id: 'fluw' },
    model: null,
    problems: { provider: ['is not there'] },
  } as unknown as FollowedModel;
  const examined = { entries: readCatalogue(settings), providers: [provider], models: [model], gone: new Map() };
  const [, ...found] = await findings(await catalogueChecks(settings, async () => examined));
  expect(found.map((finding) => Object.values(finding))).toEqual([
    ['provider vendor', 'ill', 'SECRET_KEY is not set', 'open the provider and enter its key again'],
    ['model fluw', 'ill', 'provider is not there', 'it is not offered: change the entry, or delete it'],
  ]);
});

it('the doctor names the models that end, have ended or are gone, and what takes their calls', async () => {
  const now = new Date('2026-10-01T00:00:00Z');
  const at = (day: string) => new Date(`${day}T00:00:00Z`);
  const settings = {
    id: 'openai',
    type: 'openai',
    baseUrl: null,
    key: 'k',
    maxConcurrent: 1,
    submissionsPerMinute: null,
  };
  const models = [
    aModel({ id: 'next', cost: { credits: 7, parameter: null, per: 'output' } }),
    aModel({ id: 'ending', retiresAt: at('2026-11-30'), successor: 'next' }),
    aModel({ id: 'far', retiresAt: at('2026-12-01'), successor: 'next' }),
    aModel({ id: 'lonely', retiresAt: at('2026-10-02') }),
    aModel({ id: 'ended', retiresAt: at('2026-09-30'), successor: 'lost' }),
    aModel({ id: 'replaced', retiresAt: at('2026-09-30'), successor: 'next' }),
    aModel({ id: 'waits', successor: 'later' }),
    aModel({ id: 'gone', successor: 'next' }),
    aModel({ id: 'lost' }),
    aModel({ id: 'announced', provider: 'openai', target: 'gpt-image-1' }),
  ];
  const gone = new Map(['gone', 'lost'].map((id) => [id, at('2026-09-29')]));
  const found = await findings(lifeChecks({ entries: { providers: [settings], models }, gone }, now));
  const takes = 'next takes its calls, at 7 credits';
  const missing = 'its vendor has had no such model since 2026-09-29T00:00:00.000Z';
  expect(found.map(({ check, state, finding }) => [check, state, finding])).toEqual([
    ['end of ending', 'well', `ends at 2026-11-30T00:00:00.000Z; ${takes}`],
    ['end of lonely', 'ill', 'ends at 2026-10-02T00:00:00.000Z; no model takes its calls'],
    ['end of ended', 'ill', 'ends at 2026-09-30T00:00:00.000Z; no model takes its calls'],
    ['end of waits', 'well', 'the successor later cannot take its calls yet'],
    ['end of gone', 'well', `${missing}; ${takes}`],
    ['end of lost', 'ill', `${missing}; no model takes its calls`],
    ['end of announced', 'ill', expect.stringContaining('announced its end for 2026-10-23')],
  ]);
});

it('the doctor examines the catalogue of the file also if the database does not show the added entries', async () => {
  const away = () => Promise.reject(new Error('the database is away'));
  const found = await findings(await catalogueChecks(readSettings({ DATA_DIR: folder }), away));
  expect(found.map(({ check, state, finding }) => [check, state, finding])).toEqual([
    ['models', 'well', expect.stringMatching(/^\d+ models are in the catalogue$/)],
    ['added models', 'ill', 'the database is away'],
  ]);
});

it('the doctor finds a wrong catalogue ill, and each provider that is', async () => {
  const file = join(folder, 'doctor.yaml');
  const found = async (env: Record<string, string>) => {
    const settings = readSettings({ DATA_DIR: folder, ...env });
    return findings(await catalogueChecks(settings, async () => fixedCatalogue(readCatalogue(settings))));
  };
  const states = async (env: Record<string, string>) => (await found(env)).map(({ check, state }) => [check, state]);
  expect(await states({ COMFYUI_URL: 'http://127.0.0.1:1' })).toEqual([
    ['models', 'well'],
    ['provider comfyui', 'ill'],
  ]);
  await writeFile(file, 'models: 7');
  expect(await found({ MODELS_FILE: file })).toMatchObject([
    { check: 'models', state: 'ill', finding: `doctor.yaml: models must be a list (MODELS_FILE is ${file})` },
  ]);
});

describe('models try', () => {
  const started: { readonly id: string; readonly call: TrialCall }[] = [];
  const facts = { id: 3, model: 'painter', modelRevision: null, entry: null, prompt: null, parameters: {} };
  const queued: Trial = { ...facts, requestKey: 'r', credits: 8, createdAt: new Date(0), state: 'queued' };
  const startedAt = new Date(1_000);
  const output = (key: string, contentType: string): TrialOutput => ({
    ...{ key, contentType, bytes: 6, width: 8, height: 8, duration: null, label: null, score: null },
  });
  let states: Trial[];
  const attempt = (options: TrialOptions = {}) =>
    tryModel(
      {
        trials: {
          start: async (id, call) => {
            started.push({ id, call });
            return queued;
          },
          find: async () => states.shift()!,
        },
        storage: { open: async (key) => Readable.from([key]) },
      },
      'painter',
      options,
    );

  it('starts a trial with the pictures, waits for its end, and copies its outputs', async () => {
    const outputs = [output('trials/a', 'image/webp'), output('trials/b', 'image/png')];
    const ended = { startedAt, finishedAt: new Date(4_000), outputs, vendorCost: 0.04 };
    states = [
      { ...queued, state: 'sent', startedAt },
      { ...queued, state: 'succeeded', ...ended },
    ];
    const target = join(folder, 'made');
    const rows = await attempt({
      prompt: 'a fox',
      set: ['count=2'],
      image: picture,
      reference: [picture],
      folder: target,
    });
    const all = { bytes: 6, credits: 8, vendor_cost: 0.04, seconds: 3 };
    expect(rows).toEqual([
      { file: join(target, 'output-1.webp'), content_type: 'image/webp', ...all },
      { file: join(target, 'output-2.png'), content_type: 'image/png', ...all },
    ]);
    expect(await readFile(join(target, 'output-2.png'), 'utf8')).toBe('trials/b');
    const url = `data:image/png;base64,${(await readFile(picture)).toString('base64')}`;
    const inputs = { image: url, references: [url] };
    expect(started).toEqual([
      { id: 'painter', call: { entry: null, prompt: 'a fox', parameters: { count: '2' }, inputs } },
    ]);
  });

  it('says why the trial has failed', async () => {
    const error = { code: 'content_rejected', message: 'it was rejected (moderation: violence)' };
    states = [{ ...queued, state: 'failed', startedAt, finishedAt: startedAt, error }];
    await expect(attempt()).rejects.toThrow('content_rejected: it was rejected (moderation: violence)');
  });

  it.each<[TrialOptions, string]>([
    [{ image: '/nowhere.png' }, '/nowhere.png cannot be read (ENOENT)'],
    [{ image: import.meta.filename }, 'is not a picture'],
    [{ set: ['count'] }, '--set takes name=value'],
  ])('refuses %j, and starts nothing', async (options, message) => {
    started.length = 0;
    await expect(attempt(options)).rejects.toThrow(message);
    expect(started).toEqual([]);
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
    /^models\.yaml: models\[0\] \(painter\): target must be one of local-image, local-video, local-style, local-edit, local-mask\n/,
  );
  expect(complaints).toMatch(
    /\nmodels\.yaml: models\[1\] \(painter\): id is also the id of models\[0\] \(MODELS_FILE is \S+\/models\.yaml\)\n$/,
  );
  expect(code).toBe(1);
});

it('models check speaks to the vendor, and never shows its key', async () => {
  const key = 'fal-secret-1';
  const fal = await startFakeFal({ key });
  const env = { DATA_DIR: folder, MODELS_FILE: join(folder, 'fal.yaml'), FAL_KEY: key, FAL_BASE_URL: fal.url };
  const entry = { id: 'sketch', kind: 'image', provider: 'fal', target: 'fal-ai/flux/dev', cost: 4 };
  await writeFile(env.MODELS_FILE, JSON.stringify({ models: [{ ...entry, mapping: { prompt: '{prompt}' } }] }));

  const well = await runCommand(env, 'models', 'check', '--json');
  expect(well.complaints).toMatch(
    /^without the entries that operators have added: the embedded database is not running/,
  );
  expect(JSON.parse(well.out).map(({ check, state }: Record<string, string>) => [check, state])).toEqual([
    ['catalogue', 'well'],
    ['provider fal', 'well'],
    ['model sketch', 'well'],
  ]);

  const wrong = await runCommand({ ...env, FAL_KEY: 'fal-secret-2' }, 'models', 'check');
  expect(wrong).toMatchObject({ code: 1, out: expect.stringMatching(/provider fal +ill +refuses the key/) });
  await fal.close();
  const down = await runCommand(env, 'models', 'check');
  expect(down).toMatchObject({ code: 1, out: expect.stringMatching(/provider fal +ill +cannot be reached/) });
  for (const { out, complaints } of [well, wrong, down]) expect(out + complaints).not.toContain('fal-secret');
});
