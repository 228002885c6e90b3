import { p } from '@mikro-orm/postgresql';
import type { EventData, EventFacts, EventType } from '#events';
import { ref, table, time } from './columns.ts';

/** Events; those without a number are not published yet. */
export const EventRow = table('EventRow', 'events', {
  seq: p.bigint('number').primary().autoincrement().generated('identity'),
  id: p.uuid().defaultRaw('gen_random_uuid()'),
  workspaceId: ref(),
  /** Grows with each published event of the workspace. */
  number: ref().nullable(),
  type: p.text().$type<EventType>(),
  /** An id, or the name of a model. */
  subjectId: p.text(),
  customer: p.text().nullable(),
  /** A person whose name or words the data has. */
  userId: ref().nullable(),
  facts: p.json<EventFacts>(),
  /** The `webhook` of the call that has ended. */
  webhook: p.text().nullable(),
  /** Unique in the workspace: of events with the same key, one is recorded. */
  key: p.text().nullable(),
  /** In the order of its fields; null until it is published. */
  data: p.json<EventData>().columnType('json').nullable(),
  createdAt: time(),
});

/** The number of the latest event of each workspace. */
export const EventCount = table('EventCount', 'event_counts', {
  workspaceId: ref().primary().autoincrement(false),
  last: p.bigint('number'),
});
