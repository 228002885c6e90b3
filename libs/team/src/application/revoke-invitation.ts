import { assertMay, type Actor } from '#identity';
import { notFound, type Clock, type UnitOfWork } from '#kernel';
import type { Invitations } from '../ports/invitations.ts';
import type { Members } from '../ports/members.ts';
import { currentCaller } from './current-caller.ts';

/** Takes an invitation back: its token stops working at once. */
export class RevokeInvitation {
  readonly #members: Members;
  readonly #invitations: Invitations;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(members: Members, invitations: Invitations, unitOfWork: UnitOfWork, clock: Clock) {
    this.#members = members;
    this.#invitations = invitations;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /** @throws DomainError `plan_required`, `forbidden`; `not_found` when it is not pending in this team */
  async run(actor: Actor, invitationId: number): Promise<void> {
    await this.#unitOfWork.run(async () => {
      const { workspaceId, userId } = actor;
      const held = await this.#members.holdRoles(workspaceId, [userId]);
      assertMay('team.invite', currentCaller(actor, held));
      if (!(await this.#invitations.revoke(workspaceId, invitationId, this.#clock.now()))) {
        throw notFound('invitation');
      }
    });
  }
}
