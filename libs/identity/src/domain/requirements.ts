import type { Action } from './permissions.ts';
import type { Scope } from './scopes.ts';

/** Requirements of a route of its caller. The gate decides all of them. */
export interface Requirements {
  /** The action of the route in the table of permissions; absent where every member of the workspace may call it. */
  readonly action?: Action | undefined;
  /** The token needs one of these scopes, or none if there are none. */
  readonly scopes: readonly Scope[];
  /** True if the caller's e-mail address must be verified, if the operator requires that. Default: yes. */
  readonly verified?: boolean;
  /** True if the route changes the workspace, which must not be suspended then. Default: no. */
  readonly changesWorkspace?: boolean;
}
