/** @tier test */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RemoteInput, RemoteProvider, RemoteTask, VendorHandle } from '#generation';
import { aModel, aTrainer, modelInputs } from '#testing/catalogue';
import {
  asSubmitted,
  NO_INPUTS,
  remoteProviderContract,
  remoteTrainingContract,
  VENDOR_KEY,
} from '#testing/generation';
import { temporaryFolder } from '../../libs/sources/src/testing/temporary-folder.ts';
import { startFakeFal, UNIT_PRICE, type FakeFal } from '../support/vendors/fal.ts';
import * as client from '../support/vendors/vendor-client.ts';
import { providerAt, signal } from '../support/vendors/vendor-client.ts';

const MODEL = aModel({
  target: 'fal-ai/flux/dev',
  inputs: modelInputs({ references: 'optional', mask: 'optional', control: 'optional' }),
  parameters: { seed: { type: 'integer' } },
  mapping: {
    prompt: '{prompt}',
    seed: '{seed}',
    image_urls: ['{image}', '{style}', '{references}'],
    mask_url: '{mask}',
    'controlnet.image_url': '{control}',
  },
});

const under = client.underTest('fal', startFakeFal);

remoteProviderContract(
  'fal',
  {
    model: MODEL,
    missing: { ...MODEL, target: 'fal-ai/unknown' },
    isSynchronous: false,
    finds: true,
    knowsAbsence: false,
    cancels: true,
    hasModeration: true,
    takesUrls: true,
    // It may have made it.
    fails: { code: 'provider_unavailable', retryable: false },
  },
  under,
);

remoteTrainingContract(
  'fal',
  {
    trainer: aTrainer({
      target: 'fal-ai/flux-lora-fast-training',
      mapping: { images_data_url: '{pictures}', trigger_word: '{trigger}', is_style: true },
      result: { weights: 'diffusers_lora_file.url' },
    }),
    generator: aModel({
      target: 'fal-ai/flux-lora',
      inputs: modelInputs({ styleWeights: 'optional' }),
      mapping: { prompt: '{style_trigger} {prompt}', loras: [{ path: '{style_weights}', scale: 0.9 }] },
    }),
    finds: true,
    knowsAbsence: false,
  },
  under,
);

remoteTrainingContract(
  'Recraft through fal',
  {
    trainer: aTrainer({
      target: 'fal-ai/recraft/v3/create-style',
      mapping: { images_data_url: '{pictures}', base_style: 'any' },
      result: { reference: 'style_id' },
    }),
    generator: aModel({
      target: 'fal-ai/recraft/v3/text-to-image',
      inputs: modelInputs({ styleWeights: 'optional' }),
      mapping: { prompt: '{prompt}', style_id: '{style_weights}' },
    }),
    // Nothing in its fields is ours.
    finds: false,
    knowsAbsence: false,
  },
  under,
);

const folder = temporaryFolder();
let fake: FakeFal;
let fal: RemoteProvider;

beforeEach(async () => {
  fake = await startFakeFal({ key: VENDOR_KEY });
  fal = await providerAt('fal', fake.url);
});
afterEach(() => fake.close());

const task = (overrides: Partial<RemoteTask> = {}) =>
  client.aTask(MODEL, { parameters: { seed: 7 }, folder: folder.fileAt('.'), ...overrides });

async function picture(name: string, bytes: Buffer, url: string | null = null): Promise<RemoteInput> {
  return { file: await folder.save(bytes, name), contentType: 'image/png', url };
}

const submit = (overrides: Partial<RemoteTask> = {}) => client.submit(fal, task(overrides));
const ended = (handle: VendorHandle) => client.ended(fal, handle);

describe('inputs for fal', () => {
  it('are URLs, data URIs when they are small, and uploads when they are large, in their order', async () => {
    const small = await picture('small.png', Buffer.from('small'));
    const large = await picture('large.png', Buffer.alloc(64 * 1024 + 1, 'x'));
    const open = await picture('open.png', Buffer.from('open'), 'https://files.example/open.png');
    await submit({ inputs: { ...NO_INPUTS, image: open, references: [small, large] } });
    const [submission] = fake.submissions;
    const { image_urls: urls } = submission!.fields as { image_urls: string[] };
    expect(urls.slice(0, 2)).toEqual([open.url, `data:image/png;base64,${Buffer.from('small').toString('base64')}`]);
    expect(fake.upload(urls[2]!)).toEqual(Buffer.alloc(64 * 1024 + 1, 'x'));
    expect(fake.posts).toBe(1);
  });
});

