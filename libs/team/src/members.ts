import type { AuditLog } from '#audit-log';
import type { EventLog } from '#events';
import {
  assertMay,
  hashNewPassword,
  emailOf,
  type Accounts,
  type AccountStore,
  type Actor,
  type Email,
  type Gate,
  type Passwords,
  type TeamStore,
} from '#identity';
import { DomainError, notFound, type Clock, type Role, type UnitOfWork } from '#kernel';
import { INVITING_ROLES } from './domain/invitation.ts';
import { memberEvent } from './domain/member-event.ts';
import { assertTakesMembers, currentActor, newRoleOf, type AssignableRole } from './domain/team.ts';
import type { Invitations } from './invitations.ts';
import type { InvitationStore, Member, MemberStore } from './ports.ts';

export interface MemberToAdd {
  readonly email: string;
  readonly role: AssignableRole;
  /** The password of a new account; `null` for a user with an account, who must accept first. */
  readonly password: string | null;
}

/** An operator may do with members what the owner may. */
const OPERATOR = { userId: 0, role: 'owner' } as const;

export class Members {
  constructor(
    private readonly deps: {
      readonly accountStore: AccountStore;
      readonly accounts: Pick<Accounts, 'open'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly gate: Pick<Gate, 'requireActive'>;
      readonly passwords: Passwords;
      readonly teams: Pick<TeamStore, 'join' | 'requireFree'>;
      readonly members: MemberStore;
      readonly invitations: Pick<InvitationStore, 'revoke'>;
      readonly additions: Pick<Invitations, 'send'>;
      readonly events: EventLog;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Creates an account in the caller's team if a password is given. A user with an account gets an invitation instead,
   * which changes nothing until they accept it.
   *
   * @throws DomainError `forbidden`; `conflict` (a personal workspace); `validation_failed`; `user_exists` with
   * a password for an existing user; `not_found` without a password for an unknown address;
   * `already_member`; `in_other_team`
   */
  async add(actor: Actor, request: MemberToAdd): Promise<{ member: Member; createdUser: boolean }> {
    assertMay('team.add_member', actor);
    assertTakesMembers(actor);
    const email = emailOf(request.email);
    const { accounts, auditLog, passwords, unitOfWork, members, invitations, teams, clock } = this.deps;
    // Before the unit of work, so that no connection is reserved while the password is hashed.
    const passwordHash = request.password === null ? null : await hashNewPassword(passwords, request.password);
    return unitOfWork.run(async () => {
      const { workspaceId, userId: addedBy } = actor;
      assertMay('team.add_member', currentActor(actor, await members.lockRoles(workspaceId, [addedBy])));

      if (!passwordHash) return { member: await this.#addPending(actor, email, request.role), createdUser: false };
      const joinedAt = clock.now();
      await invitations.revoke(workspaceId, { email }, joinedAt);
      const { id: userId } = (await accounts.open({ email, name: null, passwordHash })).user;
      const { role } = request;
      await teams.join({ workspaceId, userId, role, addedBy, joinedAt });
      await auditLog.record({ action: 'team.member_add', target: userId, details: { role } });
      await this.deps.events.record(memberEvent('joined', workspaceId, userId, role, joinedAt));
      return { member: await this.#member(workspaceId, userId), createdUser: true };
    });
  }

  async #addPending(actor: Actor, email: Email, role: AssignableRole): Promise<Member> {
    const account = await this.deps.accountStore.findByEmail(email);
    if (!account) throw notFound('user: give a password to open an account for them, or invite them');
    const userId = account.id;
    const { inviter } = await this.deps.additions.send(actor, { email, role, userId });
    // Last, because `send` waits for a concurrent response to an earlier invitation.
    await this.deps.teams.requireFree(userId, actor.workspaceId);
    return { userId, email, name: null, role, joinedAt: null, addedBy: inviter.email, isConfirmed: false };
  }

  /**
   * Removes a member, the caller, or a pending addition. The user acts in their personal workspace again at once, and
   * their own invitations end. `PERMISSIONS` says who may do this: `team.leave` and `team.remove_member`.
   *
   * @returns whether the caller removed themselves
   * @throws DomainError `not_found`, `forbidden`, `owner_not_removable`; `workspace_suspended`, but for leaving
   */
  remove(actor: Actor, userId: number): Promise<boolean> {
    return this.deps.unitOfWork.run(async () => {
      const { workspaceId } = actor;
      const isSelf = userId === actor.userId;
      if (!isSelf) await this.deps.gate.requireActive(workspaceId);
      const { caller, role } = await this.#lock(actor, userId);
      const now = this.deps.clock.now();
      // Locks in the order of `Invitations.respond`, so that the two never deadlock.
      const revoked = await this.deps.invitations.revoke(workspaceId, role ? { invitedBy: userId } : { userId }, now);
      if (!role && !revoked) throw notFound('member');
      assertMay(isSelf ? 'team.leave' : 'team.remove_member', caller(), { role });
      await this.deps.members.remove(workspaceId, userId);
      if (role) await this.deps.events.record(memberEvent('left', workspaceId, userId, role, now));
      await this.deps.auditLog.record({ action: 'team.member_remove', target: userId, details: { left: isSelf } });
      return isSelf;
    });
  }

  /**
   * Changes the role of a member. Their own invitations end if they may no longer invite.
   *
   * @throws DomainError `not_found`, `forbidden`, `invalid_role_change`
   */
  changeRole(actor: Actor, userId: number, roleName: string): Promise<Member> {
    return this.deps.unitOfWork.run(async () => {
      const { caller, role } = await this.#lock(actor, userId);
      if (!role) throw notFound('member');
      assertMay('team.change_role', caller(), { role });
      const { workspaceId } = actor;
      await this.#setRole(workspaceId, userId, role, newRoleOf(roleName));
      return this.#member(workspaceId, userId);
    });
  }

  /**
   * Makes a user a member in a role, or changes the role of a member, for an operator, who needs nobody's consent. An
   * invitation of the user ends.
   *
   * @throws DomainError `not_found`; `in_other_team`; `invalid_role_change`
   */
  async putAsOperator(workspaceId: number, userId: number, roleName: string): Promise<Member> {
    const { accountStore, auditLog, invitations, members, teams, unitOfWork, clock } = this.deps;
    const role = newRoleOf(roleName);
    return unitOfWork.run(async () => {
      const user = await accountStore.find(userId);
      if (!user) throw notFound('user');
      const now = clock.now();
      await invitations.revoke(workspaceId, { email: user.email }, now);
      try {
        await teams.join({ workspaceId, userId, role, addedBy: null, joinedAt: now });
        await this.deps.events.record(memberEvent('joined', workspaceId, userId, role, now));
        await auditLog.record({ action: 'team.member_add', target: userId, details: { role }, workspaceId });
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'already_member') throw error;
        const before = (await members.lockRoles(workspaceId, [userId])).get(userId);
        if (!before) throw notFound('member');
        if (before !== role) {
          assertMay('team.change_role', OPERATOR, { role: before });
          await this.#setRole(workspaceId, userId, before, role);
        }
      }
      return this.#member(workspaceId, userId);
    });
  }

  /** Removes a member for an operator, as `remove`. @throws DomainError `not_found`; `owner_not_removable` */
  removeAsOperator(workspaceId: number, userId: number): Promise<void> {
    return this.deps.unitOfWork.run(async () => {
      const role = (await this.deps.members.lockRoles(workspaceId, [userId])).get(userId);
      if (!role) throw notFound('member');
      assertMay('team.remove_member', OPERATOR, { role });
      const now = this.deps.clock.now();
      await this.deps.invitations.revoke(workspaceId, { invitedBy: userId }, now);
      await this.deps.members.remove(workspaceId, userId);
      await this.deps.events.record(memberEvent('left', workspaceId, userId, role, now));
      const details = { left: false };
      await this.deps.auditLog.record({ action: 'team.member_remove', target: userId, details, workspaceId });
    });
  }

  /**
   * Makes another member the owner, and the owner an admin.
   *
   * @returns the new owner
   * @throws DomainError `forbidden`; `not_found`; `invalid_role_change` when that member is the owner already
   */
  transferOwnership(actor: Actor, heirId: number): Promise<Member> {
    return this.deps.unitOfWork.run(async () => {
      const { caller, role } = await this.#lock(actor, heirId);
      assertMay('team.transfer_ownership', caller(), { role });
      if (!role) throw notFound('member');
      const { workspaceId, userId } = actor;
      await this.deps.members.transferOwnership(workspaceId, userId, heirId);
      await this.#recordRole(workspaceId, heirId, 'owner');
      await this.#recordRole(workspaceId, userId, 'admin');
      await this.deps.auditLog.record({ action: 'team.ownership_transfer', target: heirId, details: {} });
      return this.#member(workspaceId, heirId);
    });
  }

  #recordRole(workspaceId: number, userId: number, role: Role): Promise<void> {
    return this.deps.events.record(memberEvent('role_changed', workspaceId, userId, role, this.deps.clock.now()));
  }

  async #setRole(workspaceId: number, userId: number, from: Role, to: AssignableRole): Promise<void> {
    await this.deps.members.changeRole(workspaceId, userId, to);
    await this.#recordRole(workspaceId, userId, to);
    await this.deps.auditLog.record({ action: 'team.role_change', target: userId, details: { from, to }, workspaceId });
    if (INVITING_ROLES.includes(to)) return;
    await this.deps.invitations.revoke(workspaceId, { invitedBy: userId }, this.deps.clock.now());
  }

  /** Locks the roles of the caller and of a member, whose role is undefined when they are not in the workspace. */
  async #lock(actor: Actor, userId: number) {
    const roles = await this.deps.members.lockRoles(actor.workspaceId, [actor.userId, userId]);
    return { caller: () => currentActor(actor, roles), role: roles.get(userId) };
  }

  async #member(workspaceId: number, userId: number): Promise<Member> {
    return (await this.deps.members.find(workspaceId, userId))!;
  }
}
