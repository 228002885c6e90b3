/** @tier test */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { JsonObject, Model } from '#catalogue';
import type { RemoteInput, RemoteProvider, RemoteTask, VendorHandle } from '#generation';
import { aModel, aTrainer, modelInputs } from '#testing/catalogue';
import { asSubmitted, NO_INPUTS, remoteProviderContract, remoteTrainingContract } from '#testing/generation';
import { temporaryFolder } from '#testing/sources';
import { eventually } from '../support/eventually.ts';
import { startFakeComfyUi, type FakeComfyUi, type FakeComfyUiOptions } from '../support/vendors/comfyui.ts';
import type { FakeVendor } from '../support/vendors/fake-vendor.ts';
import { sampleOutput } from '../support/vendors/sample-outputs.ts';
import * as client from '../support/vendors/vendor-client.ts';
import { ended, providerAt, signal } from '../support/vendors/vendor-client.ts';

const workflow = async (name: string): Promise<JsonObject> =>
  JSON.parse(await readFile(join(import.meta.dirname, '../../docs/comfyui', name), 'utf8')) as JsonObject;
const WORKFLOW = await workflow('image-to-image.json');

/** Takes every picture, as further inputs of one node. */
const aComfyModel = (workflow: JsonObject = WORKFLOW): Model =>
  aModel({
    provider: 'comfyui',
    workflow,
    inputs: modelInputs({ references: 'optional', mask: 'optional', control: 'optional' }),
    parameters: { seed: { type: 'integer' } },
    mapping: {
      '6.inputs.text': '{prompt}',
      '10.inputs.image': '{image}',
      '10.inputs.more': ['{style}', '{references}', '{mask}', '{control}'],
      '3.inputs.seed': '{seed}',
    },
  });

const withNode = (id: string, classType: string, inputs: JsonObject = {}): JsonObject => ({
  ...WORKFLOW,
  [id]: { class_type: classType, inputs },
});

const folder = temporaryFolder();
const fakes: FakeComfyUi[] = [];
afterEach(() => Promise.all(fakes.splice(0).map((fake) => fake.close())));

async function start(options: FakeComfyUiOptions = {}): Promise<{ fake: FakeComfyUi; provider: RemoteProvider }> {
  const fake = await startFakeComfyUi(options);
  fakes.push(fake);
  return { fake, provider: await providerAt('comfyui', fake.url, { key: null }) };
}

async function aPicture(name: string, seed: number): Promise<RemoteInput> {
  const { bytes } = await sampleOutput('image', seed);
  return { file: await folder.save(bytes, name), contentType: 'image/png', url: null };
}

const aTask = (overrides: Partial<RemoteTask> = {}) =>
  client.aTask(aComfyModel(), { parameters: { seed: 7 }, folder: folder.fileAt('.'), ...overrides });
const submit = (provider: RemoteProvider, task = aTask()) => client.submit(provider, task);

const under = client.underTest('comfyui', (options) => startFakeComfyUi({ ...options, version: 'newest' }));

/** The pictures in the folder of inputs that the workflow names, in the order of their names. */
async function picturesInFolder(fields: unknown, vendor: FakeVendor): Promise<readonly Buffer[]> {
  const { folder } = (fields as Record<string, { inputs: { folder: string } }>)['10']!.inputs;
  const names = Array.from({ length: 100 }, (_, index) => `${folder}/${String(index + 1).padStart(3, '0')}.png`);
  return names.flatMap((name) => vendor.upload(name) ?? []);
}

/** A job that runs until it is canceled. */
async function aRunningJob({ fake, provider }: { fake: FakeComfyUi; provider: RemoteProvider }): Promise<VendorHandle> {
  fake.plan(['never_ends']);
  const handle = await submit(provider);
  await eventually(() => fake.isRunning(handle.id), { everyMs: 5 });
  return handle;
}

remoteProviderContract(
  'comfyui',
  {
    model: aComfyModel(),
    missing: aComfyModel(withNode('20', 'UnknownNode')),
    isSynchronous: false,
    finds: true,
    cancels: true,
    hasModeration: true,
    takesUrls: false,
    fails: { code: 'provider_unavailable', retryable: false },
  },
  under,
);

const trainer = aTrainer({
  workflow: await workflow('train-style.json'),
  mapping: {
    '10.inputs.folder': '{pictures}',
    '12.inputs.text': '{trigger}',
    '14.inputs.prefix': 'loras/{trigger}',
    '15.inputs.value': '{trigger}_00001_.safetensors',
  },
  result: { reference: '16.text.0' },
});
const styled = aModel({
  workflow: await workflow('styled-text-to-image.json'),
  inputs: modelInputs({ styleWeights: 'required' }),
  mapping: { '6.inputs.text': '{style_trigger}, {prompt}', '10.inputs.lora_name': '{style_weights}' },
});

