import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { EmbeddedPostgres } from '#embedded';
import { auditFindings } from '../support/audit.ts';
import { kill, startDemo, type DemoService } from '../support/started-service.ts';

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

async function call<T>(path: string, form?: Record<string, string>): Promise<T> {
  const response = await fetch(new URL(path, demo.baseUrl), {
    method: form ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${demo.token}` },
    ...(form && { body: new URLSearchParams(form) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function allGenerations(): Promise<Generation[]> {
  const all: Generation[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '?limit=200' : `?limit=200&cursor=${cursor}`;
    const page = await call<{ generations: Generation[]; next_cursor: string | null }>(`/v2/generations${query}`);
    all.push(...page.generations);
    cursor = page.next_cursor;
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
    const worker = await demo.service.until(() =>
      demo.service.processes().find(({ command }) => /apps\/worker\/src\/main\.js/.test(command)),
    );
    kill(worker.pid);
  }

  const deadline = Date.now() + 600_000;
  for (;;) {
    const open = (await allGenerations()).filter(({ state }) => state === 'queued' || state === 'running');
    if (open.length === 0) break;
    if (Date.now() > deadline) throw new Error(`${open.length} generations do not end`);
    await sleep(500);
  }

  const generations = await allGenerations();
  expect(generations).toHaveLength(GENERATIONS);
  expect(generations.filter(({ state }) => state !== 'succeeded').map(({ state, error }) => [state, error])).toEqual(
    [],
  );
  expect(new Set(generations.map(({ outputs }) => outputs[0]!.url)).size).toBe(GENERATIONS);
  const picture = await fetch(generations[0]!.outputs[0]!.url);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const { credits } = await call<{ credits: { used: number } }>('/v2/credits');
  expect(credits.used).toBe(COST * GENERATIONS);

  const password = (await readFile(join(demo.folder, 'secrets', 'postgres'), 'utf8')).trim();
  const database = await EmbeddedPostgres.urlOfRunning({ folder: join(demo.folder, 'postgres'), password });
  expect(await auditFindings(database!)).toEqual([]);
  expect(await jobsLeft(database!)).toBe(0);
});

/** Of those that were announced by what this test did; housekeeping may go on. */
async function jobsLeft(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ left: string }>(
      `select count(*) as left from jobs where name = 'generation.run'`,
    );
    return Number(rows[0]!.left);
  } finally {
    await client.end();
  }
}
