import { sql } from 'kysely';
import type { Database, PostgresConnection } from '#adapters/postgres';
import { Ill, type Check } from './check.ts';

const MAX_SKEW_SECONDS = 2;
const MAX_WAIT_SECONDS = 600;

export function checkDatabase({ database, orm }: PostgresConnection): Check {
  return {
    name: 'database',
    run: async () => {
      const { version } = await database.kysely
        .selectNoFrom(sql<string>`current_setting('server_version')`.as('version'))
        .executeTakeFirstOrThrow();
      const pending = await orm.migrator.getPending();
      if (pending.length > 0) {
        throw new Ill(`${pending.length} migrations are pending`, 'run `npm run migrate`');
      }
      return `PostgreSQL ${version}, all migrations have run`;
    },
  };
}

export function checkClock(database: Database): Check {
  return {
    name: 'clock',
    run: async () => {
      const before = Date.now();
      const { now } = await database.kysely
        .selectNoFrom(sql<Date>`clock_timestamp()`.as('now'))
        .executeTakeFirstOrThrow();
      const here = (before + Date.now()) / 2;
      const skew = Math.abs(now.getTime() - here) / 1000;
      if (skew > MAX_SKEW_SECONDS) {
        throw new Ill(
          `the clocks of this machine and of the database differ by ${skew.toFixed(1)} s`,
          'synchronize both machines with the same NTP servers',
        );
      }
      return 'the clocks of this machine and of the database agree';
    },
  };
}

export function checkQueue(database: Database): Check {
  return {
    name: 'queue',
    run: async () => {
      const { due, oldest } = await database.kysely
        .selectFrom('jobs')
        .select((eb) => [
          eb.fn.countAll<number>().as('due'),
          eb.fn.min('due_at').filterWhere('started_at', 'is', null).as('oldest'),
        ])
        .where('due_at', '<=', sql<Date>`now()`)
        .executeTakeFirstOrThrow();
      const seconds = oldest ? Math.round((Date.now() - oldest.getTime()) / 1000) : 0;
      if (seconds > MAX_WAIT_SECONDS) {
        throw new Ill(
          `a job has been waiting for ${seconds} s`,
          'make sure that a worker runs, and add one if it is busy',
        );
      }
      return `${due} jobs run or wait`;
    },
  };
}
