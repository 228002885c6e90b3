import type { Directory, DirectoryUser, DirectoryWorkspace, Email } from '#identity';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { pageValues } from '../prepared.ts';

export class PostgresDirectory implements Directory {
  constructor(private readonly db: Database) {}

  async users(page: PageRequest, search: string | null): Promise<Page<DirectoryUser>> {
    const { before, limit } = pageValues(page);
    const rows = await selectUsers(this.db)
      .where('users.id', '<', before)
      .$if(search !== null, (query) =>
        query.where((eb) => eb(eb.fn('strpos', ['users.email', eb.val(search!.toLowerCase())]), '>', 0)),
      )
      .orderBy('users.id', 'desc')
      .limit(limit!)
      .execute();
    return pageOf(rows.map(userOf), page.limit, ({ id }) => id);
  }

  async userByEmail(email: Email): Promise<DirectoryUser | null> {
    const row = await selectUsers(this.db).where('users.email', '=', email).executeTakeFirst();
    return row ? userOf(row) : null;
  }

  async workspaces(page: PageRequest, teamsOnly: boolean): Promise<Page<DirectoryWorkspace>> {
    const { before, limit } = pageValues(page);
    const rows = await selectWorkspaces(this.db)
      .where('workspaces.id', '<', before)
      .$if(teamsOnly, (query) => query.where('workspaces.kind', '=', 'team'))
      .orderBy('workspaces.id', 'desc')
      .limit(limit!)
      .execute();
    return pageOf(rows.map(workspaceOf), page.limit, ({ id }) => id);
  }

  async workspace(id: number): Promise<DirectoryWorkspace | null> {
    const row = await selectWorkspaces(this.db).where('workspaces.id', '=', id).executeTakeFirst();
    return row ? workspaceOf(row) : null;
  }
}

/** Every user with the workspace in which they act. */
function selectUsers({ kysely }: Database) {
  return kysely
    .selectFrom('users')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('memberships')
          .select(['workspace_id', 'is_team', 'role'])
          .whereRef('user_id', '=', 'users.id')
          .orderBy('is_team', 'desc')
          .limit(1)
          .as('membership'),
      (join) => join.onTrue(),
    )
    .innerJoin('workspaces', 'workspaces.id', 'membership.workspace_id')
    .select(['users.id', 'users.email', 'users.name', 'users.created_at', 'workspaces.plan'])
    .select(['membership.workspace_id', 'membership.is_team', 'membership.role']);
}

/** Every workspace with its owner. */
function selectWorkspaces({ kysely }: Database) {
  return kysely
    .selectFrom('workspaces')
    .innerJoin('memberships as ownership', (join) =>
      join.onRef('ownership.workspace_id', '=', 'workspaces.id').on('ownership.role', '=', 'owner'),
    )
    .innerJoin('users as owner', 'owner.id', 'ownership.user_id')
    .select(['workspaces.id', 'workspaces.kind', 'workspaces.plan', 'workspaces.created_at'])
    .select(['workspaces.members_count', 'owner.email as owner']);
}

type RowOf<Select extends (db: Database) => { execute(): Promise<readonly unknown[]> }> = Awaited<
  ReturnType<ReturnType<Select>['execute']>
>[number];

function userOf(row: RowOf<typeof selectUsers>): DirectoryUser {
  return {
    id: row.id,
    email: row.email as Email,
    name: row.name,
    plan: row.plan,
    role: row.role,
    createdAt: row.created_at,
    workspaceId: row.workspace_id,
    isTeam: row.is_team,
  };
}

function workspaceOf(row: RowOf<typeof selectWorkspaces>): DirectoryWorkspace {
  return {
    id: row.id,
    isTeam: row.kind === 'team',
    plan: row.plan,
    owner: row.owner as Email,
    members: row.members_count,
    createdAt: row.created_at,
  };
}
