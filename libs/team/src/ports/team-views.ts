import type { Role } from '#kernel';
import type { Month } from '#credits';
import type { Email } from '#identity';

export interface TeamOverview {
  readonly membersCount: number;
  readonly owner: Email;
  /** Credits reserved or charged in the month. */
  readonly used: number;
  /** Credits that the month has on top of the plan's. */
  readonly granted: number;
}

export interface MemberUsage {
  readonly userId: number;
  readonly email: Email;
  /** `null` for who has left. */
  readonly role: Role | null;
  /** Credits reserved or charged. */
  readonly used: number;
  /** Generations that those credits are for. */
  readonly generations: number;
}

export interface TeamUsage {
  readonly totalUsed: number;
  /** Most credits first. */
  readonly members: readonly MemberUsage[];
}

/** What is read of a team. Each needs one round trip, and costs the same however many generations there were. */
export interface TeamViews {
  /** Costs the same however many members there are. */
  overview(workspaceId: number, month: Month): Promise<TeamOverview>;

  /**
   * Who used how much: all members, and those who have left and used some.
   *
   * @param onlyUserId the one member to tell about; `null` for all
   */
  usage(workspaceId: number, month: Month, onlyUserId: number | null): Promise<TeamUsage>;
}
