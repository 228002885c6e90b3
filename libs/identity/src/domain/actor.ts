import type { Role } from '#kernel';

/** Who is calling, and for which workspace: always taken from the token, never from the request. */
export interface Actor {
  readonly userId: number;
  readonly workspaceId: number;
  readonly role: Role;
  /** Plan identifier of the workspace. */
  readonly plan: string;
  /** True when the workspace is a team rather than the user's own. */
  readonly isTeam: boolean;
  readonly tokenId: number;
}
