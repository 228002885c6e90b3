import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createRemoteProvider } from '#adapters/providers';
import type { RemoteProvider, RemoteTask } from '#generation';
import { aModel, modelInputs, remoteProviderContract, VENDOR_KEY } from '#testing/generation';
import type { FakeSubmission } from '../support/vendors/fake-vendor.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';

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
  async () => {
    const vendor = await startFakeReplicate({ key: VENDOR_KEY });
    return {
      vendor,
      provider: ({ key = VENDOR_KEY, callSeconds } = {}) => providerAt(vendor.url, key, callSeconds),
      outputsOf: (submission: FakeSubmission) =>
        vendor.submissions.find(({ id }) => id === submission.id)!.outputs.map(({ bytes }) => bytes),
      signWebhook: (body, at) => vendor.signWebhook(body, at),
    };
  },
);

function providerAt(baseUrl: string, key: string, callSeconds?: number): Promise<RemoteProvider> {
  const settings = { id: 'replicate', type: 'replicate', baseUrl, key, maxConcurrent: 2, submissionsPerMinute: null };
  return createRemoteProvider(settings, { allowedHosts: [], maxOutputBytes: 1_000_000, callSeconds });
}

it('Replicate gets the request key where no webhook can arrive, and none where it refuses such a webhook', async () => {
  const vendor = await startFakeReplicate();
  try {
    const replicate = await providerAt(vendor.url, VENDOR_KEY);
    const inputs = { image: null, style: null, references: [], mask: null, control: null };
    const submit = (): Promise<unknown> => {
      const task: RemoteTask = {
        requestKey: randomUUID(),
        model,
        prompt: 'a room',
        parameters: {},
        inputs,
        folder: '/',
      };
      const { signal } = new AbortController();
      return replicate
        .submit(task, { webhookUrl: null, signal })
        .then(() => `https://nowhere.invalid/?key=${task.requestKey}`);
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
