import { invalidField } from '#kernel';
import { nameOf } from './name.ts';
import { SCOPES, type Scope } from './scopes.ts';

/** Scopes that a user may grant to an application: not the account itself, nor the team's settings. */
export const GRANTABLE_SCOPES = SCOPES.filter((scope) => !['account', 'team', 'webhooks'].includes(scope));

export const CODE_SECONDS = 60;
export const ACCESS_SECONDS = 3600;
/** A grant that is not refreshed for so long ends. */
export const IDLE_DAYS = 30;
/** Used refresh tokens that are recognised, newest first. */
export const FORMER_TOKENS = 100;

const MAX_REDIRECTS = 10;
const MAX_TEXT = 500;
const MAX_CLIENT_ID = 3000;

/** An application that asks users for grants. */
export interface OAuthClient {
  /** The URL of its metadata document, or its metadata themselves where it has registered. */
  readonly id: string;
  /** Chosen by itself: anyone may take the name of another. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** A request of an application at the authorization endpoint, as its URL has it. */
export interface AuthorizationRequest {
  readonly responseType: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly codeChallengeMethod: string;
  readonly scope: string | null;
  /** Server that the tokens are for (RFC 8707). */
  readonly resource: string | null;
}

/** A valid request, which a user may grant. */
export interface Authorization {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly Scope[];
}

/** A grant that was made and not redeemed yet, or that was. */
export interface Grant {
  /** Id of its token, with which all of its access tokens end. */
  readonly tokenId: number;
  readonly userId: number;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly codeExpiresAt: Date;
  readonly redeemedAt: Date | null;
  readonly scopes: readonly Scope[];
}

/**
 * The authorization that an application asks for.
 *
 * @param resource the only one that tokens are issued for
 * @throws DomainError `validation_failed`: nothing is sent to a redirect URI that is not the client's
 */
export function authorizationOf(client: OAuthClient, request: AuthorizationRequest, resource: string): Authorization {
  const { redirectUri, codeChallenge } = request;
  if (!matchesRedirect(client.redirectUris, redirectUri)) {
    throw invalidField('redirect_uri', 'is not one that this application has registered');
  }
  if (request.responseType !== 'code') throw invalidField('response_type', 'must be code');
  if (request.codeChallengeMethod !== 'S256') throw invalidField('code_challenge_method', 'must be S256');
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge))
    throw invalidField('code_challenge', 'must be a SHA-256 in base64url');
  if (request.resource !== null && request.resource !== resource) throw invalidField('resource', `must be ${resource}`);
  return { client, redirectUri, codeChallenge, scopes: scopesOfText(request.scope) };
}

/** @param text scopes, separated by spaces; all that can be granted when there are none */
function scopesOfText(text: string | null): readonly Scope[] {
  const asked = new Set((text ?? '').split(' ').filter((each) => each !== ''));
  if (asked.size === 0) return GRANTABLE_SCOPES;
  const scopes = GRANTABLE_SCOPES.filter((scope) => asked.has(scope));
  if (scopes.length < asked.size) throw invalidField('scope', `must be some of ${GRANTABLE_SCOPES.join(', ')}`);
  return scopes;
}

export type RefusedRedemption = 'expired' | 'replayed' | 'wrong_client' | 'wrong_verifier';

/**
 * Why a code is not redeemed; `null` if it is.
 *
 * @param request.challenge the SHA-256 of the verifier, in base64url
 */
export function refusalOfCode(
  { clientId, redirectUri, codeChallenge, codeExpiresAt, redeemedAt }: Grant,
  request: { readonly clientId: string; readonly redirectUri: string; readonly challenge: string },
  now: Date,
): RefusedRedemption | null {
  if (redeemedAt !== null) return 'replayed';
  if (codeExpiresAt <= now) return 'expired';
  if (request.clientId !== clientId || request.redirectUri !== redirectUri) return 'wrong_client';
  return request.challenge === codeChallenge ? null : 'wrong_verifier';
}

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** Schemes of applications without a dot in it, which RFC 8252 asks for. */
const APPLICATION_SCHEMES = ['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:'];

