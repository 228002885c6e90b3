import { p } from '@mikro-orm/postgresql';
import type { EventType } from '#events';
import type { Attempt } from '#webhooks';
import { id, ref, table, time } from './columns.ts';

/** The secrets that sign the webhooks of a workspace. */
export const StoredWebhookSecret = table('StoredWebhookSecret', 'webhook_secrets', {
  workspaceId: ref().primary().autoincrement(false),
  secret: p.text(),
  /** The secret before the last rotation. */
  previous: p.text().nullable(),
  rotatedAt: time().nullable(),
});

/** Receivers of the events of a workspace. */
export const WebhookEndpoint = table('WebhookEndpoint', 'webhook_endpoints', {
  id: id(),
  workspaceId: ref(),
  url: p.text(),
  /** Null for all. */
  types: p.array().$type<readonly EventType[]>().nullable(),
  description: p.text().nullable(),
  isActive: p.boolean(),
  secret: p.text(),
  /** The secret before the last rotation. */
  previous: p.text().nullable(),
  rotatedAt: time().nullable(),
  /** The first of the latest attempts that all failed. */
  failingSince: time().nullable(),
  lastError: p.text().nullable(),
  /** Counts the jobs that were announced for it: only the latest delivers. */
  run: p.bigint('number').defaultRaw('0'),
  /** True while a job for it runs or is about to. */
  isRunning: p.boolean().defaultRaw('false'),
  createdAt: time(),
});

/** Deliveries of the webhooks of generations and batches, and of events to endpoints. */
export const WebhookDelivery = table('WebhookDelivery', 'webhook_deliveries', {
  id: id(),
  workspaceId: ref(),
  /** The generation or the batch that has ended. */
  generationId: ref().nullable(),
  batchId: ref().nullable(),
  /** The endpoint, the event, and the type and id of its subject; null for a `webhook` of a call. */
  endpointId: ref().nullable(),
  eventSeq: ref().nullable(),
  subject: p.text().nullable(),
  url: p.text(),
  messageId: p.text(),
  state: p.enum(['pending', 'delivered', 'failed']),
  revision: p.integer().defaultRaw('1'),
  tries: p.integer().defaultRaw('0'),
  attempts: p.json<StoredAttempt[]>().defaultRaw(`'[]'`),
  nextAttemptAt: time().nullable(),
  createdAt: time(),
});

/** A stored attempt, with its time as text. */
export interface StoredAttempt extends Omit<Attempt, 'at'> {
  readonly at: string;
}
