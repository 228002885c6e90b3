import { dashboardSuite } from '../support/dashboard-suite.ts';

dashboardSuite('the dashboard of queues on Valkey', () => ({
  REDIS_URL: `${process.env.TEST_VALKEY_URL}/3`,
}));
