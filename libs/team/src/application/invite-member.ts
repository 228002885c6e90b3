import { assertMay, emailOf, type Accounts, type Actor } from '#identity';
import { DomainError, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { invitationExpiry, type Invitation } from '../domain/invitation.ts';
import type { AssignableRole } from '../domain/roles.ts';
import { assertTakesMembers } from '../domain/team.ts';
import type { Invitations } from '../ports/invitations.ts';
import type { Members } from '../ports/members.ts';
import { currentCaller } from './current-caller.ts';

/** Invites somebody who has no account yet into the caller's team; the worker mails them the token. */
export class InviteMember {
  readonly #accounts: Accounts;
  readonly #members: Members;
  readonly #invitations: Invitations;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(
    accounts: Accounts,
    members: Members,
    invitations: Invitations,
    jobs: Jobs,
    unitOfWork: UnitOfWork,
    clock: Clock,
  ) {
    this.#accounts = accounts;
    this.#members = members;
    this.#invitations = invitations;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /**
   * @throws DomainError `plan_required`, `forbidden`, `conflict` (a personal workspace), `validation_failed`;
   * `user_exists` when there is an account with this e-mail
   */
  run(actor: Actor, request: { readonly email: string; readonly role: AssignableRole }): Promise<Invitation> {
    return this.#unitOfWork.run(async () => {
      const { workspaceId, userId: invitedBy } = actor;
      const held = await this.#members.holdRoles(workspaceId, [invitedBy]);
      assertMay('team.invite', currentCaller(actor, held));
      assertTakesMembers(actor);
      const email = emailOf(request.email);
      if (await this.#accounts.findByEmail(email)) {
        throw new DomainError(
          'user_exists',
          'there is a user with this e-mail already: add them as a member instead',
        );
      }
      const createdAt = this.#clock.now();
      const invitation = await this.#invitations.add({
        workspaceId,
        email,
        role: request.role,
        invitedBy,
        createdAt,
        expiresAt: invitationExpiry(createdAt),
      });
      await this.#jobs.announce({ name: 'invitation.send', payload: { invitationId: invitation.id } });
      return invitation;
    });
  }
}
