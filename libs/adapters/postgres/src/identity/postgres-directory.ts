import { sql } from 'kysely';
import type { Directory, DirectoryFilter, DirectoryUser, DirectoryWorkspace, Email } from '#identity';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { pageValues } from '../prepared.ts';
import { membershipOf } from './postgres-tokens.ts';

export class PostgresDirectory implements Directory {
  constructor(private readonly database: Database) {}

  async users(page: PageRequest, search: string | null, externalId?: string): Promise<Page<DirectoryUser>> {
    const { before, limit } = pageValues(page);
    const rows = await selectUsers(this.database)
      .where('users.id', '<', before)
      .$if(search !== null, (query) =>
        query.where((eb) => eb(eb.fn('strpos', ['users.email', eb.val(search!.toLowerCase())]), '>', 0)),
      )
      .$if(externalId !== undefined, (query) => query.where('users.external_id', '=', externalId!))
      .orderBy('users.id', 'desc')
      .limit(limit!)
      .execute();
    return pageOf(rows, page.limit, ({ id }) => id);
  }

  async user(id: number): Promise<DirectoryUser | null> {
    return (await selectUsers(this.database).where('users.id', '=', id).executeTakeFirst()) ?? null;
  }

  async userByEmail(email: Email): Promise<DirectoryUser | null> {
    return (await selectUsers(this.database).where('users.email', '=', email).executeTakeFirst()) ?? null;
  }

  async workspaces(
    page: PageRequest,
    { isTeam, plan, externalId }: DirectoryFilter,
  ): Promise<Page<DirectoryWorkspace>> {
    const { before, limit } = pageValues(page);
    const rows = await selectWorkspaces(this.database)
      .where('workspaces.id', '<', before)
      .$if(isTeam === true, (query) => query.where('workspaces.kind', '=', 'team'))
      .$if(plan !== undefined, (query) => query.where('workspaces.plan', '=', plan!))
      .$if(externalId !== undefined, (query) => query.where('workspaces.external_id', '=', externalId!))
      .orderBy('workspaces.id', 'desc')
      .limit(limit!)
      .execute();
    return pageOf(rows, page.limit, ({ id }) => id);
  }

  async workspace(id: number): Promise<DirectoryWorkspace | null> {
    return (await selectWorkspaces(this.database).where('workspaces.id', '=', id).executeTakeFirst()) ?? null;
  }
}

function selectUsers({ kysely }: Database) {
  return kysely
    .selectFrom('users')
    .innerJoinLateral(membershipOf(sql.ref('users.id')), (join) => join.onTrue())
    .innerJoin('workspaces', 'workspaces.id', 'membership.workspace_id')
    .where('users.email', 'is not', null)
    .where('users.is_service', '=', false)
    .select(['users.id', 'users.email', 'users.name', 'users.created_at as createdAt', 'workspaces.plan'])
    .select(['users.is_operator as isOperator', 'users.external_id as externalId'])
    .select(['membership.workspace_id as workspaceId', 'membership.is_team as isTeam', 'membership.role'])
    .$narrowType<{ email: Email }>();
}

function selectWorkspaces({ kysely }: Database) {
  return kysely
    .selectFrom('workspaces')
    .innerJoin('memberships as ownership', (join) =>
      join.onRef('ownership.workspace_id', '=', 'workspaces.id').on('ownership.role', '=', 'owner'),
    )
    .innerJoin('users as owner', 'owner.id', 'ownership.user_id')
    .where('workspaces.erasure_requested_at', 'is', null)
    .select(['workspaces.name', 'workspaces.external_id as externalId', 'owner.id as ownerId'])
    .select(['workspaces.id', 'workspaces.plan', 'workspaces.created_at as createdAt'])
    .select(['workspaces.members_count as members'])
    .select((eb) => [
      sql<Email | null>`case when not owner.is_service then owner.email end`.as('owner'),
      eb('workspaces.kind', '=', 'team').$castTo<boolean>().as('isTeam'),
      eb('workspaces.suspended_at', 'is not', null).$castTo<boolean>().as('isSuspended'),
    ]);
}
