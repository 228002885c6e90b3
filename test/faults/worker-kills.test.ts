/** @tier deep, 60 s, about apps/worker */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { connectPostgres, PostgresAudit } from '#adapters/postgres';
import { sqlOn } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { callApi } from '../support/call-api.ts';
import { signal, startDemo, type DemoService } from '../support/started-service.ts';

/** `GENERATIONS=200 KILLS=10 npm run test:faults` is the long run. */
const GENERATIONS = Number(process.env.GENERATIONS ?? 24);
const KILLS = Number(process.env.KILLS ?? 3);
const COST = 4;

jest.setTimeout(900_000);

interface Generation {
  readonly state: string;
  readonly error: string | null;
  readonly outputs: readonly { readonly url: string }[];
}

let demo: DemoService;
beforeAll(async () => (demo = await startDemo({ WORKER_CONCURRENCY: '4' })), 180_000);
afterAll(() => demo.stop());

async function call(path: string, form?: Record<string, string>) {
  const { token } = demo;
  const { status, body } = await callApi(new URL(path, demo.baseUrl), form ? 'POST' : 'GET', { token, form });
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

async function allGenerations(): Promise<Generation[]> {
  const all: Generation[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '?limit=200' : `?limit=200&cursor=${cursor}`;
    const page = await call(`/v2/generations${query}`);
    all.push(...(page.generations as Generation[]));
    cursor = page.next_cursor as string | null;
  }
  return all;
}

it('ends every generation once and charges it once, however often its worker is killed', async () => {
  await call('/v2/personas', { name: 'Ada' });
  for (let index = 0; index < GENERATIONS; index++) {
    await call('/v2/generate', {
      model: 'local-image',
      width: '96',
      height: '96',
      prompt: 'lake',
      seed: String(index),
    });
  }
  for (let kills = 0; kills < KILLS; kills++) {
    await sleep(1500);
    const worker = await demo.service.until(() => demo.service.find(/apps\/worker\/src\/main\.js/));
    signal(worker.pid, 'SIGKILL');
  }

  const open = async () => (await allGenerations()).filter(({ state }) => state === 'queued' || state === 'running');
  await eventually(async () => (await open()).length === 0, { everyMs: 500 });
  const generations = await allGenerations();
  expect(generations).toHaveLength(GENERATIONS);
  expect(generations.filter(({ state }) => state !== 'succeeded').map(({ state, error }) => [state, error])).toEqual(
    [],
  );
  expect(new Set(generations.map(({ outputs }) => outputs[0]!.url)).size).toBe(GENERATIONS);
  const picture = await fetch(generations[0]!.outputs[0]!.url);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const { credits } = await call('/v2/credits');
  expect(credits.used).toBe(COST * GENERATIONS);

  const { database, close } = await connectPostgres(demo.databaseUrl, { poolSize: 1 });
  try {
    expect(await new PostgresAudit(database).findings()).toEqual([]);
    // Housekeeping may go on.
    expect(await sqlOn(database).query(`select id from jobs where name = 'generation.run'`)).toEqual([]);
  } finally {
    await close();
  }
});
