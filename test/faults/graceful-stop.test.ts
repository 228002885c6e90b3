import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { freePort } from '#process';
import { StartedService } from '../support/started-service.ts';

jest.setTimeout(180_000);

const CLIENTS = 16;
const RESTARTS = 3;

let folder: string;
let service: StartedService;
let baseUrl: string;
let token: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-stop-'));
  service = new StartedService({
    DATA_DIR: folder,
    PORT: String(await freePort()),
    RATE_LIMIT_PER_MINUTE: '0',
  });
  baseUrl = await service.ready();
  const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as { tokens: { owner: string } };
  token = demo.tokens.owner;
}, 180_000);
afterAll(async () => {
  service.terminate();
  await service.ended();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

const send = (method: string, body?: URLSearchParams): Promise<Response> =>
  fetch(new URL('/boards', baseUrl), { method, body, headers: { authorization: `Bearer ${token}` } });

it('answers every request that has an effect, when the API is told to stop under load', async () => {
  const answers: Record<string, number> = {};
  const note = (what: string): number => (answers[what] = (answers[what] ?? 0) + 1);
  let made = 0;
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      // Without an idempotency key: not safe to repeat once it had its effect.
      const outcome = await send('POST', new URLSearchParams({ name: 'Board' })).catch(
        (error: Error) => error,
      );
      if (!('status' in outcome)) {
        note((outcome.cause as NodeJS.ErrnoException).code ?? outcome.message);
        await sleep(100);
        continue;
      }
      note(String(outcome.status));
      if (outcome.status === 201) made++;
      await outcome.arrayBuffer();
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  for (let restarts = 0; restarts < RESTARTS; restarts++) {
    await sleep(1500);
    const { pid } = await service.until(() =>
      service.processes().find(({ command }) => /apps\/api\/src\/main/.test(command)),
    );
    process.kill(pid, 'SIGTERM');
    await service.until(() => (service.processes().some((each) => each.pid === pid) ? undefined : true));
    await service.until(async () => ((await send('GET').catch(() => null))?.ok ? true : undefined));
  }
  isOver = true;
  await Promise.all(clients);
  process.stderr.write(`answers: ${JSON.stringify(answers)}\n`);
  const { boards } = (await (await send('GET')).json()) as { boards: unknown[] };
  expect(boards).toHaveLength(made);
  expect(Object.keys(answers).filter((what) => /^5/.test(what))).toEqual([]);
});
