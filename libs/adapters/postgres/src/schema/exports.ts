import { p } from '@mikro-orm/postgresql';
import { EXPORT_STATES } from '#export';
import { id, ref, table, time } from './columns.ts';

/** The columns that a state does not have are null. */
export const ExportRow = table('ExportRow', 'exports', {
  id: id(),
  userId: ref(),
  state: p.enum(EXPORT_STATES),
  attempt: p.integer().nullable(),
  key: p.text().nullable(),
  size: p.bigint('number').nullable(),
  createdAt: time(),
  expiresAt: time().nullable(),
  endedAt: time().nullable(),
});
