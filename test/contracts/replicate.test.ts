/** @tier test */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { guardProvider, type Circuit } from '#adapters/providers';
import type { RemoteInput, RemoteProvider, RemoteTask } from '#generation';
import { aModel, aTrainer, modelInputs } from '#testing/catalogue';
import { asSubmitted, NO_INPUTS, remoteProviderContract, remoteTrainingContract } from '#testing/generation';
import { temporaryFolder } from '#testing/sources';
import { startFakeReplicate, type FakeReplicate } from '../support/vendors/replicate.ts';
import * as client from '../support/vendors/vendor-client.ts';
import { providerAt, settingsOf, signal, submit } from '../support/vendors/vendor-client.ts';

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

const under = client.underTest('replicate', startFakeReplicate);

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

const aTask = (overrides: Partial<RemoteTask> = {}) =>
  client.aTask(model, { parameters: { seed: Math.floor(Math.random() * 1e9) }, ...overrides });

let vendor: FakeReplicate;
let replicate: RemoteProvider;
async function open(limits: Parameters<typeof startFakeReplicate>[0] = {}): Promise<void> {
  vendor = await startFakeReplicate(limits);
  replicate = await providerAt('replicate', vendor.url);
}
afterEach(() => vendor?.close());
const find = async (task: RemoteTask, since: Date) => replicate.find(await asSubmitted(task), since, signal);

describe('a prediction without a webhook', () => {
  async function openWithoutWebhooks(limits?: Parameters<typeof open>[0]): Promise<void> {
    await open(limits);
    vendor.refuseWebhooks();
    await expect(submit(replicate, aTask())).rejects.toMatchObject({ name: 'NotAccepted' });
  }
  const later = () => new Date(Date.now() + 10_000);

  it.each([-3_600, 0, 3_600])(
    'is found, and may be another when it is older, at a clock %i s ahead',
    async (seconds) => {
      await openWithoutWebhooks({ clockAheadMs: seconds * 1_000 });
      const [task, since] = [aTask(), new Date()];
      const handle = await submit(replicate, task);
      expect(vendor.submissions).toMatchObject([{ webhook: null }]);
      expect(await find(task, since)).toEqual({ handle });
      expect(await find(task, later())).toBe('unknown');
    },
  );

  it('may be another although the list goes on with predictions that are too old', async () => {
    await openWithoutWebhooks();
    await submit(replicate, aTask());
    vendor.submissions[0]!.startedAt -= 120_000;
    const task = aTask();
    await submit(replicate, task);
    expect(await find(task, later())).toBe('unknown');
    expect(await find(aTask(), later())).toBe('absent');
  });

  it('may be in a part of the list that is not read any more', async () => {
    await openWithoutWebhooks({ pageSize: 1 });
    const since = new Date();
    for (let count = 0; count < 20; count++) await submit(replicate, aTask());
    expect(await find(aTask(), since)).toBe('absent');
    await submit(replicate, aTask());
    expect(await find(aTask(), since)).toBe('unknown');
  });
});

it('a prediction that Replicate has canceled at the end of its time has timed out', async () => {
  await open({ workMs: 3_600_000 });
  const handle = await submit(replicate, aTask({ model: { ...model, timeLimitSeconds: 600 } }));
  const stateAfter = (seconds: number) => {
    vendor.submissions[0]!.startedAt = Date.now() - seconds * 1_000;
    return replicate.check(handle, signal);
  };
  expect(await stateAfter(590)).toMatchObject({ state: 'pending' });
  expect(await stateAfter(601)).toMatchObject({ state: 'failed', failure: { code: 'timed_out' } });
});

it('Replicate gets the request key where no webhook can arrive, and none where it refuses such a webhook', async () => {
  await open();
  const submitOne = async (): Promise<string> => {
    const task = aTask();
    await submit(replicate, task);
    return `https://nowhere.invalid/?key=${task.requestKey}`;
  };
  const url = await submitOne();
  expect(vendor.submissions[0]!.webhook).toBe(url);
  vendor.refuseWebhooks();
  await expect(submitOne()).rejects.toMatchObject({ name: 'NotAccepted', retryAfterSeconds: 0 });
  await submitOne();
  expect([vendor.submissions.length, vendor.submissions[1]!.webhook]).toEqual([2, null]);
});

describe('the list of predictions at Replicate', () => {
  const folder = temporaryFolder();
  let circuits: Circuit[];
  let pictures = 0;
  beforeEach(async () => {
    await open();
    circuits = [];
    const options = { countSubmission: async () => 0, onCircuit: (_: string, each: Circuit) => circuits.push(each) };
    replicate = guardProvider(replicate, settingsOf('replicate', vendor.url), options);
  });

  const aPicture = async (bytes: number): Promise<RemoteInput> => {
    return { file: await folder.save(randomBytes(bytes), `${++pictures}`), contentType: 'image/png', url: null };
  };
  const taskOf = async (bytes: number): Promise<RemoteTask> => {
    const [image, ...references] = await Promise.all(Array.from({ length: 7 }, () => aPicture(bytes)));
    return aTask({ inputs: { ...NO_INPUTS, image: image!, references } });
  };
  const listBytes = async () => (await (await fetch(`${vendor.url}/predictions`)).arrayBuffer()).byteLength;
  /** A prediction of another program with the same account. */
  const predict = (input: object) =>
    fetch(`${vendor.url}/models/owner/other/predictions`, { method: 'POST', body: JSON.stringify({ input }) });

  it.each([1_000, 4_096, 4_097, 250 * 1024])('has little of seven pictures of %s bytes each', async (bytes) => {
    await submit(replicate, await taskOf(bytes));
    // A hundred of these are a page. Others with the same account have predictions in it, too.
    expect(await listBytes()).toBeLessThan((4 * 1024 * 1024) / 100);
  });

  it('is read although others have large pictures', async () => {
    const since = new Date();
    const [lost, absent] = [await taskOf(1_000), await taskOf(1_000)];
    const handle = await submit(replicate, lost);
    const picture = `data:image/png;base64,${randomBytes(256 * 1024).toString('base64')}`;
    for (let count = 0; count < 3; count++) await predict({ images: Array.from({ length: 7 }, () => picture) });
    expect(await listBytes()).toBeGreaterThan(7_000_000);
    expect(await find(lost, since)).toEqual({ handle });
    expect(await find(absent, since)).toBe('absent');
  });

  it('is read although a page has many long texts', async () => {
    const [lost, since] = [await taskOf(1_000), new Date()];
    const handle = await submit(replicate, lost);
    for (let count = 0; count < 99; count++)
      await predict({ prompt: 'x'.repeat(60_000), negative: 'y'.repeat(60_000) });
    expect(await listBytes()).toBeGreaterThan(11_000_000);
    expect(await find(lost, since)).toEqual({ handle });
    expect(await find(await taskOf(1_000), since)).toBe('absent');
  });

  it('that cannot be read is asked for again later, and Replicate does not count as down', async () => {
    const [lost, since] = [await taskOf(1_000), new Date()];
    await predict(Object.fromEntries(Array.from({ length: 600 }, (_, name) => [name, 'x'.repeat(60_000)])));
    for (let asked = 0; asked < 6; asked++) {
      await expect(find(lost, since)).rejects.toMatchObject({ code: 'unusable_output', retryable: true });
    }
    expect(circuits).toEqual([]);
    expect(await submit(replicate, lost)).toHaveProperty('id');
  });
});
