import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry, type RegistryContentType } from 'prom-client';
import { sql } from 'kysely';
import { build, prepared, type Database } from '#adapters/postgres';
import { QUEUE_OF, QUEUES } from '#adapters/queue';
import { cached } from './cached.ts';

/** How long a result is reused, so that several scrapers cost no more than one. */
const CACHE_MS = 5000;
/** Less than the timeout of scrapers. */
const TIMEOUT_MS = 3000;

const DUE = sql<boolean>`due_at <= now()`;
const WAITS = sql<boolean>`started_at is null`;

/** The jobs by name, and the age in seconds of the oldest due job; `null` for none. */
const jobStates = prepared<object>()(() =>
  build
    .selectFrom('jobs')
    .groupBy('name')
    .select((eb) => [
      'name',
      eb.fn.countAll<number>().filterWhere(WAITS).filterWhere(DUE).as('waiting'),
      eb.fn.countAll<number>().filterWhere('started_at', 'is not', null).as('active'),
      eb.fn.countAll<number>().filterWhere(WAITS).filterWhere(eb.not(DUE)).as('delayed'),
      sql<number | null>`extract(epoch from now() - min(due_at) filter (where ${DUE}))::float8`.as('undone'),
      sql<number | null>`
        extract(epoch from now() - min(due_at) filter (where ${DUE} and relayed_at is null))::float8`.as('unrelayed'),
    ]),
);

/** Measures the table of jobs: the numbers are the same in every process, and include jobs that the queue has lost. */
export function measureJobs(database: Pick<Database, 'run'>, registry: Registry<RegistryContentType>): void {
  // Without the database these metrics are left out; the others are not affected.
  const late = () => sleep(TIMEOUT_MS, null, { ref: false });
  const read = cached(() => Promise.race([database.run(jobStates, {}), late()]).catch(() => null), CACHE_MS);
  const registers = [registry];
  new Gauge({
    name: 'x12_jobs',
    help: 'Jobs that are not done, by queue: waiting for a worker, running, or not due yet.',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset();
      const rows = await read();
      if (!rows) return;
      for (const queue of QUEUES) {
        const mine = rows.filter(({ name }) => QUEUE_OF[name] === queue);
        for (const state of ['waiting', 'active', 'delayed'] as const) {
          const jobs = mine.reduce((sum, each) => sum + each[state], 0);
          this.set({ queue, state }, jobs);
        }
      }
    },
  });
  new Gauge({
    name: 'x12_outbox_oldest_job_age_seconds',
    help: 'Age of the oldest due job that is not done, and of the oldest that is not in its queue. 0 for none.',
    labelNames: ['until'],
    registers,
    async collect() {
      this.reset();
      const rows = await read();
      if (!rows) return;
      const oldest = (age: 'undone' | 'unrelayed') => Math.max(0, ...rows.map((each) => each[age] ?? 0));
      this.set({ until: 'done' }, oldest('undone'));
      this.set({ until: 'relayed' }, oldest('unrelayed'));
    },
  });
}
