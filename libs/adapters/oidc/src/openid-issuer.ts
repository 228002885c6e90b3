import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type UserInfoResponse,
} from 'openid-client';
import {
  claimHas,
  emailOf,
  nameOf,
  SignInRefused,
  type Claims,
  type OpenIdChallenge,
  type OpenIdProvider,
  type OperatorClaim,
} from '#identity';
import { DomainError } from '#kernel';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** `null` for a public client, which PKCE protects alone. */
  readonly clientSecret: string | null;
  /** `null` where no claim makes people operators. */
  readonly operatorClaim: OperatorClaim | null;
  /** The callback, as it is registered at the issuer. */
  readonly redirectUri: string;
}

/** For each request to the issuer. */
const TIMEOUT_SECONDS = 10;
const SCOPE = 'openid email profile';
/** How far the issuer's clock may be ahead of ours. */
const CLOCK_SKEW_SECONDS = 60;
/** Longer subjects are against the standard. */
const MAX_SUBJECT = 255;

type Facts = IDToken | UserInfoResponse;

/** An issuer found by OpenID Connect Discovery at the first sign-in. */
export class OpenIdIssuer implements OpenIdProvider {
  #configuration: Promise<Configuration> | null = null;

  constructor(private readonly settings: OpenIdSettings) {}

  async begin(): Promise<{ readonly url: string; readonly challenge: OpenIdChallenge }> {
    const configuration = await this.#discovered();
    const challenge = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.settings.redirectUri,
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
    const callback = new URL(this.settings.redirectUri);
    callback.search = response;
    try {
      const tokens = await authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const token = tokens.claims()!;
      const userInfo = await this.#userInfo(configuration, token, tokens.access_token);
      return this.#claimsOf(token, userInfo);
    } catch (cause) {
      throw new SignInRefused(refusalOf(cause), { cause });
    }
  }

  /** Many issuers put the address and other claims into their response about the user instead of the ID token. */
  async #userInfo(configuration: Configuration, token: IDToken, accessToken: string): Promise<Facts> {
    const { operatorClaim } = this.settings;
    const isComplete = token.email !== undefined && (!operatorClaim || token[operatorClaim.name] !== undefined);
    if (isComplete || !configuration.serverMetadata().userinfo_endpoint) return token;
    return fetchUserInfo(configuration, accessToken, token.sub);
  }

  /** @throws Error for a subject against the standard, or a token of the future */
  #claimsOf(token: IDToken, userInfo: Facts): Claims {
    const { iss, sub, iat } = token;
    if (iat > Date.now() / 1000 + CLOCK_SKEW_SECONDS) throw new Error('the ID token is of the future');
    if (sub.length > MAX_SUBJECT) throw new Error('the subject is too long');
    const { operatorClaim } = this.settings;
    // An address and whether it is verified come from one place.
    const facts = token.email === undefined ? userInfo : token;
    return {
      issuer: iss,
      subject: sub,
      email: valid(facts.email, emailOf),
      emailVerified: isVerified(facts),
      name: valid(facts.name, nameOf),
      isOperator: operatorClaim !== null && has(operatorClaim, token, userInfo),
    };
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
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    return discovery(url, clientId, undefined, clientSecret === null ? None() : ClientSecretPost(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // Without them the library trusts TLS instead of the signature.
        enableNonRepudiationChecks,
        // The operator chose `http`, such as for an issuer on the same machine.
        ...(url.protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
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

/** A claim of the ID token counts; the response about the user adds claims that the ID token lacks. */
function has({ name, value }: OperatorClaim, token: Facts, userInfo: Facts): boolean {
  return claimHas(token[name] ?? userInfo[name], value);
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
