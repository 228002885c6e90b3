import { assertMay, type Actor } from '#identity';
import { notFound, type UnitOfWork } from '#kernel';
import type { Members } from '../ports/members.ts';
import { currentCaller } from './current-caller.ts';

/** Ends a membership: a member's own, or somebody else's. They are back in their personal workspace at once. */
export class RemoveMember {
  readonly #members: Members;
  readonly #unitOfWork: UnitOfWork;

  constructor(members: Members, unitOfWork: UnitOfWork) {
    this.#members = members;
    this.#unitOfWork = unitOfWork;
  }

  /**
   * @returns whether the caller removed themselves
   * @throws DomainError `not_found`, `plan_required`, `forbidden`, `owner_not_removable`
   */
  run(actor: Actor, userId: number): Promise<boolean> {
    return this.#unitOfWork.run(async () => {
      const { workspaceId, userId: callerId } = actor;
      const held = await this.#members.holdRoles(workspaceId, [callerId, userId]);
      const target = held.get(userId);
      if (!target) throw notFound('member');
      const leaves = userId === callerId;
      assertMay(leaves ? 'team.leave' : 'team.remove_member', currentCaller(actor, held), { role: target });
      await this.#members.remove(workspaceId, userId);
      return leaves;
    });
  }
}
