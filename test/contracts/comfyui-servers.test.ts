/** @tier test */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createRemoteProvider, guardProvider } from '#adapters/providers';
import type { JsonObject } from '#catalogue';
import type { RemoteProvider, VendorHandle } from '#generation';
import { aModel } from '#testing/catalogue';
import { asSubmitted } from '#testing/generation';
import { temporaryFolder } from '#testing/sources';
import { eventually } from '../support/eventually.ts';
import { startFakeComfyUi, type FakeComfyUi, type FakeComfyUiOptions } from '../support/vendors/comfyui.ts';
import * as client from '../support/vendors/vendor-client.ts';
import { ended, signal } from '../support/vendors/vendor-client.ts';

const WORKFLOW = JSON.parse(
  await readFile(join(import.meta.dirname, '../../docs/comfyui/text-to-image.json'), 'utf8'),
) as JsonObject;
const SLOW = { workMs: 60_000 };

const folder = temporaryFolder();
const fakes: FakeComfyUi[] = [];
afterEach(() => Promise.all(fakes.splice(0).map((fake) => fake.close())));

async function start(options: readonly FakeComfyUiOptions[]) {
  const servers = await Promise.all(options.map((each) => startFakeComfyUi(each)));
  fakes.push(...servers);
  return { servers, provider: await connect(servers.map(({ url }) => url)) };
}

const settingsOf = (urls: readonly string[]) => ({
  ...client.settingsOf('comfyui', urls[0]!, null),
  baseUrls: urls,
  maxConcurrent: 8,
});

const connect = (urls: readonly string[]): Promise<RemoteProvider> =>
  createRemoteProvider(settingsOf(urls), { allowedHosts: [], maxOutputBytes: 1_000_000, callSeconds: 2 });

const model = aModel({ provider: 'comfyui', workflow: WORKFLOW, mapping: { '6.inputs.text': '{prompt}' } });
const aTask = () => client.aTask(model, { folder: folder.fileAt('.') });
const submit = (provider: RemoteProvider, task = aTask()) => client.submit(provider, task);

const counts = (servers: readonly FakeComfyUi[]) => servers.map(({ submissions }) => submissions.length);

const jobAt = ({ url }: FakeComfyUi, handles: readonly VendorHandle[]) => handles.find(({ server }) => server === url)!;

/** Takes the first server away. Its address refuses connections from then on. */
const kill = (servers: readonly FakeComfyUi[]) => servers[0]!.close();

const DOWN = { name: 'ProviderFailure', code: 'provider_unavailable', retryable: true };

