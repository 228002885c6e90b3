import type { Role } from '#kernel';

export interface NewTeam {
  readonly ownerUserId: number;
  readonly plan: string;
  readonly openedAt: Date;
}

export interface NewMember {
  /** The team's. */
  readonly workspaceId: number;
  readonly userId: number;
  /** A team gets its owner when it is opened, and never a second one. */
  readonly role: Exclude<Role, 'owner'>;
  /** The user who let them in. */
  readonly addedBy: number;
  readonly joinedAt: Date;
}

/** Workspaces that several users share. A user belongs to at most one, and acts in it as long as they do. */
export interface Teams {
  /**
   * @returns the new workspace's id
   * @throws DomainError `in_other_team` when the owner belongs to a team; `not_found` when there is no such user
   */
  open(team: NewTeam): Promise<number>;

  /**
   * Makes a user a member. Of several calls for one user, however many run at once and for whichever team, one
   * succeeds.
   *
   * @throws DomainError `already_member`; `in_other_team`; `not_found` when there is no such team or user
   */
  join(member: NewMember): Promise<void>;
}