remoteTrainingContract(
  'ComfyUI',
  { trainer, generator: styled, finds: true, knowsAbsence: true, picturesIn: picturesInFolder },
  under,
);

it('a LoRA that ComfyUI no longer has is an invalid input', async () => {
  const { provider } = await start();
  const trainedStyle = { trigger: 'x12abcdefgh', weights: { reference: 'gone.safetensors' } };
  const submitting = submit(provider, aTask({ model: styled, trainedStyle }));
  await expect(submitting).rejects.toMatchObject({ code: 'invalid_input', retryable: false });
});

describe.each(['older', 'recent', 'newest'] as const)('ComfyUI, a version that is %s', (version) => {
  it('gets the workflow with prompt, seed and uploaded pictures, under the request key', async () => {
    const { fake, provider } = await start({ version });
    const [image, ...references] = await Promise.all([1, 2, 3].map((seed) => aPicture(`${seed}.png`, seed)));
    const task = aTask({ inputs: { ...NO_INPUTS, image: image!, references } });
    expect(await submit(provider, task)).toEqual({ id: task.requestKey });

    const { fields } = fake.submissions[0]!;
    expect(fields['6']!.inputs['text']).toBe('a room');
    expect(fields['3']!.inputs).toMatchObject({ seed: 7, steps: 25, model: ['4', 0] });
    const { image: name, more } = fields['10']!.inputs as { image: string; more: string[] };
    const uploads = [name, ...more].map((each) => fake.upload(each));
    expect(uploads).toEqual(await Promise.all([image!, ...references].map(({ file }) => readFile(file))));
    expect([name, ...more].every((each) => each.startsWith(task.requestKey))).toBe(true);
  });

  it('replaces the uploads of an earlier attempt', async () => {
    const { fake, provider } = await start({ version });
    fake.plan(['busy']);
    const task = aTask({ inputs: { ...NO_INPUTS, image: await aPicture('again.png', 4) } });
    await expect(submit(provider, task)).rejects.toThrow();
    await submit(provider, task);
    expect(fake.submissions[0]!.fields['10']!.inputs['image']).toBe(`${task.requestKey}-1.png`);
  });

  it('is found by the request key while a job waits, runs and after it ended', async () => {
    const waiting = await start({ version, workMs: 60_000 });
    const running = await start({ version });
    const task = aTask();
    await submit(waiting.provider, task);
    expect(await waiting.provider.find(await asSubmitted(task), new Date(), signal)).toEqual({
      handle: { id: task.requestKey },
    });

    const handle = await submit(running.provider, task);
    await ended(running.provider, handle);
    expect(await running.provider.find(await asSubmitted(task), new Date(), signal)).toEqual({ handle });
  });

  it('cancels a waiting job without a trace', async () => {
    const { fake, provider } = await start({ version, workMs: 60_000 });
    const handle = await submit(provider);
    expect(await provider.cancel(handle, signal)).toBe('canceled');
    expect(fake.submissions).toMatchObject([{ isCanceled: true }]);
    expect(fake.interrupts).toEqual([]);
    expect(await provider.cancel(handle, signal)).toBe('too_late');
  });

  it('cancels the running job and no other', async () => {
    const stage = await start({ version });
    const other = await aRunningJob(stage);
    const handle = await aRunningJob(stage);
    expect(await stage.provider.cancel(handle, signal)).toBe('canceled');
    expect(stage.fake.submissions.map(({ isCanceled }) => isCanceled)).toEqual([false, true]);
    expect(await stage.provider.check(handle, signal)).toEqual({ state: 'canceled' });
    expect(await stage.provider.check(other, signal)).toMatchObject({ state: 'pending' });
  });

  it('is too late to cancel once the job has ended', async () => {
    const { fake, provider } = await start({ version });
    const handle = await submit(provider);
    await ended(provider, handle);
    expect(await provider.cancel(handle, signal)).toBe('too_late');
    expect(fake.interrupts).toEqual([]);
  });

  it('has lost its jobs after a restart: they may run again', async () => {
    const { fake, provider } = await start({ version, workMs: 60_000 });
    const [task, handle] = [aTask(), await submit(provider)];
    fake.restart();
    const failure = { code: 'provider_unavailable', retryable: true };
    expect(await provider.check(handle, signal)).toMatchObject({ state: 'inconclusive', failure });
    const found = await provider.find(await asSubmitted(task), new Date(), signal);
    expect(found).toBe(version === 'older' ? 'unknown' : 'absent');
  });
});