/** Reports whether an application may get its code there: by https, on the user's machine, or by a scheme of its own. */
export function isRedirectUri(text: string): boolean {
  if (text.length > MAX_TEXT || !URL.canParse(text) || text.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return LOOPBACK.includes(hostname);
  return APPLICATION_SCHEMES.includes(protocol) || /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol);
}

/** Redirect URIs match exactly, but for the port on the user's machine, which applications choose late (RFC 8252, 7.3). */
export function matchesRedirect(registered: readonly string[], asked: string): boolean {
  return isRedirectUri(asked) && registered.some((each) => each === asked || withoutPort(each) === withoutPort(asked));
}

function withoutPort(uri: string): string | null {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  if (url?.protocol !== 'http:' || !LOOPBACK.includes(url.hostname)) return uri;
  return `${url.hostname}${url.pathname}${url.search}`;
}

const REGISTERED = 'registered.';

/**
 * Registers an application. Its metadata are its id: nothing is stored, so that registrations can't fill anything up. Whoever
 * makes up an id has what registering gives to anyone.
 *
 * @throws DomainError `validation_failed`
 */
export function registerClient(name: unknown, redirectUris: unknown): OAuthClient {
  const facts = factsOf(name, redirectUris);
  const text = JSON.stringify([facts.name, facts.redirectUris]);
  const id = `${REGISTERED}${Buffer.from(text).toString('base64url')}`;
  if (id.length > MAX_CLIENT_ID) throw invalidField('redirect_uris', 'must be shorter together');
  return { id, ...facts };
}

/** The application of an id that `registerClient` has made. @throws DomainError `validation_failed` */
export function registeredClient(id: string): OAuthClient {
  if (id.length > MAX_CLIENT_ID || !id.startsWith(REGISTERED)) throw unknownClient();
  let facts: unknown;
  try {
    facts = JSON.parse(Buffer.from(id.slice(REGISTERED.length), 'base64url').toString());
  } catch {
    throw unknownClient();
  }
  const [name, redirectUris] = Array.isArray(facts) ? (facts as unknown[]) : [];
  return { id, ...factsOf(name, redirectUris) };
}

/** Reports whether the id is the address of a metadata document: https, with a path. */
export function isDocumentId(id: string): boolean {
  if (id.length > MAX_TEXT || !URL.canParse(id)) return false;
  const { protocol, pathname, hash, search, username, password, href } = new URL(id);
  const isPlain = hash === '' && search === '' && username === '' && password === '' && href === id;
  return protocol === 'https:' && pathname.length > 1 && isPlain;
}

/** The application of a metadata document. @throws DomainError `validation_failed` */
export function documentClient(id: string, document: unknown): OAuthClient {
  const fields = (typeof document === 'object' && document !== null ? document : {}) as Record<string, unknown>;
  if (fields.client_id !== id) throw invalidField('client_id', 'must be the address of a document that names it');
  const method = fields.token_endpoint_auth_method;
  if (method !== undefined && method !== 'none') throw invalidField('client_id', 'must be of a public client');
  return { id, ...factsOf(fields.client_name, fields.redirect_uris) };
}

const unknownClient = () => invalidField('client_id', 'is unknown: register the application, or use its document');

function factsOf(name: unknown, redirectUris: unknown): Omit<OAuthClient, 'id'> {
  const uris = Array.isArray(redirectUris) ? (redirectUris as unknown[]) : [];
  const isFit = uris.every((uri) => typeof uri === 'string' && isRedirectUri(uri));
  if (uris.length === 0 || uris.length > MAX_REDIRECTS || !isFit) {
    throw invalidField('redirect_uris', `must be 1 to ${MAX_REDIRECTS} URIs: https, or of the user's own machine`);
  }
  return { name: nameOf(typeof name === 'string' ? name : 'An application'), redirectUris: uris as string[] };
}
