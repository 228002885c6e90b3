import { DomainError, type Role } from '#kernel';

/** The erasure of a person: everything that is theirs goes for good, and their id is left. */
export type Erasure = RequestedErasure | DoneErasure;

/** The person is locked out and their address is free. A job erases the rest. */
export interface RequestedErasure {
  readonly state: 'requested';
  readonly userId: number;
  readonly requestedAt: Date;
  /** The workspaces that go with the person. */
  readonly workspaceIds: readonly number[];
}

export interface DoneErasure {
  readonly state: 'done';
  readonly userId: number;
  readonly requestedAt: Date;
  readonly doneAt: Date;
}

/** A workspace that a user is in. */
export interface Belonging {
  readonly workspaceId: number;
  readonly role: Role;
  /** The number of its members, the user included. */
  readonly members: number;
}

/** Effect of a member's erasure on a workspace; `kept` prevents the erasure. */
export type Fate = 'erased' | 'left' | 'kept';

/**
 * 1. A workspace without another member is erased: a personal one, and a team whose owner is alone.
 * 2. A team stays, with what the person made there, when a member who is not its owner leaves it.
 * 3. A team with other members keeps its owner, who has to transfer the ownership first.
 */
export function fateOf({ role, members }: Belonging): Fate {
  if (members === 1) return 'erased';
  return role === 'owner' ? 'kept' : 'left';
}

/** @throws DomainError `transfer_ownership_first` */
export function requestErasure(
  userId: number,
  belongings: readonly Belonging[],
  requestedAt: Date,
): { readonly erasure: RequestedErasure; readonly leftIds: readonly number[] } {
  const idsOf = (fate: Fate) =>
    belongings.filter((each) => fateOf(each) === fate).map(({ workspaceId }) => workspaceId);
  if (idsOf('kept').length > 0) {
    throw new DomainError(
      'transfer_ownership_first',
      'you own a team with other members: transfer the ownership to one of them, or remove them, and try again',
    );
  }
  const erasure = { state: 'requested', userId, requestedAt, workspaceIds: idsOf('erased') } as const;
  return { erasure, leftIds: idsOf('left') };
}

export function finish({ userId, requestedAt }: RequestedErasure, doneAt: Date): DoneErasure {
  return { state: 'done', userId, requestedAt, doneAt };
}
