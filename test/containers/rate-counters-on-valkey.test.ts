/** @tier deep, 15 s, about libs/adapters/redis */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectRedis, type RedisConnection } from '#adapters/redis';
import { redisRateCounters } from '../../apps/wiring/src/rate-counters.ts';
import { guessLimitContract } from '../support/guess-limit-contract.ts';
import { startService } from '../support/service.ts';
import { ValkeyServer } from '../support/valkey-server.ts';
describe('rate counters on Valkey', () => {
  const connections: RedisConnection[] = [];

  beforeAll(async () => {
    for (let count = 0; count < 2; count++) {
      connections.push(await connectRedis(`${process.env.TEST_VALKEY_URL}/2`, { onError: () => undefined }));
    }
  });
  afterAll(() => connections.forEach((connection) => connection.close()));

  it.each([1, 7, 100])('allow no more than %d to two processes that count at once', async (points) => {
    const name = randomUUID();
    const counters = connections.map((connection) => redisRateCounters(connection)({ name, points, seconds: 60 }));
    const results = await Promise.allSettled(
      Array.from({ length: points * 4 }, (_, index) => counters[index % 2]!.consume('key')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(points);
  });

  it('start again with the next window', async () => {
    const counter = redisRateCounters(connections[0]!)({ name: randomUUID(), points: 1, seconds: 1 });
    await counter.consume('key');
    await expect(counter.consume('key')).rejects.toMatchObject({ consumedPoints: 2 });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await expect(counter.consume('key')).resolves.toMatchObject({ consumedPoints: 1 });
  });
});

describe('on Valkey', () => {
  let connection: RedisConnection;
  beforeAll(async () => {
    connection = await connectRedis(`${process.env.TEST_VALKEY_URL}/2`, { onError: () => undefined });
  });
  afterAll(() => connection.close());
  guessLimitContract('Valkey', () => redisRateCounters(connection));
});

describe('a service that counts on Valkey', () => {
  it('limits over all its processes, and serves without a limit while the server is away or silent', async () => {
    const valkey = await ValkeyServer.start();
    const service = await startService(
      { REDIS_URL: valkey.url, RATE_LIMIT_PER_MINUTE: '10', LOG_LEVEL: 'silent' },
      { worker: false },
    );
    const me = (token: string) => service.call('GET', '/v2/auth/me', { token });
    try {
      const user = await service.signUp();
      const statuses: number[] = [];
      for (let count = 0; count < 12; count++) statuses.push((await me(user.token)).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);

      for (const [breakIt, mendIt] of [
        [() => valkey.freeze(), () => valkey.thaw()],
        [() => valkey.kill(), () => valkey.restart()],
      ] as const) {
        const other = (await service.signUp()).token;
        await breakIt();
        // It has its response before the server is back.
        const { status, headers } = await me(other);
        expect([status, headers.get('ratelimit-limit')]).toEqual([200, null]);
        await mendIt();
      }
    } finally {
      await service.stop();
      await valkey.stop();
    }
  });
});