describe('ComfyUI', () => {
  it.each([60_000, 0])(
    'that gives ids of its own is found by what comes with the job (work: %i ms)',
    async (workMs) => {
      const { fake, provider } = await start({ version: 'oldest', workMs });
      const task = aTask();
      await submit(provider);
      const handle = await submit(provider, task);
      expect(handle.id).not.toBe(task.requestKey);
      const find = async () => provider.find(await asSubmitted(task), new Date(), signal);
      await eventually(async () => workMs > 0 || (await provider.check(handle, signal)).state === 'ended');
      expect(await find()).toEqual({ handle });
      fake.restart();
      expect(await find()).toBe('unknown');
    },
  );

  it('that refuses a known id has the job, which is not started again', async () => {
    const { fake, provider } = await start({ version: 'newest' });
    const task = aTask();
    expect(await submit(provider, task)).toEqual(await submit(provider, task));
    expect(fake.submissions).toHaveLength(1);
  });

  it.each([
    ['a node that it does not have', withNode('20', 'UnknownNode'), 'provider_misconfigured'],
    [
      'a file that it does not have',
      withNode('4', 'CheckpointLoaderSimple', { ckpt_name: 'no.safetensors' }),
      'provider_misconfigured',
    ],
  ])('that refuses a workflow with %s is misconfigured', async (_, workflow, code) => {
    for (const version of ['older', 'recent'] as const) {
      const { fake, provider } = await start({ version });
      const refused = submit(provider, aTask({ model: aComfyModel(workflow) }));
      await expect(refused).rejects.toMatchObject({ name: 'ProviderFailure', code, retryable: false });
      await expect(refused).rejects.not.toThrow(/safetensors|UnknownNode|http/);
      expect(fake.submissions).toEqual([]);
    }
  });

  it.each([
    ['torch.OutOfMemoryError', 'Allocation on device', 'provider_unavailable', true],
    ['RuntimeError', 'CUDA error: out of memory', 'provider_unavailable', true],
    ['RuntimeError', 'shapes cannot be multiplied', 'provider_unavailable', false],
    ['Exception', 'Request was rejected by the moderation system', 'content_rejected', false],
    ['Exception', 'Unauthorized: Please login first to use this node.', 'provider_misconfigured', false],
  ])('that fails with %s: %s', async (type, message, code, retryable) => {
    const { fake, provider } = await start();
    fake.plan(['fails']);
    fake.failWith(type, message);
    const state = await ended(provider, await submit(provider));
    expect(state).toMatchObject({ state: 'failed', failure: { code, retryable } });
  });

  it.each([
    ['the pictures of all nodes that save', withNode('20', 'SaveImage'), ['_9_.png', '_20_.png']],
    ['no preview beside them', withNode('20', 'PreviewImage'), ['_9_.png']],
    ['previews when there is nothing else', withNode('9', 'PreviewImage'), ['_9_.png']],
    ['videos', withNode('9', 'SaveVideo'), ['_9_.mp4']],
    ['videos under gifs', withNode('9', 'VHS_VideoCombine'), ['_9_.mp4']],
    ['3D files', withNode('9', 'SaveGLB'), ['_9_.glb']],
    ['SVGs', withNode('9', 'SaveSVG'), ['_9_.svg']],
  ])('ends with %s', async (_, workflow, names) => {
    const { provider } = await start();
    const state = await ended(provider, await submit(provider, aTask({ model: aComfyModel(workflow) })));
    const files = state.state === 'ended' ? state.outputs.map(({ url }) => new URL(url).searchParams) : [];
    expect(files.map((file) => file.get('filename')!.slice(36))).toEqual(names);
  });

  it('that ends without a file has made nothing usable', async () => {
    const { provider } = await start();
    const { '9': _saved, ...workflow } = WORKFLOW;
    const state = await ended(provider, await submit(provider, aTask({ model: aComfyModel(workflow) })));
    expect(state).toMatchObject({ state: 'failed', failure: { code: 'unusable_output' } });
  });

  it.each([
    ['a node', withNode('20', 'UnknownNode'), /install the node UnknownNode/],
    ['a file', withNode('4', 'CheckpointLoaderSimple', { ckpt_name: 'mine.safetensors' }), /mine\.safetensors/],
    [
      'a sampler',
      withNode('3', 'KSampler', { sampler_name: 'best' }),
      /add best .* node 3 does not offer it for sampler_name/,
    ],
  ])('names %s that a workflow needs and that is missing', async (_, workflow, remedy) => {
    const { provider } = await start();
    expect(await provider.health(aComfyModel(), signal)).toEqual({ ...HEALTHY, hasTarget: true });
    const health = await provider.health(aComfyModel(workflow), signal);
    expect(health).toEqual({ ...HEALTHY, hasTarget: false, remedy: expect.stringMatching(remedy) });
  });

  it('does not miss a file whose name the call gives', async () => {
    const { provider } = await start();
    const model = aComfyModel(withNode('4', 'CheckpointLoaderSimple', { ckpt_name: 'any' }));
    const mapping = { ...model.mapping, '4.inputs.ckpt_name': '{checkpoint}' };
    expect(await provider.health({ ...model, mapping }, signal)).toMatchObject({ hasTarget: true });
  });
});

const HEALTHY = { isReachable: true, isKeyAccepted: true, hasTarget: null, remedy: null };
