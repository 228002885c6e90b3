import type { AuditEntry } from '#audit-log';
import { csvRow } from '#kernel';

const COLUMNS: Readonly<Record<string, (entry: AuditEntry) => string | number | null>> = {
  id: ({ id }) => id,
  at: ({ at }) => at.toISOString(),
  actor: ({ actor }) => (actor.type === 'user' ? (actor.email ?? `user ${actor.userId}`) : actor.type),
  user_id: ({ actor }) => (actor.type === 'user' ? actor.userId : null),
  via: ({ via }) => via,
  via_name: ({ viaName }) => viaName,
  action: ({ action }) => action,
  target_type: ({ target }) => target.type,
  target_id: ({ target }) => target.id,
  target_name: ({ target }) => target.name,
  details: ({ details }) => JSON.stringify(details),
  address: ({ address }) => address,
  request_id: ({ requestId }) => requestId,
};

export const CSV_HEADER = csvRow(Object.keys(COLUMNS));

/** An entry as a line of CSV (RFC 4180). */
export function csvOf(entry: AuditEntry): string {
  return csvRow(Object.values(COLUMNS).map((valueOf) => valueOf(entry)));
}
