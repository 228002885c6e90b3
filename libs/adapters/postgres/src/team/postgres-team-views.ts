import { sql, type NotNull } from 'kysely';
import type { Month } from '#credits';
import type { Email } from '#identity';
import { notFound, pageOf, type Page, type PageRequest, type Role } from '#kernel';
import type { Member, PendingInvitation, TeamOverview, TeamUsage, TeamViews } from '#team';
import type { Database } from '../database.ts';
import { build, pageValues, prepared, type PageValues, type Param } from '../prepared.ts';
import { isPending, pendingOf, selectPending } from './postgres-invitations.ts';

export const selectMembers = build
  .selectFrom('memberships as member')
  .innerJoin('users', 'users.id', 'member.user_id')
  .where('users.email', 'is not', null)
  .leftJoin('users as adder', 'adder.id', 'member.added_by')
  .select(['users.id as userId', 'users.email', 'users.name', 'member.role'])
  .$narrowType<{ email: Email }>()
  .select((eb) => eb.ref('member.joined_at').$castTo<Date | null>().as('joinedAt'))
  .select('adder.email as addedBy')
  .select((eb) => eb('users.confirmed_at', 'is not', null).$castTo<boolean>().as('isConfirmed'));

/** Pending additions as members, with the data that their inviter may see. */
const selectAdditions = (param: Param<{ workspaceId: number; now: Date }>) =>
  build
    .selectFrom('invitations')
    .innerJoin('users as adder', 'adder.id', 'invitations.invited_by')
    .select(['invitations.user_id as userId', 'invitations.email', sql<string | null>`null`.as('name')])
    .select((eb) => eb.ref('invitations.role').$castTo<Role>().as('role'))
    .select(sql<Date | null>`null::timestamptz`.as('joinedAt'))
    .select((eb) => eb.ref('adder.email').$castTo<Email | null>().as('addedBy'))
    .select(sql<boolean>`false`.as('isConfirmed'))
    .$narrowType<{ userId: NotNull }>()
    .where('invitations.workspace_id', '=', param('workspaceId'))
    .where('invitations.user_id', 'is not', null)
    .where(isPending(param('now')));

const listMembers = prepared<PageValues & { workspaceId: number; now: Date }>()((param) =>
  build
    .selectFrom(
      selectMembers
        .where('member.workspace_id', '=', param('workspaceId'))
        .where('member.user_id', '<', param('before'))
        .orderBy('member.user_id', 'desc')
        .limit(param('limit'))
        .as('member'),
    )
    .selectAll()
    .unionAll(selectAdditions(param).where('invitations.user_id', '<', param('before')))
    .orderBy('userId', 'desc')
    .limit(param('limit')),
);

const listPending = prepared<PageValues & { workspaceId: number; now: Date }>()((param) =>
  selectPending(param('now'))
    .where('invitations.workspace_id', '=', param('workspaceId'))
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
    .where('owner.email', 'is not', null)
    .leftJoin('credit_months as balance', (join) =>
      join.onRef('balance.workspace_id', '=', 'workspaces.id').on('balance.month', '=', param('month')),
    )
    .select(['workspaces.members_count as membersCount', 'owner.email as owner'])
    .$narrowType<{ owner: Email }>()
    .select(({ fn }) => fn.coalesce('balance.used', sql.lit(0)).as('used'))
    .select(({ fn }) => fn.coalesce('balance.granted', sql.lit(0)).as('granted'))
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
        .where((eb) => eb.and({ workspace_id: param('workspaceId'), month: param('month') })),
    )
    .selectFrom('member')
    .fullJoin('usage', 'usage.user_id', 'member.user_id')
    .innerJoin('users', (join) =>
      join.on((eb) => eb('users.id', '=', eb.fn.coalesce('member.user_id', 'usage.user_id'))),
    )
    .select((eb) => [
      'users.id as userId',
      'users.email',
      'member.role',
      eb.fn.coalesce('usage.used', sql.lit(0)).as('used'),
      eb.fn.coalesce('usage.generations', sql.lit(0)).as('generations'),
      eb
        .selectFrom('credit_months')
        .select('credit_months.used')
        .where((eb) => eb.and({ workspace_id: param('workspaceId'), month: param('month') }))
        .as('totalUsed'),
    ])
    .where((eb) => {
      const only = sql<number | null>`${param('onlyUserId')}::bigint`;
      return eb.or([eb(only, 'is', null), eb('users.id', '=', only)]);
    })
    .orderBy('used', 'desc')
    .orderBy('users.id'),
);

export class PostgresTeamViews implements TeamViews {
  constructor(private readonly database: Database) {}

  async overview(workspaceId: number, month: Month): Promise<TeamOverview> {
    const row = await this.database.one(readOverview, { workspaceId, month: `${month}-01` });
    if (!row) throw notFound('team');
    return row;
  }

  async usage(workspaceId: number, month: Month, onlyUserId: number | null): Promise<TeamUsage> {
    const rows = await this.database.run(readUsage, { workspaceId, month: `${month}-01`, onlyUserId });
    const members = rows.map(({ userId, email, role, used, generations }) => {
      return { userId, email, role, used, generations };
    });
    return { totalUsed: rows[0]?.totalUsed ?? 0, members };
  }

  async members(workspaceId: number, now: Date, page: PageRequest): Promise<Page<Member>> {
    const rows = await this.database.run(listMembers, { workspaceId, now, ...pageValues(page) });
    return pageOf(rows, page.limit, ({ userId }) => userId);
  }

  async invitations(workspaceId: number, now: Date, page: PageRequest): Promise<Page<PendingInvitation>> {
    const rows = await this.database.run(listPending, { workspaceId, now, ...pageValues(page) });
    return pageOf(rows.map(pendingOf), page.limit, ({ id }) => id);
  }
}
