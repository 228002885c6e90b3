import type { Role } from '#kernel';
import type { Email } from './email.ts';
import type { OperatorGrant } from './operator.ts';
import type { PasswordHash } from './password.ts';
import type { IssuedToken, TokenLimits } from './token.ts';

export interface User {
  readonly id: number;
  readonly email: Email;
  readonly name: string | null;
}

/** A user as they see their own account. */
export interface Profile extends User {
  /** Object key of the user's picture. */
  readonly avatar: string | null;
  readonly emailVerified: boolean;
  readonly hasPassword: boolean;
  /** True if log-in needs a code. */
  readonly twoFactor: boolean;
  /** True if the user may operate the service. */
  readonly isOperator: boolean;
}

/** A user with their password's hash. Nobody can log in to an account without a password. */
export interface Account extends Profile {
  readonly passwordHash: PasswordHash | null;
  readonly avatarFileId: number | null;
  /** True for the owner of a workspace without a person. */
  readonly isService: boolean;
  /** `null` for a user who is no operator. */
  readonly operatorBy: OperatorGrant | null;
}

/** The caller and the workspace they act in: always taken from the token, never from the request. */
export interface Actor extends TokenLimits {
  readonly userId: number;
  readonly workspaceId: number;
  readonly role: Role;
  /** Plan identifier of the workspace. */
  readonly plan: string;
  /** True when the workspace is a team, false when it is the user's personal one. */
  readonly isTeam: boolean;
  /** True when an operator has suspended the workspace: it can only be read. */
  readonly isSuspended: boolean;
  /** True when the URLs of the workspace's files are signed. */
  readonly filesArePrivate: boolean;
  /** Version of the key that signs them. */
  readonly fileKeyVersion: number;
  readonly tokenId: number;
  /** True for an application with a grant of the user, which may call what the grant is for and nothing else. */
  readonly isGranted: boolean;
  readonly emailVerified: boolean;
}

/** The result of sign-up and log-in: the user and their new token. */
export interface Session {
  readonly user: Profile;
  readonly token: IssuedToken;
}

/** The operator's settings of sign-up and log-in. */
export interface SessionRules {
  readonly signUpEnabled: boolean;
  /** True if people may log in by password, sign up and reset their password. */
  readonly passwordLogin: boolean;
  /** True if accounts may do little until their e-mail address is verified. */
  readonly requiresVerifiedEmail: boolean;
  /** Lifetime of the tokens of sign-up and log-in; `null` for tokens that do not expire. */
  readonly tokenDays: number | null;
}
