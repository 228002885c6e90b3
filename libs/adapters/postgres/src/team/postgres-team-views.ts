import type { Month } from '#credits';
import { notFound } from '#kernel';
import type { MemberUsage, TeamOverview, TeamUsage, TeamViews } from '#team';
import type { Database } from '../database.ts';

export class PostgresTeamViews implements TeamViews {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async overview(workspaceId: number, month: Month): Promise<TeamOverview> {
    const overview = await this.#database.one<TeamOverview>(OVERVIEW, [workspaceId, `${month}-01`]);
    if (!overview) throw notFound('team');
    return overview;
  }

  async usage(workspaceId: number, month: Month, onlyUserId: number | null): Promise<TeamUsage> {
    const rows = await this.#database.query<MemberUsage & { totalUsed: number }>(USAGE, [
      workspaceId,
      `${month}-01`,
      onlyUserId,
    ]);
    return {
      totalUsed: rows[0]?.totalUsed ?? 0,
      members: rows.map(({ userId, email, role, used, generations }) => ({
        userId,
        email,
        role,
        used,
        generations,
      })),
    };
  }
}

const OVERVIEW = `
  select workspace.members_count as "membersCount", account.email as owner,
    coalesce(balance.used, 0) as used, coalesce(balance.granted, 0) as granted
  from workspaces workspace
  join memberships owner on owner.workspace_id = workspace.id and owner.role = 'owner'
  join users account on account.id = owner.user_id
  left join credit_months balance on balance.workspace_id = workspace.id and balance.month = $2::date
  where workspace.id = $1`;

const USAGE = `
  select account.id as "userId", account.email, member.role,
    coalesce(usage.used, 0) as used, coalesce(usage.generations, 0) as generations,
    coalesce((select used from credit_months where workspace_id = $1 and month = $2::date), 0) as "totalUsed"
  from (select * from memberships where workspace_id = $1) member
  full join (select * from credit_usage where workspace_id = $1 and month = $2::date) usage using (user_id)
  join users account on account.id = user_id
  where $3::bigint is null or user_id = $3
  order by used desc, account.id`;
