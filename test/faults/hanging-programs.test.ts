/** @tier deep, 75 s, about libs/process apps/service */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { signal, startDemo, stillRunning, type DemoService } from '../support/started-service.ts';
const API = /apps\/api\/src\/main/;
const WORKER = /apps\/worker\/src\/main/;
const SUPERVISOR = /apps\/service\/src\/main/;

let demo: DemoService;
beforeAll(async () => {
  demo = await startDemo();
}, 120_000);
afterAll(() => demo?.stop());

it('replaces API and worker after half a minute without a heartbeat, and says so', async () => {
  const { service, baseUrl } = demo;
  const stopped = [service.process(API).pid, service.process(WORKER).pid];
  const since = Date.now();
  for (const pid of stopped) signal(pid, 'SIGSTOP');
  const replacement = (runs: RegExp) =>
    service.processes().find((each) => runs.test(each.command) && !stopped.includes(each.pid));
  await service.until(() => replacement(API) && replacement(WORKER));
  expect(Date.now() - since).toBeGreaterThan(29_000);
  await service.healthy(baseUrl);
  for (const name of ['API', 'worker']) {
    expect(service.output).toContain(`the ${name} ended (killed, as it did not respond for 30 s); it starts again `);
  }
});

it('ends after SIGTERM although its supervisor is stopped, once its programs have missed it for half a minute', async () => {
  const { service } = demo;
  const processes = service.processes();
  for (const name of ['SIGSTOP', 'SIGTERM'] as const) signal(service.process(SUPERVISOR).pid, name);
  expect(await service.ended()).toBe(0);
  expect(stillRunning(processes)).toEqual([]);
});
