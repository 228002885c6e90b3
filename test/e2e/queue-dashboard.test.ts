/** @tier deep, 6 s, about libs/adapters/queue apps/api/src/admin */
import { expect, it } from '@jest/globals';
import { dashboardSuite } from '../support/dashboard-suite.ts';
import { startService } from '../support/service.ts';
import { untilTestEnds } from '../support/use-service.ts';

dashboardSuite('the dashboard of queues on PostgreSQL', () => ({}));

it('is not there without an operator token', async () => {
  const service = untilTestEnds(await startService({}, { worker: false }));
  for (const authorization of [undefined, 'Bearer ', `Basic ${Buffer.from(':').toString('base64')}`]) {
    const { status } = await service.call('GET', '/admin/queues', {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(status).toBe(404);
  }
});
