import { p } from '@mikro-orm/postgresql';
import type { Matrix } from '#batch';
import { customData, id, ref, table, time } from './columns.ts';

/** Batches of generations. */
export const BatchRow = table('BatchRow', 'batches', {
  id: id(),
  workspaceId: ref(),
  userId: ref(),
  name: p.text(),
  state: p.enum(['running', 'paused', 'canceling', 'ended']),
  /** The URL to call after the batch has ended. */
  webhook: p.text().nullable(),
  /** Matrix that its cells were made of; null for rows. */
  matrix: p.json<Matrix>().nullable(),
  /** The number of cells. */
  total: p.integer(),
  /** Credits reserved for its cells when they were accepted. */
  cost: p.integer(),
  createdAt: time(),
  endedAt: time().nullable(),
  ...customData(),
});
