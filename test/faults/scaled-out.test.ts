import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { aftermath } from './rig/aftermath.ts';
import { BoardKeeper } from './rig/board-keeper.ts';
import { Chance } from './rig/chance.ts';
import { Client } from './rig/client.ts';
import { dockerAnswers } from '../support/engine.ts';
import { Generator } from './rig/generator.ts';
import { PersonaOwner } from './rig/persona-owner.ts';
import { runRig, say } from './rig/run-rig.ts';
import { ScaledOutStage } from './rig/scaled-out-stage.ts';
import { Uploader } from './rig/uploader.ts';

const number = (name: string, usual: number): number => Number(process.env[name] ?? usual);

const SEED = number('SEED', Date.now() % 1_000_000);
const DURATION = number('DURATION', 15);
const GENERATIONS = number('GENERATIONS', 20);
const FAULTS = {
  'kill worker': number('WORKER_KILLS', 3),
  'kill API': number('API_KILLS', 2),
  'restart database': number('DATABASE_RESTARTS', 1),
  'freeze database': number('DATABASE_FREEZES', 1),
  'flush queue': number('QUEUE_FLUSHES', 2),
  'kill queue': number('QUEUE_KILLS', 1),
  'freeze queue': number('QUEUE_FREEZES', 1),
  'kill storage': number('STORAGE_KILLS', 1),
  'freeze storage': number('STORAGE_FREEZES', 1),
} as const;

jest.setTimeout((DURATION * 3 + 900) * 1000);

const canRun = await dockerAnswers();
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

async function call(
  method: string,
  path: string,
  form?: Record<string, string>,
): Promise<{ status: number; retryAfter: string | null; code: string | undefined }> {
  const response = await fetch(new URL(path, stage.baseUrls[0]), {
    method,
    headers: { authorization: `Bearer ${token}` },
    body: form && new URLSearchParams(form),
    signal: AbortSignal.timeout(30_000),
  });
  const body = (await response.json()) as { code?: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), code: body.code };
}

const UNAVAILABLE = { status: 503, retryAfter: expect.stringMatching(/^\d+$/), code: 'unavailable' };

whereDockerIs('tells what is away, and refuses only what can not be done without it', async () => {
  const generate = { model: 'local-image', width: '64', height: '64' };
  const ready = async () => (await call('GET', '/health/ready')).status;
  expect(await ready()).toBe(200);

  await stage.away('queue', async () => {
    expect(await ready()).toBe(200);
    expect(await call('POST', '/v2/generate', generate)).toMatchObject({ status: 202 });
    expect(await call('GET', '/boards')).toMatchObject({ status: 200 });
  });
  await stage.recovered();

  const allocated = await fetch(new URL('/v2/upload', stage.baseUrls[0]), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ filename: 'a.svg' }),
  });
  const { final_url } = (await allocated.json()) as { final_url: string };
  await stage.away('storage', async () => {
    expect(await ready()).toBe(503);
    const finalize = `/v2/finalize_upload?url=${encodeURIComponent(final_url)}`;
    expect(await call('GET', finalize)).toEqual(UNAVAILABLE);
    expect(await call('POST', '/boards', { name: 'Board' })).toMatchObject({ status: 201 });
    expect(await call('POST', '/v2/generate', generate)).toMatchObject({ status: 202 });
  });
  await stage.recovered();

  await stage.away('database', async () => {
    expect(await ready()).toBe(503);
    expect(await call('POST', '/boards', { name: 'Board' })).toEqual(UNAVAILABLE);
    expect(await call('GET', '/boards')).toEqual(UNAVAILABLE);
  });
  await stage.recovered();
  expect(await call('POST', '/boards', { name: 'Board' })).toMatchObject({ status: 201 });
  await sleep(1000);
});

whereDockerIs('keeps every promise, whichever process or engine is killed, frozen or flushed', async () => {
  say(`SEED=${SEED} DURATION=${DURATION} GENERATIONS=${GENERATIONS} ${JSON.stringify(FAULTS)}`);
  const started = Date.now();
  const chance = new Chance(SEED);
  const client = new Client(stage.baseUrls, await stage.token());
  const uploader = new Uploader(client, chance.fork('uploads'));
  const pictures = (): string[] => uploader.files.map((file) => file.url);
  const broken = await runRig(stage, {
    chance,
    seconds: DURATION,
    faults: FAULTS,
    generator: new Generator(client, chance.fork('generations'), (DURATION * 1000) / GENERATIONS),
    generations: GENERATIONS,
    others: [
      uploader,
      new BoardKeeper(client, chance.fork('boards'), pictures),
      new PersonaOwner(client, chance.fork('personas')),
    ],
  });
  const after = await aftermath(stage);
  say(`${client.repeated} calls repeated; ${JSON.stringify(after)}; ${(Date.now() - started) / 1000} s in all`);
  expect(broken).toEqual([]);
  expect(client.internalErrors).toEqual([]);
  expect(after.findings).toEqual([]);
  expect(after.storage).toMatchObject({ strayObjects: 0, lostFiles: 0 });
  expect(after.temporary).toBe(0);
});
