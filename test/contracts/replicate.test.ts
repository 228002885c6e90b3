import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createRemoteProvider } from '#adapters/providers';
import type { RemoteProvider, RemoteTask } from '#generation';
import {
  aModel,
  asSubmitted,
  aTrainer,
  modelInputs,
  remoteProviderContract,
  remoteTrainingContract,
  VENDOR_KEY,
} from '#testing/generation';
import type { FakeSubmission } from '../support/vendors/fake-vendor.ts';
import { startFakeReplicate, type FakeReplicate } from '../support/vendors/replicate.ts';

const model = aModel({
  provider: 'replicate',
  target: 'black-forest-labs/flux-kontext-pro',
  inputs: modelInputs({ references: 'optional', mask: 'optional', control: 'optional' }),
  parameters: { seed: { type: 'integer' } },
  mapping: {
    prompt: '{prompt}',
    seed: '{seed}',
    input_image: '{image}',
    style_image: '{style}',
    'images.references': ['{references}'],
    mask: '{mask}',
    control: '{control}',
  },
});

const under = async () => {
  const vendor = await startFakeReplicate({ key: VENDOR_KEY });
  return {
    vendor,
    provider: ({ key = VENDOR_KEY, callSeconds }: { key?: string; callSeconds?: number } = {}) =>
      providerAt(vendor.url, key, callSeconds),
    outputsOf: (submission: FakeSubmission) =>
      vendor.submissions.find(({ id }) => id === submission.id)!.outputs.map(({ bytes }) => bytes),
    signWebhook: (body: object, at?: Date) => vendor.signWebhook(body, at),
  };
};

remoteProviderContract(
  'replicate',
  {
    model,
    missing: { ...model, target: 'nobody/nothing' },
    isSynchronous: false,
    finds: true,
    cancels: true,
    hasModeration: true,
    takesUrls: true,
    fails: { code: 'provider_unavailable', retryable: true },
  },
  under,
);

const trainer = aTrainer({
  target: `ostris/flux-dev-lora-trainer:${'a'.repeat(64)}`,
  mapping: { destination: 'acme/styles', input_images: '{pictures}', trigger_word: '{trigger}' },
});
const styled = modelInputs({ styleWeights: 'optional' });

remoteTrainingContract(
  'Replicate, which returns weights',
  {
    trainer: { ...trainer, result: { weights: 'output.weights' } },
    generator: aModel({
      target: 'black-forest-labs/flux-dev-lora',
      inputs: styled,
      mapping: { prompt: '{style_trigger} {prompt}', lora_weights: '{style_weights}' },
    }),
    finds: true,
    knowsAbsence: true,
  },
  under,
);

remoteTrainingContract(
  'Replicate, which returns a version',
  {
    trainer: { ...trainer, result: { reference: 'output.version' } },
    generator: aModel({
      target: '{style_weights}',
      inputs: modelInputs({ styleWeights: 'required' }),
      mapping: { prompt: '{style_trigger} {prompt}' },
    }),
    finds: true,
    knowsAbsence: true,
  },
  under,
);

function providerAt(baseUrl: string, key: string, callSeconds?: number): Promise<RemoteProvider> {
  const settings = { id: 'replicate', type: 'replicate', baseUrl, key, maxConcurrent: 2, submissionsPerMinute: null };
  return createRemoteProvider(settings, { allowedHosts: [], maxOutputBytes: 1_000_000, callSeconds });
}

const NO_INPUTS = { image: null, style: null, references: [], mask: null, control: null, pictures: [] };
const { signal } = new AbortController();
const options = { webhookUrl: null, signal };

function aTask(overrides: Partial<RemoteTask> = {}): RemoteTask {
  const parameters = { seed: Math.floor(Math.random() * 1e9) };
  return {
    requestKey: randomUUID(),
    model,
    prompt: 'a room',
    parameters,
    inputs: NO_INPUTS,
    trainedStyle: null,
    folder: '/',
    ...overrides,
  };
}

describe('a prediction without a webhook', () => {
  let vendor: FakeReplicate;
  let replicate: RemoteProvider;
  afterEach(() => vendor.close());

  async function open(limits: Parameters<typeof startFakeReplicate>[0] = {}): Promise<void> {
    vendor = await startFakeReplicate(limits);
    replicate = await providerAt(vendor.url, VENDOR_KEY);
    vendor.refuseWebhooks();
    await expect(replicate.submit(aTask(), options)).rejects.toMatchObject({ name: 'NotAccepted' });
  }
  const find = async (task: RemoteTask, since: Date) => replicate.find(await asSubmitted(task), since, signal);
  const later = () => new Date(Date.now() + 10_000);

  it.each([-3_600, 0, 3_600])(
    'is found, and may be another when it is older, at a clock %i s ahead',
    async (seconds) => {
      await open({ clockAheadMs: seconds * 1_000 });
      const [task, since] = [aTask(), new Date()];
      const submitted = await replicate.submit(task, options);
      expect(vendor.submissions).toMatchObject([{ webhook: null }]);
      expect(await find(task, since)).toEqual(submitted);
      expect(await find(task, later())).toBe('unknown');
    },
  );

  it('may be another although the list goes on with predictions that are too old', async () => {
    await open();
    await replicate.submit(aTask(), options);
    vendor.submissions[0]!.startedAt -= 120_000;
    const task = aTask();
    await replicate.submit(task, options);
    expect(await find(task, later())).toBe('unknown');
    expect(await find(aTask(), later())).toBe('absent');
  });

  it('may be in a part of the list that is not read any more', async () => {
    await open({ pageSize: 1 });
    const since = new Date();
    for (let count = 0; count < 20; count++) await replicate.submit(aTask(), options);
    expect(await find(aTask(), since)).toBe('absent');
    await replicate.submit(aTask(), options);
    expect(await find(aTask(), since)).toBe('unknown');
  });
});

it('a prediction that Replicate has canceled at the end of its time has timed out', async () => {
  const vendor = await startFakeReplicate({ workMs: 3_600_000 });
  try {
    const replicate = await providerAt(vendor.url, VENDOR_KEY);
    const submitted = await replicate.submit(aTask({ model: { ...model, timeLimitSeconds: 600 } }), options);
    if ('outputs' in submitted) throw new Error('Replicate responds with a handle');
    const stateAfter = (seconds: number) => {
      vendor.submissions[0]!.startedAt = Date.now() - seconds * 1_000;
      return replicate.check(submitted.handle, signal);
    };
    expect(await stateAfter(590)).toMatchObject({ state: 'pending' });
    expect(await stateAfter(601)).toMatchObject({ state: 'failed', failure: { code: 'timed_out' } });
  } finally {
    await vendor.close();
  }
});

it('Replicate gets the request key where no webhook can arrive, and none where it refuses such a webhook', async () => {
  const vendor = await startFakeReplicate();
  try {
    const replicate = await providerAt(vendor.url, VENDOR_KEY);
    const submit = async (): Promise<string> => {
      const task = aTask();
      await replicate.submit(task, options);
      return `https://nowhere.invalid/?key=${task.requestKey}`;
    };
    const url = await submit();
    expect(vendor.submissions[0]!.webhook).toBe(url);
    vendor.refuseWebhooks();
    await expect(submit()).rejects.toMatchObject({ name: 'NotAccepted', retryAfterSeconds: 0 });
    await submit();
    expect([vendor.submissions.length, vendor.submissions[1]!.webhook]).toEqual([2, null]);
  } finally {
    await vendor.close();
  }
});
