import { PostgresCreditViews, PostgresEvents, PostgresUnitOfWork, PostgresCustomers } from '#adapters/postgres';
import type { Month, UsageGroup } from '#credits';
import { EventPublisher, type EventFilter, type EventPage } from '#events';
import { onBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { percentiles, timed } from './measure.ts';

/** Events of the largest workspace; `EVENTS=1000000` makes them fewer. */
const EVENTS = Number(process.env.EVENTS ?? 10_000_000);
const CUSTOMERS = Number(process.env.CUSTOMERS ?? 100_000);
/** Half of the generations have ended, at another price than their reservation. */
const GENERATIONS = 2 * CUSTOMERS;
const TIMES = 21;
const MONTH = new Date().toISOString().slice(0, 7) as Month;

/** How long the reads take that apps with many customers feel first, and how many events are published a second. */
await onBenchDatabase(async (bench) => {
  const { newUser } = bench;
  await newUser();
  await fillUsage(bench);
  await print(usageReads(bench));
  await fillEvents(bench);
  await print(eventReads(bench));
  await publish(bench);
});

async function print(reads: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  for (const [name, read] of Object.entries(reads)) {
    await read();
    const each: number[] = [];
    for (let time = 0; time < TIMES; time++) each.push(await timed(read));
    console.log(`${name.padEnd(44)}${percentiles(each)}`);
  }
}

function usageReads({ database }: BenchDatabase) {
  const views = new PostgresCreditViews(database);
  const customers = new PostgresCustomers(database);
  const usage = (groups: UsageGroup[], limit?: number) => () => views.usage(1, MONTH, groups, { userId: null, limit });
  return {
    'customers, a page': () => customers.list(1, { limit: 50, after: null }, MONTH),
    'usage by customer, the 100 largest': usage(['customer'], 100),
    'usage by customer': usage(['customer']),
    'usage by day and model': usage(['day', 'model']),
  };
}

function eventReads({ database }: BenchDatabase) {
  const store = new PostgresEvents(database);
  const list =
    (filter: EventFilter, page: Partial<EventPage> = {}) =>
    () =>
      store.list(1, { limit: 50, ...page }, filter);
  const after = EVENTS / 2;
  return {
    'events, oldest first': list({}, { after }),
    'events, newest first': list({}, { isNewestFirst: true }),
    'events of a rare type': list({ types: ['model.gone', 'board.deleted'] }),
    'events of a subject': list({ subject: { type: 'generation', id: String(after) } }),
    'events of a customer': list({ customer: 'user-7' }),
    'events of a rare type and a customer': list({ customer: 'user-7', types: ['model.gone'] }),
  };
}

async function fillUsage({ query }: BenchDatabase): Promise<void> {
  await query(
    `insert into generations (workspace_id, user_id, model, kind, state, prompt, parameters, cost, attempt, created_at, customer)
     select 1, 1, 'model-' || n % 7, 'image', case n % 2 when 0 then 'succeeded' else 'queued' end, 'a fox', '{}', 4, 1,
       now(), 'user-' || n % ${CUSTOMERS} from generate_series(1, ${GENERATIONS}) n`,
  );
  await query(
    `insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at, customer)
     select entry || ':' || id, 1, 1, id, date_trunc('month', now()), entry, case entry when 'reserve' then 4 else -1 end, now(), customer
     from generations, unnest('{reserve,settle}'::text[]) entry where entry = 'reserve' or state = 'succeeded'`,
  );
  await query(
    `insert into customers (workspace_id, customer, created_at)
     select 1, 'user-' || n, now() from generate_series(0, ${CUSTOMERS - 1}) n`,
  );
  await query(
    `insert into customer_credits (workspace_id, customer, month, used, reserved, generations)
     select 1, 'user-' || n, month, 7, 4, 2 from generate_series(0, ${CUSTOMERS - 1}) n,
       unnest(array[date_trunc('month', now())::date, '0001-01-01'::date]) month`,
  );
  await query('vacuum (analyze) generations, credit_entries, customers, customer_credits');
}

async function fillEvents({ query }: BenchDatabase): Promise<void> {
  await query(
    `insert into events (workspace_id, number, type, subject_id, customer, facts, data, created_at)
     select 1, n, case when n % 1000000 = 0 then 'board.deleted' else 'generation.succeeded' end, n, 'user-' || n % ${CUSTOMERS},
       '{}', json_build_object('id', n, 'prompt', repeat('a fox ', 40)), now() from generate_series(1, ${EVENTS}) n`,
  );
  await query(`insert into event_counts (workspace_id, last) values (1, ${EVENTS})`);
  await query('vacuum (analyze) events');
}

/** Records events as fast as it can, in units of work of ten, while a publisher numbers them. */
async function publish({ database }: BenchDatabase): Promise<void> {
  const store = new PostgresEvents(database);
  const unitOfWork = new PostgresUnitOfWork(database);
  const publisher = new EventPublisher({
    store,
    subjects: { read: ({ facts }) => Promise.resolve(facts) },
    consumers: [],
    unitOfWork,
    report: (error) => {
      throw error;
    },
  });
  const facts = { id: 1, prompt: 'a fox '.repeat(40) };
  const one = { workspaceId: 1, type: 'generation.succeeded', subjectId: 1, facts, createdAt: new Date() } as const;
  const milliseconds = await timed(async () => {
    for (let round = 0; round < 100; round++) {
      await Promise.all(Array.from({ length: 10 }, () => store.record(...Array.from({ length: 10 }, () => one))));
      await publisher.run();
    }
  });
  console.log(`recorded and published a second: ${Math.round(10_000 / (milliseconds / 1000))}`);
}
