import type { Actor, Email, Teams, TokenSecret, TokenSecrets } from '#identity';
import { DomainError, type Clock, type UnitOfWork } from '#kernel';
import type { InvitationAnswer } from '../domain/invitation.ts';
import type { Invitations } from '../ports/invitations.ts';

export interface InvitationOutcome {
  readonly state: InvitationAnswer;
  readonly team: { readonly id: number; readonly owner: Email };
}

/** Answers an invitation with the token that was mailed. Who accepts acts in the team from their next request on. */
export class RespondToInvitation {
  readonly #invitations: Invitations;
  readonly #teams: Teams;
  readonly #secrets: TokenSecrets;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(
    invitations: Invitations,
    teams: Teams,
    secrets: TokenSecrets,
    unitOfWork: UnitOfWork,
    clock: Clock,
  ) {
    this.#invitations = invitations;
    this.#teams = teams;
    this.#secrets = secrets;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /**
   * Whatever is wrong with a token, the refusal is the same, after the same work: even what can't be a token is looked
   * for.
   *
   * @throws DomainError `invalid_invitation`; `in_other_team`, which leaves the invitation pending
   */
  run(
    actor: Pick<Actor, 'userId'>,
    request: { readonly token: string; readonly answer: InvitationAnswer },
  ): Promise<InvitationOutcome> {
    return this.#unitOfWork.run(async () => {
      const { userId } = actor;
      const now = this.#clock.now();
      const hash = this.#secrets.hash(request.token as TokenSecret);
      const invitation = await this.#invitations.answer(hash, userId, request.answer, now);
      if (!invitation) {
        throw new DomainError(
          'invalid_invitation',
          'this invitation can not be answered: ask the team for a new one, and log in with the invited e-mail',
        );
      }
      const { workspaceId, role, invitedBy: addedBy, owner } = invitation;
      if (request.answer === 'accepted') {
        await this.#teams.join({ workspaceId, userId, role, addedBy, joinedAt: now });
      }
      return { state: request.answer, team: { id: workspaceId, owner } };
    });
  }
}
