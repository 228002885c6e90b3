import type { Email } from '#identity';
import type { Page, PageRequest, Role } from '#kernel';
import type { AssignableRole } from '../domain/roles.ts';

/** Somebody in a workspace. */
export interface Member {
  readonly userId: number;
  readonly email: Email;
  readonly name: string | null;
  readonly role: Role;
  readonly joinedAt: Date;
  /** E-mail of who let them in; `null` for who opened the workspace. */
  readonly addedBy: Email | null;
  /** Whether they have taken up their account: signed up or in, or been given a token. */
  readonly isConfirmed: boolean;
}

/** The members of workspaces. Who joins does so through `Teams` of identity. */
export interface Members {
  /** `null` when the user is not in the workspace. */
  find(workspaceId: number, userId: number): Promise<Member | null>;

  /** By user, newest first. */
  list(workspaceId: number, page: PageRequest): Promise<Page<Member>>;

  /**
   * The roles of those of these users who are in the workspace. They can be neither removed nor given another role
   * until the surrounding unit of work ends. Who needs several asks for them in one call, so that two calls never
   * wait for each other.
   */
  holdRoles(workspaceId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, Role>>;

  /** Ends a membership; what the user made stays with the workspace. Without effect when there is none. */
  remove(workspaceId: number, userId: number): Promise<void>;

  /** Gives a member another role; without effect when there is no such member. */
  changeRole(workspaceId: number, userId: number, role: AssignableRole): Promise<void>;

  /** Makes a member the owner, and the owner an admin, at once. */
  transferOwnership(workspaceId: number, ownerId: number, heirId: number): Promise<void>;
}
