import type { Provider } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { PostgresConnection } from '#adapters/postgres';
import { postgres, token } from '#wiring';

/** Makes the counter of one limit; what it counts is shared by all processes. */
export type RateCounters = (limit: {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}) => RateLimiterAbstract;

export const rateCounters = token<RateCounters>('RateCounters');

export const postgresRateCounters: Provider<RateCounters> = {
  provide: rateCounters,
  useFactory:
    ({ pool }: PostgresConnection): RateCounters =>
    ({ name, points, seconds }) =>
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: name,
        points,
        duration: seconds,
      }),
  inject: [postgres],
};
