import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  PostgresDeliveries,
  PostgresEndpoints,
  PostgresEvents,
  PostgresMembers,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { SignedWebhooks } from '#adapters/webhooks';
import { EventPublisher } from '#events';
import { JobPostponed, systemClock as clock, type Jobs } from '#kernel';
import { Deliveries, EndpointRuns, HostLimiter, LimitedCalls, newWebhookSecret, type EndpointRun } from '#webhooks';
import { onBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { percentiles, quantile, timed } from './measure.ts';

const PER_SECOND = Number(process.env.RATE ?? 1_000);
const SECONDS = Number(process.env.SECONDS ?? 20);
const BEHIND = Number(process.env.EVENTS ?? 3_000);

if (process.argv[2] === 'receiver') receive();
else await onBenchDatabase(measure);

/** An endpoint. Tells on request how old the events were that it has got since the last request, in ms. */
function receive(): void {
  let ages: number[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { created_at } = JSON.parse(body) as { created_at: string };
      ages.push(Date.now() - Date.parse(created_at));
      response.writeHead(204).end();
    });
  });
  process.on('message', () => {
    process.send!(ages);
    ages = [];
  });
  process.once('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => process.send!(server.address()));
}

/** How many events an endpoint gets a second, and how old they are while so many are recorded. */
async function measure({ database, newUser, query }: BenchDatabase): Promise<void> {
  const { workspaceId } = await newUser();
  const receiver = fork(import.meta.filename, ['receiver']);
  const [{ port }] = (await once(receiver, 'message')) as [AddressInfo];
  const received = async () => {
    receiver.send('ages');
    return ((await once(receiver, 'message')) as [number[]])[0];
  };
  const host = `127.0.0.1:${port}`;
  const { record, publish, deliver } = service(database, workspaceId, host);
  const fields = { url: `http://${host}/`, types: null, description: null, isActive: true };
  await new PostgresEndpoints(database).add(workspaceId, fields, newWebhookSecret(), clock.now(), 1);

  await record(BEHIND);
  await publish();
  const milliseconds = await timed(deliver);
  const all = (await received()).length;
  console.log(`${all} events that wait: ${Math.round((all / milliseconds) * 1000)} delivered a second`);
  await query('vacuum (analyze) events, webhook_deliveries');

  const since = performance.now();
  const isOver = () => performance.now() - since > SECONDS * 1000;
  let recorded = 0;
  const recordDue = async () => {
    const due = Math.floor(((performance.now() - since) / 1000) * PER_SECOND) - recorded;
    recorded += due;
    if (due > 0) await record(due);
  };
  const repeated = async (work: () => Promise<void>) => {
    while (!isOver()) await Promise.all([work(), delay(5)]);
  };
  await Promise.all([recordDue, publish, deliver].map(repeated));
  const ages = await received();
  const most = quantile(ages, 1);
  console.log(
    `${recorded} recorded in ${SECONDS} s: ${ages.length} delivered, after ${percentiles(ages)}, max ${most} ms`,
  );
  receiver.kill();
}

/** Records, publishes and delivers events in this process. */
function service(database: BenchDatabase['database'], workspaceId: number, host: string) {
  const announced: EndpointRun[] = [];
  const started: EndpointRun[] = [];
  const jobs: Jobs = { announce: async (job) => void (job.name === 'webhook.endpoint' && announced.push(job.payload)) };
  const http = new SignedWebhooks({ allowedHosts: [host], timeoutSeconds: 15 });
  const stores = {
    endpoints: new PostgresEndpoints(database),
    deliveries: new PostgresDeliveries(database),
    admins: new PostgresMembers(database),
    unitOfWork: new PostgresUnitOfWork(database),
  };
  const runs = new EndpointRuns({
    ...stores,
    calls: new LimitedCalls(http, new HostLimiter(32, clock), clock),
    urls: { of: async () => ({ urlOf: (key) => key }) },
    jobs,
    clock,
  });
  const events = new PostgresEvents(database);
  const publisher = new EventPublisher({
    store: events,
    subjects: { read: ({ facts }) => Promise.resolve(facts) },
    consumers: [new Deliveries({ ...stores, jobs, clock })],
    unitOfWork: stores.unitOfWork,
    report: (error) => {
      throw error;
    },
  });
  const facts = { id: 1, prompt: 'a fox '.repeat(40) };
  let subjectId = 0;
  const event = () =>
    ({ workspaceId, type: 'generation.succeeded', subjectId: ++subjectId, facts, createdAt: clock.now() }) as const;
  return {
    record: (count: number) => events.record(...Array.from({ length: count }, event)),
    /** Jobs are started when their transaction has ended. */
    publish: async () => {
      await publisher.run();
      started.push(...announced.splice(0));
    },
    /** Runs jobs, and repeats them when they are postponed, unless a later one has taken over. */
    deliver: async () => {
      for (let run = started.shift(); run;) {
        const ended = runs.run(run, { signal: new AbortController().signal });
        const failure = await ended.then(
          () => null,
          (error: Error) => error,
        );
        if (failure !== null && !(failure instanceof JobPostponed)) throw failure;
        if (failure) await delay(failure.seconds * 1000);
        run = started.shift() ?? (failure ? run : undefined);
      }
    },
  };
}
