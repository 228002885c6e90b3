import { p } from '@mikro-orm/postgresql';
import type { JobName, JobPayloads } from '#kernel';
import { id, ref, table, time } from './columns.ts';

/** Announced work, from the commit that announced it until it is done or has failed. */
export const JobRow = table('JobRow', 'jobs', {
  id: id(),
  name: p.text().$type<JobName>(),
  payload: p.json<JobPayloads[JobName]>(),
  /** The number of starts. Never decreases: it is the fencing token of a run's writes. */
  attempts: p.integer().defaultRaw('0'),
  failures: p.integer().defaultRaw('0'),
  crashes: p.integer().defaultRaw('0'),
  /** Counts deliveries, so that each has its own id in the queue. */
  deliveries: p.integer().defaultRaw('0'),
  dueAt: time(),
  relayedAt: time().nullable(),
  /** Set while a worker has the job. */
  startedAt: time().nullable(),
  lastError: p.text().nullable(),
  createdAt: time(),
  bulk: p.boolean().defaultRaw('false'),
  workspaceId: ref().nullable(),
  queue: p
    .text()
    .$type<'generations' | 'outputs' | 'pictures' | 'mail' | 'webhooks' | 'exports' | 'housekeeping'>()
    .defaultRaw(`'housekeeping'`),
  /** The batch that it is a job of: other jobs of its workspace start before it. */
  batchId: ref().nullable(),
  /** The position among the jobs of the queue; null until a worker has assigned it. */
  turn: p.bigint('number').nullable(),
  /** The id of the delivery to the worker that has the job. */
  ticket: p.text().nullable(),
});

/** The latest started turn of each queue, separately for bulk jobs. Each start of a job locks the row. */
export const JobQueue = table('JobQueue', 'job_queues', {
  queue: p.text().primary(),
  bulk: p.boolean().primary(),
  turn: p.bigint('number').defaultRaw('0'),
});
