import { sql, type CompiledQuery } from 'kysely';
import type { Month } from '#credits';
import type { Email } from '#identity';
import { notFound, pageOf, type Page, type PageRequest } from '#kernel';
import type { Member, PendingInvitation, TeamOverview, TeamUsage, TeamViews } from '#team';
import type { Database } from '../database.ts';
import { build, pageValues, prepared, type PageValues } from '../prepared.ts';
import { pendingOf, selectInvitations } from './postgres-invitations.ts';

export const selectMembers = build
  .selectFrom('memberships as member')
  .innerJoin('users', 'users.id', 'member.user_id')
  .leftJoin('users as adder', 'adder.id', 'member.added_by')
  .select(['users.id', 'users.email', 'users.name', 'users.confirmed_at', 'member.role', 'member.joined_at'])
  .select('adder.email as added_by');

type MemberRow = typeof selectMembers extends { compile(): CompiledQuery<infer Row> } ? Row : never;

export function memberOf(row: MemberRow): Member {
  return {
    userId: row.id,
    email: row.email as Email,
    name: row.name,
    role: row.role,
    joinedAt: row.joined_at,
    addedBy: row.added_by as Email | null,
    isConfirmed: row.confirmed_at !== null,
  };
}

const listMembers = prepared<PageValues & { workspaceId: number }>()((param) =>
  selectMembers
    .where('member.workspace_id', '=', param('workspaceId'))
    .where('member.user_id', '<', param('before'))
    .orderBy('member.user_id', 'desc')
    .limit(param('limit')),
);

const listPending = prepared<PageValues & { workspaceId: number; now: Date }>()((param) =>
  selectInvitations
    .where('invitations.state', '=', 'pending')
    .where('invitations.workspace_id', '=', param('workspaceId'))
    .where('invitations.expires_at', '>', param('now'))
    .where('invitations.id', '<', param('before'))
    .orderBy('invitations.id', 'desc')
    .limit(param('limit')),
);

interface InMonth {
  readonly workspaceId: number;
  /** Its first day. */
  readonly month: string;
}

const readOverview = prepared<InMonth>()((param) =>
  build
    .selectFrom('workspaces')
    .innerJoin('memberships as ownership', (join) =>
      join.onRef('ownership.workspace_id', '=', 'workspaces.id').on('ownership.role', '=', 'owner'),
    )
    .innerJoin('users as owner', 'owner.id', 'ownership.user_id')
    .leftJoin('credit_months as balance', (join) =>
      join.onRef('balance.workspace_id', '=', 'workspaces.id').on('balance.month', '=', param('month')),
    )
    .select(['workspaces.members_count', 'owner.email as owner', 'balance.used', 'balance.granted'])
    .where('workspaces.id', '=', param('workspaceId')),
);

const readUsage = prepared<InMonth & { onlyUserId: number | null }>()((param) =>
  build
    .with('member', (db) =>
      db.selectFrom('memberships').select(['user_id', 'role']).where('workspace_id', '=', param('workspaceId')),
    )
    .with('usage', (db) =>
      db
        .selectFrom('credit_usage')
        .select(['user_id', 'used', 'generations'])
        .where('workspace_id', '=', param('workspaceId'))
        .where('month', '=', param('month')),
    )
    .selectFrom('member')
    .fullJoin('usage', 'usage.user_id', 'member.user_id')
    .innerJoin('users', (join) =>
      join.on((eb) => eb('users.id', '=', eb.fn.coalesce('member.user_id', 'usage.user_id'))),
    )
    .select((eb) => [
      'users.id',
      'users.email',
      'member.role',
      eb.fn.coalesce('usage.used', sql.lit(0)).as('used'),
      eb.fn.coalesce('usage.generations', sql.lit(0)).as('generations'),
      eb
        .selectFrom('credit_months')
        .select('credit_months.used')
        .where('workspace_id', '=', param('workspaceId'))
        .where('month', '=', param('month'))
        .as('total_used'),
    ])
    .where((eb) => {
      const only = sql<number | null>`${param('onlyUserId')}::bigint`;
      return eb.or([eb(only, 'is', null), eb('users.id', '=', only)]);
    })
    .orderBy('used', 'desc')
    .orderBy('users.id'),
);

export class PostgresTeamViews implements TeamViews {
  constructor(private readonly db: Database) {}

  async overview(workspaceId: number, month: Month): Promise<TeamOverview> {
    const row = await this.db.one(readOverview, { workspaceId, month: `${month}-01` });
    if (!row) throw notFound('team');
    const { members_count: membersCount, owner, used, granted } = row;
    return { membersCount, owner: owner as Email, used: used ?? 0, granted: granted ?? 0 };
  }

  async usage(workspaceId: number, month: Month, onlyUserId: number | null): Promise<TeamUsage> {
    const rows = await this.db.run(readUsage, { workspaceId, month: `${month}-01`, onlyUserId });
    const members = rows.map(({ id: userId, email, role, used, generations }) => {
      return { userId, email: email as Email, role, used, generations };
    });
    return { totalUsed: rows[0]?.total_used ?? 0, members };
  }

  async members(workspaceId: number, page: PageRequest): Promise<Page<Member>> {
    const rows = await this.db.run(listMembers, { workspaceId, ...pageValues(page) });
    return pageOf(rows.map(memberOf), page.limit, ({ userId }) => userId);
  }

  async invitations(workspaceId: number, now: Date, page: PageRequest): Promise<Page<PendingInvitation>> {
    const rows = await this.db.run(listPending, { workspaceId, now, ...pageValues(page) });
    return pageOf(rows.map(pendingOf), page.limit, ({ id }) => id);
  }
}
