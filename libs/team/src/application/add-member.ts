import {
  assertMay,
  chosenPassword,
  emailOf,
  type Accounts,
  type Actor,
  type Email,
  type OpenAccount,
  type PasswordHash,
  type Passwords,
  type Teams,
} from '#identity';
import { notFound, type Clock, type UnitOfWork } from '#kernel';
import type { AssignableRole } from '../domain/roles.ts';
import { assertTakesMembers } from '../domain/team.ts';
import type { Invitations } from '../ports/invitations.ts';
import type { Member, Members } from '../ports/members.ts';
import { currentCaller } from './current-caller.ts';

export interface MemberToAdd {
  readonly email: string;
  readonly role: AssignableRole;
  /** Of an account that is opened for them; `null` for somebody who has one. */
  readonly password: string | null;
}

export interface AddedMember {
  readonly member: Member;
  readonly createdUser: boolean;
}

/** Puts somebody into the caller's team without asking them. */
export class AddMember {
  readonly #accounts: Accounts;
  readonly #openAccount: Pick<OpenAccount, 'run'>;
  readonly #passwords: Passwords;
  readonly #teams: Teams;
  readonly #members: Members;
  readonly #invitations: Invitations;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(
    accounts: Accounts,
    openAccount: Pick<OpenAccount, 'run'>,
    passwords: Passwords,
    teams: Teams,
    members: Members,
    invitations: Invitations,
    unitOfWork: UnitOfWork,
    clock: Clock,
  ) {
    this.#accounts = accounts;
    this.#openAccount = openAccount;
    this.#passwords = passwords;
    this.#teams = teams;
    this.#members = members;
    this.#invitations = invitations;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /**
   * @throws DomainError `plan_required`, `forbidden`, `conflict` (a personal workspace), `validation_failed`;
   * `user_exists` when an account is to be opened for an e-mail that has one; `not_found` when there is none that it
   * could be; `already_member`; `in_other_team`
   */
  async run(actor: Actor, request: MemberToAdd): Promise<AddedMember> {
    assertMay('team.add_member', actor);
    assertTakesMembers(actor);
    const email = emailOf(request.email);
    // Before the unit of work: no connection is held while the password is hashed.
    const passwordHash =
      request.password === null ? null : await this.#passwords.hash(chosenPassword(request.password));
    return this.#unitOfWork.run(async () => {
      const { workspaceId, userId: addedBy } = actor;
      const held = await this.#members.holdRoles(workspaceId, [addedBy]);
      assertMay('team.add_member', currentCaller(actor, held));

      const joinedAt = this.#clock.now();
      await this.#invitations.revokeFor(workspaceId, email, joinedAt);
      const userId = await this.#userFor(email, passwordHash);
      await this.#teams.join({ workspaceId, userId, role: request.role, addedBy, joinedAt });
      const member = await this.#members.find(workspaceId, userId);
      return { member: member!, createdUser: passwordHash !== null };
    });
  }

  async #userFor(email: Email, passwordHash: PasswordHash | null): Promise<number> {
    if (passwordHash) return (await this.#openAccount.run({ email, name: null, passwordHash })).user.id;
    const account = await this.#accounts.findByEmail(email);
    if (!account) throw notFound('user: give a password to open an account for them, or invite them');
    return account.id;
  }
}
