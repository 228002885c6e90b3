import { p } from '@mikro-orm/postgresql';
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

/** Deliveries of the webhooks of generations and batches. */
export const WebhookDelivery = table('WebhookDelivery', 'webhook_deliveries', {
  id: id(),
  workspaceId: ref(),
  /** The generation or the batch that has ended. */
  generationId: ref().nullable(),
  batchId: ref().nullable(),
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
