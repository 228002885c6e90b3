import { sql, type RawBuilder } from 'kysely';
import type { Database } from './database.ts';
import { anyIn, build, prepared } from './prepared.ts';

/** The days for which expired tokens and links for guests, ended invitations and exports, events, mails, and webhook deliveries stay visible. */
const KEPT_DAYS = 30;
/** The days for which trials of models are stored, as their outputs are. */
const TRIAL_DAYS = 1;
const GROUP_SIZE = 1000;

/** Deletes ended records that no other job deletes. */
export class PostgresRetention {
  /** @param auditDays for which entries of the audit log are kept */
  constructor(
    private readonly database: Database,
    private readonly auditDays: number,
  ) {}

  /**
   * Deletes tokens, invitations, exports and links for guests that ended, and events and webhook deliveries that began, thirty days before `now`;
   * trials of models that began a day before; and older entries of the audit log. Several processes may run it concurrently.
   *
   * @param signal when aborted, its reason is thrown before the next group
   * @returns the number of deleted records
   */
  async forget(now: Date, signal?: AbortSignal): Promise<number> {
    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
    const before = daysAgo(KEPT_DAYS);
    return (
      (await deleteInGroups(this.database, forgetTokens, before, signal)) +
      (await deleteInGroups(this.database, forgetMachineTokens, before, signal)) +
      (await deleteInGroups(this.database, forgetInvitations, before, signal)) +
      (await deleteInGroups(this.database, forgetExports, before, signal)) +
      (await deleteInGroups(this.database, forgetShares, before, signal)) +
      (await deleteInGroups(this.database, forgetDeliveries, before, signal)) +
      (await deleteInGroups(this.database, forgetEvents, before, signal)) +
      (await deleteInGroups(this.database, forgetInboxMails, before, signal)) +
      (await deleteInGroups(this.database, forgetTrials, daysAgo(TRIAL_DAYS), signal)) +
      (await deleteInGroups(this.database, forgetAuditEntries, daysAgo(this.auditDays), signal))
    );
  }
}

/**
 * Runs a statement of `deleteEnded` until no row is left to delete; returns the number of deleted rows.
 *
 * @param signal when aborted, its reason is thrown before the next group
 */
export async function deleteInGroups(
  database: Database,
  statement: ReturnType<typeof deleteEnded>,
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  let all = 0;
  for (let deleted = GROUP_SIZE; deleted === GROUP_SIZE; all += deleted) {
    signal?.throwIfAborted();
    deleted = (await database.run(statement, { before })).length;
  }
  return all;
}

/**
 * Deletes a group of the rows that ended at or before `before`, oldest first. Skips locked rows.
 *
 * @param key a unique column of the table
 */
export function deleteEnded(
  table:
    | 'api_tokens'
    | 'machine_tokens'
    | 'invitations'
    | 'idempotency_keys'
    | 'webhook_deliveries'
    | 'events'
    | 'exports'
    | 'inbox_mails'
    | 'trials'
    | 'audit_log'
    | 'shares',
  key: 'id' | 'ctid',
  endedAt: RawBuilder<Date>,
) {
  return prepared<{ readonly before: Date }>()((param) => {
    const ended = build
      .selectFrom(table)
      .select(sql.ref<string>(key).as('key'))
      .where(endedAt, '<=', param('before'))
      .orderBy(endedAt)
      .limit(GROUP_SIZE)
      .forUpdate()
      .skipLocked();
    return build
      .deleteFrom(table)
      .where(sql.ref<string>(key), '=', anyIn(ended))
      .returning(sql<1>`1`.as('deleted'));
  });
}

const forgetTokens = deleteEnded('api_tokens', 'id', sql.ref('expires_at'));

const forgetMachineTokens = deleteEnded('machine_tokens', 'id', sql.ref('expires_at'));

const forgetInvitations = deleteEnded('invitations', 'id', sql`coalesce(ended_at, expires_at)`);

const forgetShares = deleteEnded('shares', 'id', sql.ref('expires_at'));

const forgetExports = deleteEnded('exports', 'id', sql.ref('ended_at'));

const forgetDeliveries = deleteEnded('webhook_deliveries', 'id', sql.ref('created_at'));

const forgetEvents = deleteEnded('events', 'ctid', sql.ref('created_at'));

/** Series without a mail under way: they tell when the next one may be sent. */
const forgetInboxMails = deleteEnded(
  'inbox_mails',
  'ctid',
  sql`case when not is_announced then coalesce(sent_at, '-infinity'::timestamptz) end`,
);

const forgetTrials = deleteEnded('trials', 'id', sql.ref('created_at'));

const forgetAuditEntries = deleteEnded('audit_log', 'id', sql.ref('at'));
