import { Gauge, type Registry } from 'prom-client';
import type { Database } from '#adapters/postgres';
import { LANE_OF, LANES } from '#adapters/queue';
import type { JobName } from '#kernel';

/** How long what was read serves: several scrapers cost no more than one. */
const KEPT_MS = 5000;
/** Less than scrapers have. */
const PATIENCE_MS = 3000;

interface Standing {
  readonly name: JobName;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** Seconds since the oldest became due, `null` for none. */
  readonly undone: number | null;
  readonly unrelayed: number | null;
}

/** Tells how the outbox stands, which is the same whichever process is asked, and whatever the queue has lost. */
export function measureJobs(database: Pick<Database, 'query'>, registry: Registry): void {
  // What can't be read is left out: the other metrics are wanted all the more then.
  const read = kept(() => within(PATIENCE_MS, database.query<Standing>(STANDING)).catch(() => null), KEPT_MS);
  const registers = [registry];
  new Gauge({
    name: 'x12_jobs',
    help: 'Jobs that are not done, by lane: waiting for a worker, at work, or not due yet.',
    labelNames: ['lane', 'state'],
    registers,
    async collect() {
      this.reset();
      const standing = await read();
      if (!standing) return;
      for (const lane of LANES) {
        const mine = standing.filter(({ name }) => LANE_OF[name] === lane);
        for (const state of ['waiting', 'active', 'delayed'] as const) {
          this.set(
            { lane, state },
            mine.reduce((sum, each) => sum + each[state], 0),
          );
        }
      }
    },
  });
  new Gauge({
    name: 'x12_outbox_oldest_job_age_seconds',
    help: 'How long the oldest due job has been waiting: to be done, and to be handed to the queue. 0 for none.',
    labelNames: ['until'],
    registers,
    async collect() {
      this.reset();
      const standing = await read();
      if (!standing) return;
      const oldest = (age: 'undone' | 'unrelayed') => Math.max(0, ...standing.map((each) => each[age] ?? 0));
      this.set({ until: 'done' }, oldest('undone'));
      this.set({ until: 'relayed' }, oldest('unrelayed'));
    },
  });
}

const STANDING = `
  select name,
    count(*) filter (where started_at is null and due_at <= now())::integer as waiting,
    count(*) filter (where started_at is not null)::integer as active,
    count(*) filter (where started_at is null and due_at > now())::integer as delayed,
    extract(epoch from now() - min(due_at) filter (where due_at <= now()))::float8 as undone,
    extract(epoch from now() - min(due_at) filter (where due_at <= now() and relayed_at is null))::float8 as unrelayed
  from jobs group by name`;

/** What `read` answers, asked again only after so many milliseconds. */
function kept<T>(read: () => Promise<T>, milliseconds: number): () => Promise<T> {
  let last: Promise<T> | null = null;
  let endsAt = 0;
  return () => {
    if (last && Date.now() < endsAt) return last;
    endsAt = Date.now() + milliseconds;
    return (last = read());
  };
}

async function within<T>(milliseconds: number, reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it takes too long')), milliseconds);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
