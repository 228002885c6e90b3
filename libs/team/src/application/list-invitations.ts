import type { Actor, Plans } from '#identity';
import type { Clock, Page, PageRequest } from '#kernel';
import type { Invitation } from '../domain/invitation.ts';
import { assertMay } from '../domain/roles-policy.ts';
import type { Invitations } from '../ports/invitations.ts';

/** Shows callers whose answers their team waits for. */
export class ListInvitations {
  readonly #invitations: Invitations;
  readonly #plans: Plans;
  readonly #clock: Clock;

  constructor(invitations: Invitations, plans: Plans, clock: Clock) {
    this.#invitations = invitations;
    this.#plans = plans;
    this.#clock = clock;
  }

  /** @throws DomainError `plan_required`, `forbidden` */
  async run(actor: Actor, page: PageRequest): Promise<Page<Invitation>> {
    assertMay(actor, this.#plans, 'manage_invitations');
    return this.#invitations.list(actor.workspaceId, this.#clock.now(), page);
  }
}
