import type { Claims, Identity } from '../domain/identity.ts';
import type { OpenIdChallenge } from '../domain/sign-in-attempt.ts';

/** The issuer of OpenID Connect that the operator has chosen. */
export interface OpenIdProvider {
  /**
   * Begins a sign-in by authorization code with PKCE.
   *
   * @returns the issuer's page, and what the issuer's response is checked with
   * @throws SignInRefused `sso_unavailable`
   */
  begin(): Promise<{ readonly url: string; readonly challenge: OpenIdChallenge }>;

  /**
   * Redeems the code of the issuer's response.
   *
   * @param response query string of the callback
   * @throws SignInRefused `sso_denied`, `sso_invalid`, `sso_unavailable`
   */
  complete(response: string, challenge: OpenIdChallenge): Promise<Claims>;
}

export type NewIdentity = Omit<Identity, 'id'>;

/** Identities by issuer and subject. */
export interface IdentityStore {
  find(issuer: string, subject: string): Promise<Identity | null>;

  /** Links an identity. Of several concurrent calls for one, one succeeds; false when it is linked, to any user. */
  add(identity: NewIdentity): Promise<boolean>;

  /** Oldest first. */
  list(userId: number): Promise<readonly Identity[]>;

  /** Unlinks an identity. False when the user has no such identity. */
  remove(userId: number, id: number): Promise<boolean>;

  /** Unlinks all identities of the user. Returns how many. */
  removeAll(userId: number): Promise<number>;
}
