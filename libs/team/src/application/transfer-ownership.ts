import { assertMay, type Actor } from '#identity';
import { notFound, type UnitOfWork } from '#kernel';
import type { Member, Members } from '../ports/members.ts';
import { currentCaller } from './current-caller.ts';

/** Makes another member the owner; who was it stays as an admin. */
export class TransferOwnership {
  readonly #members: Members;
  readonly #unitOfWork: UnitOfWork;

  constructor(members: Members, unitOfWork: UnitOfWork) {
    this.#members = members;
    this.#unitOfWork = unitOfWork;
  }

  /**
   * @returns the new owner
   * @throws DomainError `plan_required`, `forbidden`, `not_found`; `invalid_role_change` when it is the owner already
   */
  run(actor: Actor, heirId: number): Promise<Member> {
    return this.#unitOfWork.run(async () => {
      const { workspaceId, userId: callerId } = actor;
      const held = await this.#members.holdRoles(workspaceId, [callerId, heirId]);
      const caller = currentCaller(actor, held);
      assertMay('team.transfer_ownership', caller, { role: held.get(heirId) });
      if (!held.has(heirId)) throw notFound('member');
      await this.#members.transferOwnership(workspaceId, callerId, heirId);
      return (await this.#members.find(workspaceId, heirId))!;
    });
  }
}
