import { sql } from 'kysely';
import type { OperatorWorkspaces } from '#catalogue';
import type { Email } from '#identity';
import type { Role } from '#kernel';
import type { AssignableRole, Member, MemberStore } from '#team';
import type { Admins } from '#webhooks';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import { Membership } from '../schema.ts';
import { selectMembers } from './postgres-team-views.ts';

interface Key {
  readonly workspaceId: number;
  readonly userId: number;
}

const findMember = prepared<Key>()((param) =>
  selectMembers.where((eb) =>
    eb.and({ 'member.workspace_id': param('workspaceId'), 'member.user_id': param('userId') }),
  ),
);

/** Locks in one order, so that concurrent calls do not deadlock. */
const lockRoles = prepared<{ workspaceId: number; userIds: readonly number[] }>()((param) =>
  build
    .selectFrom('memberships')
    .select(['user_id', 'role'])
    .where('workspace_id', '=', param('workspaceId'))
    .where('user_id', '=', sql<number>`any(${param('userIds')}::bigint[])`)
    .orderBy('user_id')
    .forNoKeyUpdate(),
);

export class PostgresMembers implements MemberStore, Admins, OperatorWorkspaces {
  constructor(private readonly database: Database) {}

  find(workspaceId: number, userId: number): Promise<Member | null> {
    return this.database.one(findMember, { workspaceId, userId });
  }

  async lockRoles(workspaceId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, Role>> {
    const rows = await this.database.run(lockRoles, { workspaceId, userIds });
    return new Map(rows.map(({ user_id, role }) => [user_id, role]));
  }

  adminsOf(workspaceId: number): ReturnType<Admins['adminsOf']> {
    return this.database.kysely
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select(['users.id as userId', 'users.email'])
      .where('memberships.workspace_id', '=', workspaceId)
      .where('memberships.role', 'in', ['owner', 'admin'])
      .where('users.email', 'is not', null)
      .$narrowType<{ email: Email }>()
      .execute();
  }

  async workspacesOfOperators(): Promise<readonly number[]> {
    const rows = await this.database.kysely
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select('workspace_id as id')
      .where('users.is_operator', '=', true)
      .where('memberships.role', 'in', ['owner', 'admin'])
      .distinct()
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  async remove(workspaceId: number, userId: number): Promise<void> {
    await this.database.em.nativeDelete(Membership, { workspaceId, userId });
  }

  async changeRole(workspaceId: number, userId: number, role: AssignableRole): Promise<void> {
    await this.#setRole(workspaceId, userId, role);
  }

  async transferOwnership(workspaceId: number, ownerId: number, heirId: number): Promise<void> {
    // A team never has two owners (`memberships_one_owner`), and at each commit has one (`workspaces_an_owner`): the
    // former owner becomes an admin first.
    await this.#setRole(workspaceId, ownerId, 'admin');
    await this.#setRole(workspaceId, heirId, 'owner');
  }

  async #setRole(workspaceId: number, userId: number, role: Role): Promise<void> {
    await this.database.em.nativeUpdate(Membership, { workspaceId, userId }, { role });
  }
}
