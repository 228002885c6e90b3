/** @tier deep, 10 s, about libs/adapters/queue */
import { afterAll } from '@jest/globals';
import { dashboardSuite } from '../support/dashboard-suite.ts';
import { ValkeyServer } from '../support/valkey-server.ts';

let valkey: ValkeyServer;
afterAll(() => valkey.stop());

// Workers of other suites would be seen from each database of a server.
dashboardSuite('the dashboard of queues on Valkey', async () => {
  valkey = await ValkeyServer.start();
  return { REDIS_URL: valkey.url };
});
