import { p } from '@mikro-orm/postgresql';
import type { Attempt } from '#webhooks';
import { id, ref, table, time } from './columns.ts';

/** What the webhooks of a workspace are signed with. */
export const StoredWebhookSecret = table('StoredWebhookSecret', 'webhook_secrets', {
  workspaceId: ref().primary().autoincrement(false),
  secret: p.text(),
  /** Until the last rotation. */
  previous: p.text().nullable(),
  rotatedAt: time().nullable(),
});

/** Calls of the webhooks of generations. */
export const WebhookDelivery = table('WebhookDelivery', 'webhook_deliveries', {
  id: id(),
  workspaceId: ref(),
  generationId: ref(),
  url: p.text(),
  messageId: p.text(),
  state: p.enum(['pending', 'delivered', 'failed']),
  revision: p.integer().defaultRaw('1'),
  tries: p.integer().defaultRaw('0'),
  attempts: p.json<StoredAttempt[]>().defaultRaw(`'[]'`),
  nextAttemptAt: time().nullable(),
  createdAt: time(),
});

/** An attempt as it is kept: its time as text. */
export interface StoredAttempt extends Omit<Attempt, 'at'> {
  readonly at: string;
}
