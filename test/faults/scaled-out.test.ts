/** @tier deep, 150 s, about libs/adapters/queue */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { callApi } from '../support/call-api.ts';
import { isDockerAvailable } from '../support/engine.ts';
import { expectPromisesKept, numberOf, RIG_TIMEOUT_MS, say } from './rig/run-rig.ts';
import { ScaledOutStage } from './rig/scaled-out-stage.ts';

jest.setTimeout(RIG_TIMEOUT_MS);

const canRun = await isDockerAvailable();
if (!canRun) {
  if (process.env.CONTAINERS === 'required') throw new Error('CONTAINERS=required, but Docker is not available');
  say('several processes on engines in containers: skipped, Docker is not available');
}

let stage: ScaledOutStage;
let token: string;
beforeAll(async () => {
  if (!canRun) return;
  stage = await ScaledOutStage.open();
  token = await stage.token();
}, 300_000);
afterAll(() => stage?.close(), 60_000);

const whereDockerIs = canRun ? it : it.skip;

async function call(method: string, path: string, form?: Record<string, string>) {
  const url = new URL(path, stage.baseUrls[0]);
  const { status, headers, body } = await callApi(url, method, { token, form, signal: AbortSignal.timeout(30_000) });
  return { status, retryAfter: headers.get('retry-after'), code: body.code, body };
}

const UNAVAILABLE = { status: 503, retryAfter: expect.stringMatching(/^\d+$/), code: 'unavailable' };

whereDockerIs('reports what is down, and refuses only what cannot be done without it', async () => {
  const generate = { model: 'local-image', width: '64', height: '64' };
  const ready = async () => (await call('GET', '/health/ready')).status;
  expect(await ready()).toBe(200);

  await stage.away('queue', async () => {
    expect(await ready()).toBe(200);
    expect(await call('POST', '/v2/generate', generate)).toMatchObject({ status: 202 });
    expect(await call('GET', '/boards')).toMatchObject({ status: 200 });
  });
  await stage.recovered();

  const { final_url } = (await call('POST', '/v2/upload', { filename: 'a.svg' })).body;
  await stage.away('storage', async () => {
    expect(await ready()).toBe(503);
    const finalize = `/v2/finalize_upload?url=${encodeURIComponent(final_url)}`;
    expect(await call('GET', finalize)).toMatchObject(UNAVAILABLE);
    expect(await call('POST', '/boards', { name: 'Board' })).toMatchObject({ status: 201 });
    expect(await call('POST', '/v2/generate', generate)).toMatchObject({ status: 202 });
  });
  await stage.recovered();

  await stage.away('database', async () => {
    expect(await ready()).toBe(503);
    expect(await call('POST', '/boards', { name: 'Board' })).toMatchObject(UNAVAILABLE);
    expect(await call('GET', '/boards')).toMatchObject(UNAVAILABLE);
  });
  await stage.recovered();
  expect(await call('POST', '/boards', { name: 'Board' })).toMatchObject({ status: 201 });
  await sleep(1000);
});

whereDockerIs('keeps every promise, whichever process or engine is killed, frozen or flushed', () =>
  expectPromisesKept(stage, {
    'kill worker': numberOf('WORKER_KILLS', 3),
    'kill API': numberOf('API_KILLS', 2),
    'restart database': numberOf('DATABASE_RESTARTS', 1),
    'freeze database': numberOf('DATABASE_FREEZES', 1),
    'flush queue': numberOf('QUEUE_FLUSHES', 2),
    'kill queue': numberOf('QUEUE_KILLS', 1),
    'freeze queue': numberOf('QUEUE_FREEZES', 1),
    'kill storage': numberOf('STORAGE_KILLS', 1),
    'freeze storage': numberOf('STORAGE_FREEZES', 1),
  }),
);
