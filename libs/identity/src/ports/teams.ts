import type { Page, PageRequest, Role } from '#kernel';
import type { Email } from '../domain/email.ts';
import type { User } from '../domain/user.ts';

export interface NewTeam {
  readonly ownerUserId: number;
  readonly plan: string;
  readonly name?: string | null;
  /** Name of the workspace in the application of an operator. */
  readonly externalId?: string | null;
  readonly openedAt: Date;
}

/** Absent properties stay as they are. */
export interface WorkspaceChanges {
  readonly name?: string;
  readonly plan?: string;
  /** `null` ends the suspension. */
  readonly suspendedAt?: Date | null;
}

export interface NewMember {
  /** The team's. */
  readonly workspaceId: number;
  readonly userId: number;
  /** A team gets its owner when it is opened, and always has exactly one. */
  readonly role: Exclude<Role, 'owner'>;
  /** The user who added or invited them; `null` for an operator. */
  readonly addedBy: number | null;
  readonly joinedAt: Date;
}

/** Workspaces that several users share. A user belongs to at most one, and acts in it as long as they do. */
export interface TeamStore {
  /**
   * @returns the new workspace's id
   * @throws DomainError `in_other_team` when the owner belongs to a team; `not_found` when there is no such user; `conflict`
   * for an external id that another workspace has
   */
  open(team: NewTeam): Promise<number>;

  /**
   * Makes a user a member. Of several concurrent calls for one user, for any teams, one succeeds.
   *
   * @throws DomainError `already_member`; `in_other_team`; `not_found` when there is no such team or user
   */
  join(member: NewMember): Promise<void>;

  /** @throws DomainError `already_member`; `in_other_team`, when the user belongs to a team now */
  requireFree(userId: number, workspaceId: number): Promise<void>;

  /** Changes a workspace, team or personal. */
  update(workspaceId: number, changes: WorkspaceChanges): Promise<void>;

  /**
   * Reports whether a workspace is suspended. `awaitHolders` waits until the surrounding unit of work ends.
   */
  holdSuspension(workspaceId: number): Promise<boolean>;

  /** Waits, in a unit of work of its own, until no other holds the suspension of the workspace. */
  awaitHolders(workspaceId: number): Promise<void>;
}

/** A user, and the workspace in which they act now. */
export interface DirectoryUser extends User {
  /** True if the user may operate the service. */
  readonly isOperator: boolean;
  readonly externalId: string | null;
  readonly createdAt: Date;
  readonly workspaceId: number;
  readonly plan: string;
  readonly isTeam: boolean;
  readonly role: Role;
}

export interface DirectoryWorkspace {
  readonly id: number;
  readonly isTeam: boolean;
  readonly plan: string;
  /** `null` for an owner that is a service account. */
  readonly owner: Email | null;
  readonly ownerId: number;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly isSuspended: boolean;
  readonly members: number;
  readonly createdAt: Date;
}

/** Absent properties do not restrict. */
export interface DirectoryFilter {
  readonly isTeam?: true;
  readonly plan?: string | undefined;
  readonly externalId?: string | undefined;
}

/** The operator's view of the accounts of all workspaces, without service accounts and what is being erased. */
export interface Directory {
  /** Users, newest first; with `search`, only users whose e-mail contains it. */
  users(page: PageRequest, search: string | null, externalId?: string): Promise<Page<DirectoryUser>>;

  user(id: number): Promise<DirectoryUser | null>;

  userByEmail(email: Email): Promise<DirectoryUser | null>;

  /** Newest first. */
  workspaces(page: PageRequest, filter: DirectoryFilter): Promise<Page<DirectoryWorkspace>>;

  workspace(id: number): Promise<DirectoryWorkspace | null>;
}
