import type { Actor } from '#identity';
import { DomainError } from '#kernel';

/** @throws DomainError `conflict` for a personal workspace, which is its owner's alone on any plan */
export function assertTakesMembers({ isTeam }: Pick<Actor, 'isTeam'>): void {
  if (!isTeam) {
    throw new DomainError('conflict', 'a personal workspace has no members: ask the operator to open a team');
  }
}
