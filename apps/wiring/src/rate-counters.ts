import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import type { PostgresConnection } from '#adapters/postgres';
import type { RedisConnection } from '#adapters/redis';
import { postgres, redis } from './platform.ts';
import { provideMade, token } from './provide.ts';

/** Creates the counter of one limit, shared by all processes. */
export type RateCounters = (limit: {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}) => RateLimiterAbstract;

export const rateCounters = token<RateCounters>('RateCounters');

export const sharedRateCounters = provideMade(rateCounters, [postgres, redis], (database, memory) =>
  memory ? redisRateCounters(memory) : postgresRateCounters(database),
);

export function postgresRateCounters({ pool }: Pick<PostgresConnection, 'pool'>): RateCounters {
  const store = { storeClient: pool, storeType: 'pool', tableName: 'rate_limits', tableCreated: true };
  return ({ name, points, seconds }) =>
    new RateLimiterPostgres({ ...store, keyPrefix: name, points, duration: seconds });
}

/** While the server is unreachable, counting fails at once, and requests are not limited. */
export function redisRateCounters({ client }: RedisConnection): RateCounters {
  return ({ name, points, seconds }) =>
    new RateLimiterRedis({ storeClient: client, keyPrefix: `x12:rate:${name}`, points, duration: seconds });
}
