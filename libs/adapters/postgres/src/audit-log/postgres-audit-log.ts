import { sql, type SelectQueryBuilder } from 'kysely';
import {
  AUDIT_TARGETS,
  type AuditEntries,
  type AuditEntry,
  type AuditFilter,
  type AuditTargetType,
  type StoredAuditEntry,
} from '#audit-log';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { membershipOf } from '../identity/postgres-tokens.ts';
import type { Tables } from '../schema.ts';

/** The tables of targets whose name is kept. Deleted rows still have it when the deletion is recorded. */
const NAMED = {
  board: 'boards',
  folder: 'folders',
  machine_token: 'machine_tokens',
  persona: 'personas',
  preset: 'presets',
  search: 'saved_searches',
  share: 'shares',
  token: 'api_tokens',
} as const;

const isNamed = (type: AuditTargetType): type is keyof typeof NAMED => type in NAMED;

export class PostgresAuditLog implements AuditEntries {
  constructor(private readonly database: Database) {}

  async add(entry: StoredAuditEntry): Promise<void> {
    if (!this.database.isInTransaction) {
      throw new Error(`${entry.action} must be recorded in the unit of work of what it records`);
    }
    const { kysely } = this.database;
    const { via, userId, target: targetId, workspace } = entry;
    const targetType: AuditTargetType = AUDIT_TARGETS[entry.action];
    await kysely
      .insertInto('audit_log')
      .values({
        workspace_id:
          workspace === null || typeof workspace === 'number'
            ? workspace
            : sql<number>`(select workspace_id from ${membershipOf(sql`${workspace.ofUser}::bigint`)})`,
        at: entry.at,
        actor: entry.actor,
        user_id: userId,
        via:
          via === null || typeof via === 'string'
            ? via
            : kysely
                .selectFrom('api_tokens')
                .select(sql<'token' | 'session'>`case kind when 'api' then 'token' else 'session' end`.as('via'))
                .where('id', '=', via.tokenId),
        via_name: entry.viaName,
        action: entry.action,
        target_type: targetType,
        target_id: targetId,
        target_name: isNamed(targetType)
          ? kysely.selectFrom(NAMED[targetType]).select('name').where('id', '=', targetId)
          : null,
        details: sql<StoredAuditEntry['details']>`${JSON.stringify(entry.details)}::jsonb`,
        address: entry.address,
        request_id: entry.requestId,
      })
      .execute();
  }

  async page(
    workspaceId: number | null,
    filter: AuditFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<AuditEntry>> {
    const { kysely } = this.database;
    const all = kysely.selectFrom('audit_log as entry');
    let entries = workspaceId === null ? all.where(OF_OPERATORS) : all.where('entry.workspace_id', '=', workspaceId);
    entries = filtered(entries, filter);
    if (after !== null) {
      const at = kysely.selectFrom('audit_log').select('at').where('id', '=', after);
      entries = entries.where(sql<boolean>`(entry.at, entry.id) < ((${at}), ${after}::bigint)`);
    }
    if (limit !== null) entries = entries.limit(limit + 1);
    const rows = await entries
      .leftJoin('users as person', 'person.id', 'entry.user_id')
      .select(['entry.id', 'entry.at', 'entry.actor', 'entry.user_id', 'entry.via', 'entry.action'])
      .select(['entry.target_type', 'entry.target_id', 'entry.target_name', 'entry.details'])
      .select(['entry.address', 'entry.request_id as requestId', 'entry.via_name as viaName', 'person.email'])
      .select((eb) => [
        eb
          .selectFrom('users')
          .select('users.email')
          .where(sql.ref('entry.target_type'), '=', 'user')
          .whereRef('users.id', '=', 'entry.target_id')
          .as('target_user'),
        eb
          .selectFrom('invitations')
          .select('invitations.email')
          .where(sql.ref('entry.target_type'), '=', 'invitation')
          .whereRef('invitations.id', '=', 'entry.target_id')
          .as('target_invitation'),
        eb
          .selectFrom('memberships')
          .innerJoin('users', 'users.id', 'memberships.user_id')
          .select('users.email')
          .where(sql.ref('entry.target_type'), '=', 'workspace')
          .whereRef('memberships.workspace_id', '=', 'entry.target_id')
          .where('memberships.role', '=', 'owner')
          .as('target_owner'),
      ])
      .orderBy('entry.at', 'desc')
      .orderBy('entry.id', 'desc')
      .execute();
    const found = rows.map(({ id, at, actor, via, viaName, action, address, requestId, ...row }): AuditEntry => ({
      id,
      at,
      actor: actor === 'user' ? { type: 'user', userId: row.user_id!, email: row.email } : { type: actor },
      via,
      viaName,
      action,
      target: {
        type: row.target_type,
        id: row.target_id,
        name: row.target_name ?? row.target_user ?? row.target_invitation ?? row.target_owner ?? idOf(row.details),
      },
      details: row.details,
      address,
      requestId,
    }));
    return pageOf(found, limit, ({ id }) => id);
  }
}

/** Entries of operators and of the whole service. Written as in the index `audit_log_operators`, which it needs. */
const OF_OPERATORS = sql<boolean>`(entry.workspace_id is null or entry.actor = 'operator'
  or entry.action = 'account.operator_change')`;

/** Id of an entry of the catalogue. */
function idOf(details: object): string | null {
  return 'id' in details && typeof details.id === 'string' ? details.id : null;
}

type Entries = SelectQueryBuilder<Tables & { entry: Tables['audit_log'] }, 'entry', object>;

/** Each filter has its index, in the order of time. */
function filtered(entries: Entries, { actor, action, target, after, before }: AuditFilter): Entries {
  let found = entries;
  if (typeof actor === 'number') found = found.where('entry.user_id', '=', actor);
  else if (actor !== undefined) found = found.where('entry.actor', '=', actor).where('entry.user_id', 'is', null);
  if (action !== undefined) found = found.where('entry.action', '=', action);
  if (target) found = found.where('entry.target_type', '=', target.type).where('entry.target_id', '=', target.id);
  if (after) found = found.where('entry.at', '>=', after);
  if (before) found = found.where('entry.at', '<', before);
  return found;
}