describe('several ComfyUI servers', () => {
  it('get each next job by the length of their queues', async () => {
    const { servers, provider } = await start([SLOW, SLOW, SLOW]);
    const alone = await connect([servers[0]!.url]);
    await submit(alone);
    await submit(alone);
    for (let i = 0; i < 4; i++) await submit(provider);
    expect(counts(servers)).toEqual([2, 2, 2]);
  });

  it('share jobs that are sent at the same time', async () => {
    const { servers, provider } = await start([SLOW, SLOW]);
    await Promise.all(Array.from({ length: 8 }, () => submit(provider)));
    expect(counts(servers)).toEqual([4, 4]);
  });

  it('keep a job where it was sent: check, outputs and cancellation go there only', async () => {
    const { servers, provider } = await start([{}, {}]);
    const handles = [await submit(provider), await submit(provider)];
    expect(handles.map(({ server }) => server).sort()).toEqual(servers.map(({ url }) => url).sort());
    for (const handle of handles) {
      const server = servers.find(({ url }) => url === handle['server'])!;
      const state = await ended(provider, handle);
      if (state.state !== 'ended') throw new Error(state.state);
      const target = folder.fileAt(handle.id);
      await provider.fetchOutput(state.outputs[0]!, target, 'image', signal);
      expect([await readFile(target)]).toEqual(await server.outputsOf(handle.id));
    }
    servers.forEach((server) => server.plan([], 'never_ends'));
    const running = await submit(provider);
    const own = servers.findIndex(({ url }) => url === running['server']);
    expect(await provider.cancel(running, signal)).toBe('canceled');
    expect(servers[own]!.submissions.at(-1)!.isCanceled).toBe(true);
    expect(servers[1 - own]!.submissions.some(({ isCanceled }) => isCanceled)).toBe(false);
  });

  it('go on without a server that is down', async () => {
    const { servers, provider } = await start([SLOW, SLOW]);
    await kill(servers);
    for (let i = 0; i < 3; i++) await submit(provider);
    expect(counts(servers)).toEqual([0, 3]);
  });

  it('accept nothing when all are down, so that nothing was started', async () => {
    const { servers, provider } = await start([{}, {}]);
    await Promise.all(servers.map((server) => server.close()));
    const refused = { name: 'NotAccepted', code: 'provider_unavailable', wasSent: false };
    await expect(submit(provider)).rejects.toMatchObject(refused);
  });

  it('find a lost job on any of them, also while another is down', async () => {
    const { servers, provider } = await start([SLOW, SLOW]);
    const task = aTask();
    await submit(await connect([servers[1]!.url]), task);
    await kill(servers);
    const found = await provider.find(await asSubmitted(task), new Date(), signal);
    expect(found).toEqual({ handle: { id: task.requestKey, server: servers[1]!.url } });
  });

  it('say that a job is absent only if every server says so', async () => {
    const { servers, provider } = await start([SLOW, SLOW]);
    const task = await asSubmitted(aTask());
    expect(await provider.find(task, new Date(), signal)).toBe('absent');
    await kill(servers);
    for (let i = 0; i < 2; i++) await expect(provider.find(task, new Date(), signal)).rejects.toMatchObject(DOWN);
  });

  it('do not know whether a job is absent when one is too old to tell', async () => {
    const { provider } = await start([SLOW, { ...SLOW, version: 'older' }]);
    expect(await provider.find(await asSubmitted(aTask()), new Date(), signal)).toBe('unknown');
  });

  it('do not give up the jobs of a server that is down, and start none of them elsewhere', async () => {
    const { servers, provider } = await start([SLOW, SLOW]);
    const handles = [await submit(provider), await submit(provider)];
    const [lost, other] = servers.map((server) => jobAt(server, handles)) as [VendorHandle, VendorHandle];
    await kill(servers);
    for (let i = 0; i < 2; i++) await expect(provider.check(lost, signal)).rejects.toMatchObject(DOWN);
    await expect(provider.cancel(lost, signal)).rejects.toMatchObject(DOWN);
    expect(await provider.check(other, signal)).toMatchObject({ state: 'pending' });
    expect(counts(servers)).toEqual([1, 1]);
  });

  it('do not close the way to the others by one that is down', async () => {
    const { servers, provider } = await start([SLOW, SLOW]);
    const options = { countSubmission: () => Promise.resolve(0), onCircuit: () => undefined };
    const guarded = guardProvider(provider, settingsOf([]), options);
    const handles = [await submit(guarded), await submit(guarded)];
    const lost = jobAt(servers[0]!, handles);
    await kill(servers);
    for (let i = 0; i < 6; i++) await expect(guarded.check(lost, signal)).rejects.toMatchObject(DOWN);
    await submit(guarded);
    expect(counts(servers)).toEqual([1, 2]);
  });

  it('keep the jobs from when there was one server', async () => {
    const { servers, provider } = await start([SLOW, SLOW]);
    const handle = await submit(await connect([servers[1]!.url]));
    expect(handle).not.toHaveProperty('server');
    expect(await provider.check(handle, signal)).toMatchObject({ state: 'pending' });
    expect(await provider.cancel(handle, signal)).toBe('canceled');
  });

  it.each([1, 2])('do not lose the job of a server that was removed (left: %d)', async (left) => {
    const { servers, provider } = await start([SLOW, SLOW, SLOW]);
    const handles = [await submit(provider), await submit(provider), await submit(provider)];
    const lost = jobAt(servers[2]!, handles);
    const fewer = await connect(servers.slice(0, left).map(({ url }) => url));
    await expect(fewer.check(lost, signal)).rejects.toMatchObject(DOWN);
    expect(await fewer.cancel(lost, signal)).toBe('unsupported');
  });

  it('are healthy together, and the remedy names the one that is not', async () => {
    const { servers, provider } = await start([{}, {}]);
    expect(await provider.health(model, signal)).toEqual({
      isReachable: true,
      isKeyAccepted: true,
      hasTarget: true,
      remedy: null,
    });
    await kill(servers);
    const { isReachable, remedy } = await provider.health(null, signal);
    expect(isReachable).toBe(false);
    expect(remedy).toContain(`${servers[0]!.url}: check base_url`);
    expect(remedy).not.toContain(servers[1]!.url);
  });
});

describe('the steps of a running job', () => {
  const running = async () => {
    const { servers, provider } = await start([{}, {}]);
    servers.forEach((server) => server.plan([], 'never_ends'));
    const handle = await submit(provider);
    const server = servers.find(({ url }) => url === handle['server'])!;
    await eventually(() => server.isRunning(handle.id), { everyMs: 5 });
    return { server, urls: servers.map(({ url }) => url), provider, handle };
  };
  const progressOf = async (provider: RemoteProvider, handle: VendorHandle) => {
    const state = await provider.check(handle, signal);
    return state.state === 'pending' && state.progress;
  };

  it('are its progress, whichever worker checks it', async () => {
    const { server, urls, provider, handle } = await running();
    expect(await progressOf(provider, handle)).toBe(null);
    await eventually(() => server.step(handle.id, 5, 20));
    await eventually(async () => (await progressOf(provider, handle)) === 0.25);

    const other = await connect(urls);
    expect(await progressOf(other, handle)).toBe(null);
    await eventually(async () => {
      server.step(handle.id, 15, 20);
      return (await progressOf(other, handle)) === 0.75;
    });
    expect(await provider.cancel(handle, signal)).toBe('canceled');
    expect(await provider.check(handle, signal)).toEqual({ state: 'canceled' });
    await eventually(async () => (await other.check(handle, signal)).state === 'canceled');
    await eventually(() => !server.step(handle.id, 16, 20));
  });
});
