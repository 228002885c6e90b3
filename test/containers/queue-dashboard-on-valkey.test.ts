/** @tier deep, 10 s, about libs/adapters/queue */
import { connectRedis } from '#adapters/redis';
import { dashboardSuite } from '../support/dashboard-suite.ts';

dashboardSuite('the dashboard of queues on Valkey', async () => {
  const url = `${process.env.TEST_VALKEY_URL}/3`;
  const redis = await connectRedis(url, { onError: () => undefined });
  await redis.client.flushdb();
  redis.close();
  return { REDIS_URL: url };
});
