import type { IssuedToken } from './token.ts';
import type { User } from './user.ts';

/** A user who has proved who they are, and the token they go on with. */
export interface Session {
  readonly user: User;
  readonly token: IssuedToken;
}

/** What the operator decides about getting in. */
export interface SessionRules {
  readonly signUpEnabled: boolean;
  /** How long the tokens of sign-up and log-in last; `null` for no end. */
  readonly tokenDays: number | null;
}
