import type { Page, PageRequest, Role } from '#kernel';
import type { Email } from '../domain/email.ts';
import type { PasswordHash } from '../domain/password.ts';
import type { User } from '../domain/user.ts';

/** A user and where they act now. */
export interface DirectoryUser extends User {
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

/** What whoever operates the service sees and changes of accounts, across all workspaces. */
export interface Directory {
  /** Users, newest first; those whose e-mail contains `search` where it is given. */
  users(page: PageRequest, search: string | null): Promise<Page<DirectoryUser>>;

  userByEmail(email: Email): Promise<DirectoryUser | null>;

  /** Workspaces, newest first; teams alone where `teamsOnly`. */
  workspaces(page: PageRequest, teamsOnly: boolean): Promise<Page<DirectoryWorkspace>>;

  workspace(id: number): Promise<DirectoryWorkspace | null>;

  /** False when there is no such user. */
  changePassword(userId: number, hash: PasswordHash): Promise<boolean>;

  /** False when there is no such workspace. */
  changePlan(workspaceId: number, plan: string): Promise<boolean>;
}
