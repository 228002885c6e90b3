import type { Database, PostgresConnection } from '#adapters/postgres';
import { Ill, type Check } from './check.ts';

const MAX_SKEW_SECONDS = 2;

export function checkDatabase({ database, orm }: PostgresConnection): Check {
  return {
    name: 'database',
    run: async () => {
      const row = await database.one<{ version: string }>(
        `select current_setting('server_version') as version`,
      );
      const pending = await orm.migrator.getPending();
      if (pending.length > 0) {
        throw new Ill(`${pending.length} migrations have not run`, 'run `npm run migrate`');
      }
      return `PostgreSQL ${row!.version}, all migrations have run`;
    },
  };
}

export function checkClock(database: Database): Check {
  return {
    name: 'clock',
    run: async () => {
      const before = Date.now();
      const row = await database.one<{ now: Date }>('select clock_timestamp() as now');
      const here = (before + Date.now()) / 2;
      const skew = Math.abs(row!.now.getTime() - here) / 1000;
      if (skew > MAX_SKEW_SECONDS) {
        throw new Ill(
          `this machine and the database differ by ${skew.toFixed(1)} s`,
          'let both machines take their time from the same NTP servers',
        );
      }
      return 'this machine and the database agree';
    },
  };
}

export function checkQueue(database: Database): Check {
  return {
    name: 'queue',
    run: async () => {
      const row = await database.one<{ waiting: number; oldest: number | null }>(
        `select count(*) as waiting, extract(epoch from now() - min(due_at) filter (where started_at is null)) as oldest
           from jobs where due_at <= now()`,
      );
      const seconds = Math.round(Number(row!.oldest ?? 0));
      if (seconds > 600) {
        throw new Ill(
          `a job waits for ${seconds} s already`,
          'see that a worker runs, and add one if it is busy',
        );
      }
      return `${row!.waiting} jobs at work or waiting`;
    },
  };
}
