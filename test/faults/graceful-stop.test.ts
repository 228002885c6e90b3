/** @tier deep, 30 s, about libs/process apps/worker */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startDemo, type DemoService } from '../support/started-service.ts';
const CLIENTS = 16;
const RESTARTS = Number(process.env.RESTARTS ?? 2);

let demo: DemoService;
beforeAll(async () => (demo = await startDemo()), 180_000);
afterAll(() => demo.stop());

const send = (method: string, body?: URLSearchParams): Promise<Response> =>
  fetch(new URL('/boards', demo.baseUrl), { method, body, headers: { authorization: `Bearer ${demo.token}` } });

it('responds to every request that has an effect when the API is stopped under load', async () => {
  const outcomes: Record<string, number> = {};
  const note = (what: string): number => (outcomes[what] = (outcomes[what] ?? 0) + 1);
  let made = 0;
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      // Without an idempotency key: not safe to repeat once it had its effect.
      const outcome = await send('POST', new URLSearchParams({ name: 'Board' })).catch((error: Error) => error);
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
    const { service } = demo;
    const { pid } = await service.until(() => service.find(/apps\/api\/src\/main/));
    process.kill(pid, 'SIGTERM');
    await service.until(() => !service.processes().some((each) => each.pid === pid));
    await service.healthy(demo.baseUrl);
  }
  isOver = true;
  await Promise.all(clients);
  process.stderr.write(`outcomes: ${JSON.stringify(outcomes)}\n`);
  const { boards } = (await (await send('GET')).json()) as { boards: unknown[] };
  expect(boards).toHaveLength(made);
  expect(Object.keys(outcomes).filter((what) => /^5/.test(what))).toEqual([]);
});
