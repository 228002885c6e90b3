/** @tier deep, 25 s, about apps/worker libs/adapters/queue */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { untilTestEnds } from '../support/use-service.ts';

it('a worker with work at hand stops, at whatever moment after its start, and loses no job', async () => {
  const service = untilTestEnds(await startService({}, { worker: false }));
  const { token } = await service.signUp();
  for (const runsFor of [0, 20, 80, 160, 320, 0, 40, 240]) {
    const form = { model: 'local-image', prompt: 'a lake', width: 512, height: 512 };
    const { status } = await service.call('POST', '/v2/generate', { token, form });
    expect(status).toBe(202);
    await service.startWorker();
    await sleep(runsFor);
    await service.stopWorker();
  }
  await service.startWorker();
  await eventually(async () => (await service.database.query('select from jobs')).length === 0);
  const { body } = await service.call('GET', '/v2/credits', { token });
  expect(body.credits.used).toBe(8 * 4);
});
