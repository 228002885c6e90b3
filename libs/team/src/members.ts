import {
  assertMay,
  chosenPassword,
  emailOf,
  type Accounts,
  type AccountStore,
  type Actor,
  type Email,
  type PasswordHash,
  type Passwords,
  type TeamStore,
} from '#identity';
import { notFound, type Clock, type UnitOfWork } from '#kernel';
import { assertTakesMembers, currentActor, newRoleOf, type AssignableRole } from './domain/team.ts';
import type { InvitationStore, Member, MemberStore } from './ports.ts';

export interface MemberToAdd {
  readonly email: string;
  readonly role: AssignableRole;
  /** Of the account to open; `null` for a user who has an account. */
  readonly password: string | null;
}

export class Members {
  constructor(
    private readonly to: {
      readonly accountStore: AccountStore;
      readonly accounts: Pick<Accounts, 'open'>;
      readonly passwords: Passwords;
      readonly teams: Pick<TeamStore, 'join'>;
      readonly members: MemberStore;
      readonly invitations: Pick<InvitationStore, 'revokeFor'>;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Adds a user to the caller's team, and opens their account if a password is given.
   *
   * @throws DomainError `forbidden`; `conflict` (a personal workspace); `validation_failed`; `user_exists` when an
   * account is to be opened and there is one; `not_found` when none is to be opened and there is none;
   * `already_member`; `in_other_team`
   */
  async add(actor: Actor, request: MemberToAdd): Promise<{ member: Member; createdUser: boolean }> {
    assertMay('team.add_member', actor);
    assertTakesMembers(actor);
    const email = emailOf(request.email);
    const { passwords, unitOfWork, members, invitations, teams, clock } = this.to;
    // Before the unit of work, so that no connection is reserved while the password is hashed.
    const passwordHash = request.password === null ? null : await passwords.hash(chosenPassword(request.password));
    return unitOfWork.run(async () => {
      const { workspaceId, userId: addedBy } = actor;
      assertMay('team.add_member', currentActor(actor, await members.lockRoles(workspaceId, [addedBy])));

      const joinedAt = clock.now();
      await invitations.revokeFor(workspaceId, email, joinedAt);
      const userId = await this.userFor(email, passwordHash);
      await teams.join({ workspaceId, userId, role: request.role, addedBy, joinedAt });
      return { member: await this.member(workspaceId, userId), createdUser: passwordHash !== null };
    });
  }

  /**
   * Removes a member, or the caller themselves. They act in their personal workspace again at once.
   *
   * @returns whether the caller removed themselves
   * @throws DomainError `not_found`, `forbidden`, `owner_not_removable`
   */
  remove(actor: Actor, userId: number): Promise<boolean> {
    return this.to.unitOfWork.run(async () => {
      const isSelf = userId === actor.userId;
      const { caller, role } = await this.lock(actor, userId);
      if (!role) throw notFound('member');
      assertMay(isSelf ? 'team.leave' : 'team.remove_member', caller(), { role });
      await this.to.members.remove(actor.workspaceId, userId);
      return isSelf;
    });
  }

  /** @throws DomainError `not_found`, `forbidden`, `invalid_role_change` */
  changeRole(actor: Actor, userId: number, newRole: string): Promise<Member> {
    return this.to.unitOfWork.run(async () => {
      const { caller, role } = await this.lock(actor, userId);
      if (!role) throw notFound('member');
      assertMay('team.change_role', caller(), { role });
      await this.to.members.changeRole(actor.workspaceId, userId, newRoleOf(newRole));
      return this.member(actor.workspaceId, userId);
    });
  }

  /**
   * Makes another member the owner, and the owner an admin.
   *
   * @returns the new owner
   * @throws DomainError `forbidden`; `not_found`; `invalid_role_change` when that member is the owner already
   */
  transferOwnership(actor: Actor, heirId: number): Promise<Member> {
    return this.to.unitOfWork.run(async () => {
      const { caller, role } = await this.lock(actor, heirId);
      assertMay('team.transfer_ownership', caller(), { role });
      if (!role) throw notFound('member');
      await this.to.members.transferOwnership(actor.workspaceId, actor.userId, heirId);
      return this.member(actor.workspaceId, heirId);
    });
  }

  /** Locks the roles of the caller and of a member, whose role is undefined when they are not in the workspace. */
  private async lock(actor: Actor, userId: number) {
    const roles = await this.to.members.lockRoles(actor.workspaceId, [actor.userId, userId]);
    return { caller: () => currentActor(actor, roles), role: roles.get(userId) };
  }

  private async member(workspaceId: number, userId: number): Promise<Member> {
    return (await this.to.members.find(workspaceId, userId))!;
  }

  private async userFor(email: Email, passwordHash: PasswordHash | null): Promise<number> {
    if (passwordHash) return (await this.to.accounts.open({ email, name: null, passwordHash })).user.id;
    const account = await this.to.accountStore.findByEmail(email);
    if (!account) throw notFound('user: give a password to open an account for them, or invite them');
    return account.id;
  }
}
