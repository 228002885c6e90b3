import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  type Configuration,
  discovery,
  fetchUserInfo,
  type IDToken,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type UserInfoResponse,
} from 'openid-client';
import { emailOf, nameOf, SignInRefused, type Claims, type OpenIdChallenge, type OpenIdProvider } from '#identity';
import { DomainError } from '#kernel';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** `null` for a public client, which PKCE protects alone. */
  readonly clientSecret: string | null;
  /** The callback, as it is registered at the issuer. */
  readonly redirectUri: string;
}

/** For each request to the issuer. */
const TIMEOUT_SECONDS = 10;
const SCOPE = 'openid email profile';
/** Longer subjects are against the standard. */
const MAX_SUBJECT = 255;

type Facts = IDToken | UserInfoResponse;

/** An issuer found by OpenID Connect Discovery at the first sign-in. */
export class OpenIdIssuer implements OpenIdProvider {
  readonly #settings: OpenIdSettings;
  #configuration: Promise<Configuration> | null = null;

  constructor(settings: OpenIdSettings) {
    this.#settings = settings;
  }

  async begin(): Promise<{ readonly url: string; readonly challenge: OpenIdChallenge }> {
    const configuration = await this.#discovered();
    const challenge = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.#settings.redirectUri,
      scope: SCOPE,
      state: challenge.state,
      nonce: challenge.nonce,
      code_challenge: await calculatePKCECodeChallenge(challenge.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, challenge };
  }

  /** The library checks the signature of the ID token, and its `iss`, `aud`, `azp`, `exp` and `nonce`. */
  async complete(response: string, { state, nonce, verifier }: OpenIdChallenge): Promise<Claims> {
    const configuration = await this.#discovered();
    const callback = new URL(this.#settings.redirectUri);
    callback.search = response;
    try {
      const tokens = await authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const token = tokens.claims()!;
      const facts = await this.#facts(configuration, token, tokens.access_token);
      return claimsOf(token, facts);
    } catch (cause) {
      throw new SignInRefused(refusalOf(cause), { cause });
    }
  }

  /** Many issuers put the address into their answer about the user instead of the ID token. */
  async #facts(configuration: Configuration, token: IDToken, accessToken: string): Promise<Facts> {
    if (token.email !== undefined || !configuration.serverMetadata().userinfo_endpoint) return token;
    return fetchUserInfo(configuration, accessToken, token.sub);
  }

  /** A failed discovery is tried again at the next sign-in. */
  async #discovered(): Promise<Configuration> {
    const discovering = (this.#configuration ??= this.#discover());
    try {
      return await discovering;
    } catch (cause) {
      if (this.#configuration === discovering) this.#configuration = null;
      throw new SignInRefused('sso_unavailable', { cause });
    }
  }

  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    return discovery(url, clientId, undefined, clientSecret === null ? None() : ClientSecretPost(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      // The operator chose `http`, such as for an issuer on the same machine.
      execute: url.protocol === 'http:' ? [allowInsecureRequests] : [],
    });
  }
}

/** Network failures and errors of the issuer's server are not the person's. */
function refusalOf(error: unknown): 'sso_denied' | 'sso_unavailable' | 'sso_invalid' {
  if (error instanceof AuthorizationResponseError) return 'sso_denied';
  const { name, status } = error as { readonly name?: unknown; readonly status?: unknown };
  const isNetwork = error instanceof TypeError && error.message === 'fetch failed';
  const isServer = typeof status === 'number' && status >= 500;
  return isNetwork || isServer || name === 'TimeoutError' ? 'sso_unavailable' : 'sso_invalid';
}

/** @throws Error for a subject against the standard */
function claimsOf({ iss, sub }: IDToken, facts: Facts): Claims {
  if (sub.length > MAX_SUBJECT) throw new Error('the subject is too long');
  return {
    issuer: iss,
    subject: sub,
    email: valid(facts.email, emailOf),
    emailVerified: isVerified(facts),
    name: valid(facts.name, nameOf),
  };
}

/** Entra says by `xms_edov` whether the owner of the address's domain is verified; it has no `email_verified`. */
function isVerified({ email_verified: verified, xms_edov: entra }: Facts): boolean {
  return verified === true || (verified === undefined && (entra === true || entra === 1 || entra === '1'));
}

/** `null` for what can't be stored. */
function valid<T>(value: unknown, parse: (text: string) => T): T | null {
  if (typeof value !== 'string') return null;
  try {
    return parse(value);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
