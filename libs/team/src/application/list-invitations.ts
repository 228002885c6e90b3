import { assertMay, type Actor } from '#identity';
import type { Clock, Page, PageRequest } from '#kernel';
import type { Invitation } from '../domain/invitation.ts';
import type { Invitations } from '../ports/invitations.ts';

/** Shows callers whose answers their team waits for. */
export class ListInvitations {
  readonly #invitations: Invitations;
  readonly #clock: Clock;

  constructor(invitations: Invitations, clock: Clock) {
    this.#invitations = invitations;
    this.#clock = clock;
  }

  /** @throws DomainError `plan_required`, `forbidden` */
  async run(actor: Actor, page: PageRequest): Promise<Page<Invitation>> {
    assertMay('team.invite', actor);
    return this.#invitations.list(actor.workspaceId, this.#clock.now(), page);
  }
}
