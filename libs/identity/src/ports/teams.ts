import type { Page, PageRequest, Role } from '#kernel';
import type { Email } from '../domain/email.ts';
import type { User } from '../domain/user.ts';

export interface NewTeam {
  readonly ownerUserId: number;
  readonly plan: string;
  readonly openedAt: Date;
}

export interface NewMember {
  /** The team's. */
  readonly workspaceId: number;
  readonly userId: number;
  /** A team gets its owner when it is opened, and always has exactly one. */
  readonly role: Exclude<Role, 'owner'>;
  /** The user who added or invited them. */
  readonly addedBy: number;
  readonly joinedAt: Date;
}

/** Workspaces that several users share. A user belongs to at most one, and acts in it as long as they do. */
export interface TeamStore {
  /**
   * @returns the new workspace's id
   * @throws DomainError `in_other_team` when the owner belongs to a team; `not_found` when there is no such user
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

  /** Changes the plan of a workspace, team or personal. */
  changePlan(workspaceId: number, plan: string): Promise<void>;
}

/** A user, and the workspace in which they act now. */
export interface DirectoryUser extends User {
  /** True if the user may operate the service. */
  readonly isOperator: boolean;
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
  readonly owner: Email;
  readonly members: number;
  readonly createdAt: Date;
}

/** The operator's view of the accounts of all workspaces. */
export interface Directory {
  /** Users, newest first; with `search`, only users whose e-mail contains it. */
  users(page: PageRequest, search: string | null): Promise<Page<DirectoryUser>>;

  userByEmail(email: Email): Promise<DirectoryUser | null>;

  /** Team workspaces, newest first. */
  teams(page: PageRequest): Promise<Page<DirectoryWorkspace>>;

  workspace(id: number): Promise<DirectoryWorkspace | null>;
}
