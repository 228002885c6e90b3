import type { Actor, Plans } from '#identity';
import type { Page, PageRequest } from '#kernel';
import { assertMay, refusalOf } from '../domain/roles-policy.ts';
import type { Member, Members } from '../ports/members.ts';

/** Shows callers who is in their team: nobody where their role lets them see no members. */
export class ListMembers {
  readonly #members: Members;
  readonly #plans: Plans;

  constructor(members: Members, plans: Plans) {
    this.#members = members;
    this.#plans = plans;
  }

  /** @throws DomainError `plan_required` */
  async run(actor: Actor, page: PageRequest): Promise<Page<Member>> {
    assertMay(actor, this.#plans, 'see_team');
    if (refusalOf(actor.role, 'see_members')) return { items: [], next: null };
    return this.#members.list(actor.workspaceId, page);
  }
}
