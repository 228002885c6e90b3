import { p } from '@mikro-orm/postgresql';
import type { JobName, JobPayloads } from '#kernel';
import { id, ref, table, time } from './columns.ts';

/** Announced work, from the commit that announced it until it is done or has failed. */
export const JobRow = table('JobRow', 'jobs', {
  id: id(),
  name: p.text().$type<JobName>(),
  payload: p.json<JobPayloads[JobName]>(),
  /** Starts so far; only ever grows, so that it fences what a run writes. */
  attempts: p.integer().defaultRaw('0'),
  failures: p.integer().defaultRaw('0'),
  crashes: p.integer().defaultRaw('0'),
  /** Makes the queue's id of each delivery a new one. */
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
    .$type<'generations' | 'outputs' | 'pictures' | 'mail' | 'webhooks' | 'housekeeping'>()
    .defaultRaw(`'housekeeping'`),
  /** Its place among the jobs of its queue; null until a worker has seen it. */
  turn: p.bigint('number').nullable(),
  /** What the queue delivered to the worker that has the job. */
  ticket: p.text().nullable(),
});

/** The latest turn that was started of each queue and, apart, of its bulk jobs; locked by each start. */
export const JobQueue = table('JobQueue', 'job_queues', {
  queue: p.text().primary(),
  bulk: p.boolean().primary(),
  turn: p.bigint('number').defaultRaw('0'),
});
