import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { EmbeddedPostgres } from '#embedded';
import { freePort } from '#process';
import { auditFindings } from '../support/audit.ts';
import { kill, StartedService } from '../support/started-service.ts';

/** `GENERATIONS=200 KILLS=10 npm run test:faults` is the long run. */
const GENERATIONS = Number(process.env.GENERATIONS ?? 40);
const KILLS = Number(process.env.KILLS ?? 4);
const COST = 4;

jest.setTimeout(900_000);

interface Generation {
  readonly state: string;
  readonly error: string | null;
  readonly outputs: readonly { readonly url: string }[];
}

let folder: string;
let service: StartedService;
let baseUrl: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-faults-'));
  service = new StartedService({
    DATA_DIR: folder,
    PORT: String(await freePort()),
    RATE_LIMIT_PER_MINUTE: '0',
    WORKER_CONCURRENCY: '4',
  });
  baseUrl = await service.ready();
  token = (JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as { tokens: { owner: string } })
    .tokens.owner;
});
afterAll(async () => {
  service.terminate();
  await service.ended();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

async function call<T>(path: string, form?: Record<string, string>): Promise<T> {
  const response = await fetch(new URL(path, baseUrl), {
    method: form ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}` },
    ...(form && { body: new URLSearchParams(form) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function allGenerations(): Promise<Generation[]> {
  const all: Generation[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '?limit=200' : `?limit=200&cursor=${cursor}`;
    const page = await call<{ generations: Generation[]; next_cursor: string | null }>(
      `/v2/generations${query}`,
    );
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
    const worker = await service.until(() =>
      service.processes().find(({ command }) => /apps\/worker\/src\/main\.js/.test(command)),
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
  expect(
    generations.filter(({ state }) => state !== 'succeeded').map(({ state, error }) => [state, error]),
  ).toEqual([]);
  expect(new Set(generations.map(({ outputs }) => outputs[0]!.url)).size).toBe(GENERATIONS);
  const picture = await fetch(generations[0]!.outputs[0]!.url);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const { credits } = await call<{ credits: { used: number } }>('/v2/credits');
  expect(credits.used).toBe(COST * GENERATIONS);

  const password = (await readFile(join(folder, 'secrets', 'postgres'), 'utf8')).trim();
  const database = await EmbeddedPostgres.urlOfRunning({ folder: join(folder, 'postgres'), password });
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
