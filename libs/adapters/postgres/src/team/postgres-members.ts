import { type Page, pageOf, type PageRequest, type Role } from '#kernel';
import type { AssignableRole, Member, Members } from '#team';
import type { Database } from '../database.ts';

export class PostgresMembers implements Members {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(workspaceId: number, userId: number): Promise<Member | null> {
    return this.#database.one<Member>(FIND, [workspaceId, userId]);
  }

  async list(workspaceId: number, { limit, after }: PageRequest): Promise<Page<Member>> {
    const rows = await this.#database.query<Member>(LIST, [
      workspaceId,
      after,
      limit === null ? null : limit + 1,
    ]);
    return pageOf(rows, limit, ({ userId }) => userId);
  }

  async holdRoles(workspaceId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, Role>> {
    const rows = await this.#database.query<{ userId: number; role: Role }>(HOLD_ROLES, [
      workspaceId,
      userIds,
    ]);
    return new Map(rows.map(({ userId, role }) => [userId, role]));
  }

  async remove(workspaceId: number, userId: number): Promise<void> {
    await this.#database.query(REMOVE, [workspaceId, userId]);
  }

  async changeRole(workspaceId: number, userId: number, role: AssignableRole): Promise<void> {
    await this.#database.query(CHANGE_ROLE, [workspaceId, userId, role]);
  }

  async transferOwnership(workspaceId: number, ownerId: number, heirId: number): Promise<void> {
    await this.#database.query(TRANSFER_OWNERSHIP, [workspaceId, ownerId, heirId]);
  }
}

const MEMBERS = `
  select member.user_id as "userId", account.email, account.name, member.role, member.joined_at as "joinedAt",
    adder.email as "addedBy", account.confirmed_at is not null as "isConfirmed"
  from memberships member
  join users account on account.id = member.user_id
  left join users adder on adder.id = member.added_by
  where member.workspace_id = $1`;

const FIND = `${MEMBERS} and member.user_id = $2`;

const LIST = `
  ${MEMBERS} and ($2::bigint is null or member.user_id < $2)
  order by member.user_id desc
  limit $3`;

// Always in the same order, so that two that hold the same roles wait and don't deadlock.
const HOLD_ROLES = `
  select user_id as "userId", role from memberships
  where workspace_id = $1 and user_id = any($2::bigint[])
  order by user_id
  for no key update`;

const REMOVE = `delete from memberships where workspace_id = $1 and user_id = $2`;

const CHANGE_ROLE = `update memberships set role = $3 where workspace_id = $1 and user_id = $2`;

// The second update reads the first, which is therefore done before it: there are never two owners.
const TRANSFER_OWNERSHIP = `
  with retired as (
    update memberships set role = 'admin' where workspace_id = $1 and user_id = $2 and role = 'owner'
    returning workspace_id
  )
  update memberships set role = 'owner' from retired
  where memberships.workspace_id = retired.workspace_id and memberships.user_id = $3`;
