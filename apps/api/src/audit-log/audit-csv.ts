import type { AuditEntry } from '#audit-log';

const COLUMNS: Readonly<Record<string, (entry: AuditEntry) => string | number | null>> = {
  id: ({ id }) => id,
  at: ({ at }) => at.toISOString(),
  actor: ({ actor }) => (actor.type === 'user' ? (actor.email ?? `user ${actor.userId}`) : actor.type),
  user_id: ({ actor }) => (actor.type === 'user' ? actor.userId : null),
  via: ({ via }) => via,
  action: ({ action }) => action,
  target_type: ({ target }) => target.type,
  target_id: ({ target }) => target.id,
  target_name: ({ target }) => target.name,
  details: ({ details }) => JSON.stringify(details),
  address: ({ address }) => address,
  request_id: ({ requestId }) => requestId,
};

export const CSV_HEADER = rowOf(Object.keys(COLUMNS));

/** An entry as a line of CSV (RFC 4180). */
export function csvOf(entry: AuditEntry): string {
  return rowOf(Object.values(COLUMNS).map((valueOf) => valueOf(entry)));
}

function rowOf(values: readonly (string | number | null)[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

/** A spreadsheet would run a text that begins like a formula: an apostrophe makes it a text. */
function cellOf(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
