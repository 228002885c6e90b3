import { assertMay, type Actor } from '#identity';
import { notFound, type UnitOfWork } from '#kernel';
import { newRoleOf } from '../domain/roles.ts';
import type { Member, Members } from '../ports/members.ts';
import { currentCaller } from './current-caller.ts';

/** Makes a member an admin, or an admin a member. */
export class ChangeRole {
  readonly #members: Members;
  readonly #unitOfWork: UnitOfWork;

  constructor(members: Members, unitOfWork: UnitOfWork) {
    this.#members = members;
    this.#unitOfWork = unitOfWork;
  }

  /** @throws DomainError `not_found`, `plan_required`, `forbidden`, `invalid_role_change` */
  run(actor: Actor, userId: number, role: string): Promise<Member> {
    return this.#unitOfWork.run(async () => {
      const { workspaceId, userId: callerId } = actor;
      const held = await this.#members.holdRoles(workspaceId, [callerId, userId]);
      const target = held.get(userId);
      if (!target) throw notFound('member');
      assertMay('team.change_role', currentCaller(actor, held), { role: target });
      await this.#members.changeRole(workspaceId, userId, newRoleOf(role));
      return (await this.#members.find(workspaceId, userId))!;
    });
  }
}
