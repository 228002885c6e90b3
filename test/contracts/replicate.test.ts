import { createRemoteProvider } from '#adapters/providers';
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
      provider: ({ key = VENDOR_KEY, callSeconds } = {}) =>
        createRemoteProvider(
          {
            id: 'replicate',
            type: 'replicate',
            baseUrl: vendor.url,
            key,
            maxConcurrent: 2,
            submissionsPerMinute: null,
          },
          { allowedHosts: [], maxOutputBytes: 1_000_000, callSeconds },
        ),
      outputsOf: (submission: FakeSubmission) =>
        vendor.submissions.find(({ id }) => id === submission.id)!.outputs.map(({ bytes }) => bytes),
      signWebhook: (body, at) => vendor.signWebhook(body, at),
    };
  },
);
