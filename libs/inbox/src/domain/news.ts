import type { EventType } from '#events';

export const INBOX_KINDS = ['mention', 'comment', 'decision', 'summary', 'share', 'batch', 'style', 'model'] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

/** Things whose people are found by one statement each. */
export const TOPICS = ['comment', 'decision', 'summary', 'share', 'batch', 'style', 'model'] as const;
export type Topic = (typeof TOPICS)[number];

interface News {
  readonly kind: InboxKind;
  readonly topic: Topic;
}

/** The event types that people find in their inbox, each with the kind of its entries and whose people get them. */
const NEWS: { readonly [Type in EventType]?: News } = {
  'comment.created': { kind: 'comment', topic: 'comment' },
  // A changed comment is news only for people whom it did not mention before.
  'comment.updated': { kind: 'mention', topic: 'comment' },
  'decision.made': { kind: 'decision', topic: 'decision' },
  'review.summary': { kind: 'summary', topic: 'summary' },
  'share.opened': { kind: 'share', topic: 'share' },
  'batch.ended': { kind: 'batch', topic: 'batch' },
  'style.ready': { kind: 'style', topic: 'style' },
  'style.failed': { kind: 'style', topic: 'style' },
  'model.retiring': { kind: 'model', topic: 'model' },
  'model.gone': { kind: 'model', topic: 'model' },
};

/** The topic of an event type; `null` for types that are in no inbox. */
export function topicOf(type: EventType): Topic | null {
  return NEWS[type]?.topic ?? null;
}

/** The people whom an event may concern, by user id. */
export interface Audience {
  /** The author; `null` for a guest and for the service. */
  readonly actorId: number | null;
  /** People whom its words mention. */
  readonly mentioned: readonly number[];
  /** People who made what it is about, wrote in its thread, or use it. */
  readonly concerned: readonly number[];
}

export interface Recipient {
  readonly userId: number;
  readonly kind: InboxKind;
}

/** The people who get an entry about an event: one each, and none for the author. A mention goes before other kinds. */
export function recipientsOf(type: EventType, { actorId, mentioned, concerned }: Audience): readonly Recipient[] {
  const news = NEWS[type];
  if (!news) return [];
  const kinds = new Map<number, InboxKind>();
  if (news.kind !== 'mention') for (const userId of concerned) kinds.set(userId, news.kind);
  for (const userId of mentioned) kinds.set(userId, 'mention');
  if (actorId !== null) kinds.delete(actorId);
  return [...kinds].map(([userId, kind]) => ({ userId, kind }));
}
