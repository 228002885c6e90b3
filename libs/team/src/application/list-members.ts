import { assertMay, may, type Actor } from '#identity';
import type { Page, PageRequest } from '#kernel';
import type { Member, Members } from '../ports/members.ts';

/** Shows callers who is in their team: nobody where their role lets them see no members. */
export class ListMembers {
  readonly #members: Members;

  constructor(members: Members) {
    this.#members = members;
  }

  /** @throws DomainError `plan_required` */
  async run(actor: Actor, page: PageRequest): Promise<Page<Member>> {
    assertMay('team.read', actor);
    if (!may('team.read_members', actor)) return { items: [], next: null };
    return this.#members.list(actor.workspaceId, page);
  }
}