it('a result of fal has what fal bills: its units times the price of the endpoint', async () => {
  const handle = await submit();
  const [{ outputs }] = fake.submissions as [FakeFal['submissions'][number]];
  expect(await ended(handle)).toMatchObject({ state: 'ended', cost: outputs.length * UNIT_PRICE });
  const { endpoint: _, ...earlier } = handle;
  expect(await ended(earlier as VendorHandle)).toMatchObject({ state: 'ended', cost: null });
});

describe('a submission to fal whose outcome is unknown', () => {
  let since: Date;
  beforeEach(() => {
    since = new Date();
  });
  const find = async () => fal.find(await asSubmitted(task()), since, signal);

  async function lose(): Promise<void> {
    fake.plan(['drops_after']);
    await expect(submit()).rejects.toMatchObject({ name: 'OutcomeUnknown' });
  }

  it('is found by its seed and its prompt, and continues', async () => {
    await submit({ parameters: { seed: 8 } });
    await submit({ prompt: 'another room' });
    await lose();
    const found = await find();
    const [, , lost] = fake.submissions;
    expect(found).toMatchObject({ handle: { id: lost!.id } });
    await expect(ended((found as { handle: VendorHandle }).handle)).resolves.toMatchObject({ state: 'ended' });
  });

  it('is found on a later page', async () => {
    await lose();
    for (let other = 0; other < 25; other++) await submit({ parameters: { seed: 100 + other } });
    await expect(find()).resolves.toMatchObject({ handle: { id: fake.submissions[0]!.id } });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is not listed, and may be queued', () => submit({ parameters: { seed: 8 } })],
    ['is listed twice', () => submit().then(() => submit())],
  ])('cannot be told when it %s', async (_, prepare) => {
    await prepare();
    await expect(find()).resolves.toBe('unknown');
  });

  it.each([-30, 3_600])('is found, and no older request is, at a clock that is %i s ahead', async (seconds) => {
    await fake.close();
    fake = await startFakeFal({ key: VENDOR_KEY, clockAheadMs: seconds * 1_000 });
    fal = await providerAt('fal', fake.url);
    await lose();
    await expect(find()).resolves.toMatchObject({ handle: { id: fake.submissions[0]!.id } });
    since = new Date(Date.now() + 10_000);
    await expect(find()).resolves.toBe('unknown');
  });
});

describe('a request to fal', () => {
  it.each([
    [600, 600],
    [2.5, 3],
    [1, 2],
  ])('of a model with a time limit of %d s is not started after %i s', async (timeLimitSeconds, startTimeout) => {
    await submit({ model: { ...MODEL, timeLimitSeconds } });
    expect(fake.submissions).toMatchObject([{ startTimeout }]);
  });

  it('that was canceled in the queue has ended as canceled', async () => {
    fake.plan(['never_ends']);
    const queued = await submit();
    await fal.cancel(queued, signal);
    await expect(ended(queued)).resolves.toEqual({ state: 'canceled' });
  });

  it('sends the key to no other host than fal', async () => {
    const other = await startFakeFal({ key: VENDOR_KEY });
    try {
      const handle = await submit();
      const status_url = String(handle['status_url']).replace(fake.url, other.url);
      const open = await providerAt('fal', fake.url, { allowedHosts: [new URL(other.url).host] });
      const checking = open.check({ ...handle, status_url }, signal);
      await expect(checking).rejects.toMatchObject({ code: 'provider_misconfigured' });
    } finally {
      await other.close();
    }
  });
});

it('a style that Recraft no longer has is an invalid input', async () => {
  const model = { ...MODEL, target: 'fal-ai/recraft/v3/text-to-image', mapping: { style_id: '{style_weights}' } };
  const trainedStyle = { trigger: 'x12abcdefgh', weights: { reference: 'gone' } };
  const state = await ended(await submit({ model, trainedStyle }));
  expect(state).toMatchObject({ state: 'failed', failure: { code: 'invalid_input', retryable: false } });
});
