import type { NewMember, NewTeam, TeamStore, WorkspaceChanges } from '#identity';
import { DomainError, notFound, type Role } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import { Workspace } from '../schema.ts';
import { insertFrom } from '../shapes.ts';
import { violates } from '../translate-database-error.ts';
import { externalIdTaken } from './postgres-accounts.ts';

/**
 * Has no effect for a user who is in a team already (`memberships_one_of_each_kind`), and when the user or the team is
 * being erased: the locks wait for the request of that, and then see it.
 */
const insertMember = prepared<Membership>()((param) =>
  insertFrom(
    build.insertInto('memberships'),
    (eb) =>
      eb
        .selectFrom(['workspaces', 'users'])
        .where((eb) =>
          eb.and({ 'workspaces.id': param('workspaceId'), 'workspaces.kind': 'team', 'users.id': param('userId') }),
        )
        .where('workspaces.erasure_requested_at', 'is', null)
        .where('users.erasure_requested_at', 'is', null)
        .forNoKeyUpdate('workspaces')
        .forKeyShare('users'),
    ({ ref }) => ({
      workspace_id: ref('workspaces.id'),
      user_id: ref('users.id'),
      is_team: true,
      ...param.columns('role', 'addedBy', 'joinedAt'),
    }),
  )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id'),
);

type Membership = Omit<NewMember, 'role'> & { readonly role: Role };

const holdSuspension = prepared<{ workspaceId: number }>()((param) =>
  build
    .selectFrom('workspaces')
    .select((eb) => eb('suspended_at', 'is not', null).$castTo<boolean>().as('isSuspended'))
    .where('id', '=', param('workspaceId'))
    .forKeyShare(),
);

export class PostgresTeams implements TeamStore {
  constructor(private readonly database: Database) {}

  /** An external id has one workspace (`workspaces_external_id`). */
  open({ ownerUserId: userId, openedAt, ...facts }: NewTeam): Promise<number> {
    return this.database.transaction(async () => {
      const added = this.database.em.insert(Workspace, { kind: 'team', createdAt: openedAt, ...facts });
      const workspaceId = await added.catch((error: unknown) => {
        throw violates(error, 'workspaces_external_id') ? externalIdTaken('workspace', error) : error;
      });
      const isAdded = await this.#addMember({ workspaceId, userId, role: 'owner', addedBy: null, joinedAt: openedAt });
      if (!isAdded) throw notFound('user');
      return workspaceId;
    });
  }

  async join(member: NewMember): Promise<void> {
    if (!(await this.#addMember(member))) throw notFound('team or user');
  }

  /** @returns false if the team or the user does not exist */
  async #addMember(member: Membership): Promise<boolean> {
    const isAdded = await this.database.any(insertMember, member);
    if (!isAdded) await this.requireFree(member.userId, member.workspaceId);
    return isAdded;
  }

  async update(workspaceId: number, changes: WorkspaceChanges): Promise<void> {
    if (Object.keys(changes).length > 0) await this.database.em.nativeUpdate(Workspace, { id: workspaceId }, changes);
  }

  async holdSuspension(workspaceId: number): Promise<boolean> {
    return (await this.database.one(holdSuspension, { workspaceId }))?.isSuspended ?? false;
  }

  /** `for update` alone conflicts with the locks of holders, which a change of columns passes. */
  async awaitHolders(workspaceId: number): Promise<void> {
    const workspace = this.database.kysely.selectFrom('workspaces').select('id').where('id', '=', workspaceId);
    await workspace.forUpdate().execute();
  }

  async requireFree(userId: number, workspaceId: number): Promise<void> {
    const memberships = this.database.kysely.selectFrom('memberships').select('workspace_id');
    const found = await memberships.where((eb) => eb.and({ user_id: userId, is_team: true })).executeTakeFirst();
    if (found)
      throw found.workspace_id === workspaceId
        ? new DomainError('already_member', 'this user is a member of the team already')
        : new DomainError('in_other_team', 'this user belongs to another team, which they must leave first');
  }
}
