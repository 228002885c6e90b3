import type { AuditLog } from '#audit-log';
import { DomainError, notFound, type Clock, type Page, type PageRequest, type UnitOfWork } from '#kernel';
import {
  ACCESS_SECONDS,
  authorizationOf,
  CODE_SECONDS,
  documentClient,
  IDLE_DAYS,
  isDocumentId,
  refusalOfCode,
  registeredClient,
  type Authorization,
  type AuthorizationRequest,
  type Grant,
} from './domain/grant.ts';
import { scopesWithin, type Scope } from './domain/scopes.ts';
import { isTokenSecret, parentOf, type TokenSecret } from './domain/token.ts';
import type { Actor } from './domain/user.ts';
import type { ClientDocuments, GrantStore, GrantView, TokenSecrets, TokenStore } from './ports.ts';

/** Tokens of a grant. */
export interface GrantedTokens {
  readonly accessToken: TokenSecret;
  /** Works once. */
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Scope[];
}

/** Refuses a code or a refresh token, without saying more to an application than that. */
export class InvalidGrant extends Error {}

const DAY_MS = 86_400_000;

/** Grants of users to applications, by OAuth 2.1. */
export class Grants {
  constructor(
    private readonly deps: {
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly documents: ClientDocuments;
      readonly grants: GrantStore;
      readonly tokens: TokenStore;
      readonly secrets: TokenSecrets;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
      /** The one server that tokens are issued for. */
      readonly resource: string;
    },
  ) {}

  /** @throws DomainError `validation_failed`, `insufficient_scope` */
  async propose(actor: Actor, clientId: string, request: AuthorizationRequest): Promise<Authorization> {
    const { documents, resource } = this.deps;
    const isDocument = isDocumentId(clientId);
    const client = isDocument ? documentClient(clientId, await documents.read(clientId)) : registeredClient(clientId);
    const authorization = authorizationOf(client, request, resource);
    scopesWithin(actor.scopes, authorization.scopes);
    return authorization;
  }

  /** Grants what was proposed. @returns the code, which an application redeems within a minute. @throws as `propose` */
  async approve(actor: Actor, clientId: string, request: AuthorizationRequest): Promise<TokenSecret> {
    const { client, redirectUri, codeChallenge, scopes } = await this.propose(actor, clientId, request);
    const { auditLog, grants, tokens, secrets, unitOfWork, clock } = this.deps;
    const maker = await tokens.actsFor(actor.tokenId);
    if (!maker) throw new DomainError('unauthenticated', 'the session has ended');
    const [code, createdAt] = [secrets.create(), clock.now()];
    const codeExpiresAt = new Date(createdAt.getTime() + CODE_SECONDS * 1000);
    await unitOfWork.run(async () => {
      const token = await tokens.add({
        userId: actor.userId,
        name: client.name,
        kind: 'grant',
        parentId: parentOf(maker)?.id ?? null,
        // Nobody has the secret: a grant itself lets nobody in.
        hash: secrets.hash(secrets.create()),
        scopes,
        monthlyCredits: null,
        customer: actor.customer,
        createdAt,
        expiresAt: codeExpiresAt,
      });
      const facts = { clientId: client.id, redirectUri, codeChallenge, codeExpiresAt };
      await grants.add({ tokenId: token.id, codeHash: secrets.hash(code), ...facts });
      await auditLog.record({ action: 'grant.create', target: token.id, details: { scopes } });
    });
    return code;
  }

  /**
   * Redeems a code, once: a second use ends the grant, as one of the two has stolen it.
   *
   * @throws InvalidGrant
   */
  async redeem(request: {
    readonly code: string;
    readonly clientId: string;
    readonly redirectUri: string;
    readonly verifier: string;
  }): Promise<GrantedTokens> {
    const { grants, secrets, unitOfWork, clock } = this.deps;
    const now = clock.now();
    const grant = isTokenSecret(request.code) ? await grants.ofCode(secrets.hash(request.code)) : null;
    if (!grant) throw new InvalidGrant('the code is unknown or has expired');
    const challenge = Buffer.from(secrets.hash(request.verifier as TokenSecret), 'hex').toString('base64url');
    const refusal = refusalOfCode(grant, { ...request, challenge }, now);
    if (refusal === 'replayed') await this.#end(grant);
    if (refusal) throw new InvalidGrant(`the code is refused: ${refusal}`);
    const refresh = secrets.create();
    const tokens = await unitOfWork.run(async () => {
      const isFirst = await grants.redeem(grant.tokenId, secrets.hash(refresh), now, idleUntil(now));
      return isFirst ? this.#issue(grant, refresh, now) : null;
    });
    if (tokens) return tokens;
    await this.#end(grant);
    throw new InvalidGrant('the code is refused: replayed');
  }

  /**
   * Issues new tokens for a refresh token, once: a second use ends the grant.
   *
   * @throws InvalidGrant
   */
  async refresh(request: { readonly refreshToken: string; readonly clientId: string }): Promise<GrantedTokens> {
    const { grants, secrets, unitOfWork, clock } = this.deps;
    const found = await this.#find(request.refreshToken);
    if (found?.clientId !== request.clientId) throw new InvalidGrant('the refresh token is unknown or has expired');
    const [next, now] = [secrets.create(), clock.now()];
    const { tokenId, hash } = found;
    const tokens = await unitOfWork.run(async () => {
      const isCurrent = found.isCurrent && (await grants.rotate(tokenId, hash, secrets.hash(next), idleUntil(now)));
      return isCurrent ? this.#issue(found, next, now) : null;
    });
    if (tokens) return tokens;
    await this.#end(found);
    throw new InvalidGrant('the refresh token was used before: the grant has ended');
  }

  /** Ends the grant of a refresh token. An unknown token is no error. */
  async revoke(refreshToken: string): Promise<void> {
    const found = await this.#find(refreshToken);
    if (found) await this.#end(found);
  }

  list({ userId }: Actor, page: PageRequest): Promise<Page<GrantView>> {
    return this.deps.grants.list(userId, this.deps.clock.now(), page);
  }

  /** Ends a grant of the caller, with its tokens. @throws DomainError `not_found` */
  async end({ userId }: Actor, id: number): Promise<void> {
    const { auditLog, tokens, unitOfWork } = this.deps;
    await unitOfWork.run(async () => {
      if ((await tokens.find(id))?.kind !== 'grant') throw notFound('grant');
      await auditLog.record({ action: 'grant.end', target: id, details: {} });
      if (!(await tokens.revoke(userId, id))) throw notFound('grant');
    });
  }

  /** The grant that has or had the refresh token. */
  async #find(refreshToken: string) {
    const [, id, secret = ''] = /^(\d{1,15})\.(.+)$/.exec(refreshToken) ?? [];
    if (id === undefined || !isTokenSecret(secret)) return null;
    const hash = this.deps.secrets.hash(secret);
    const grant = await this.deps.grants.ofRefreshToken(Number(id), hash);
    return grant && { ...grant, hash };
  }

  async #issue({ tokenId, userId, scopes }: Grant, refresh: TokenSecret, now: Date): Promise<GrantedTokens> {
    const { tokens, secrets } = this.deps;
    const [secret, grant] = [secrets.create(), await tokens.find(tokenId)];
    if (!grant) throw new InvalidGrant('the grant has ended');
    await tokens.add({
      userId,
      name: grant.name,
      kind: 'access',
      parentId: tokenId,
      hash: secrets.hash(secret),
      scopes,
      monthlyCredits: null,
      customer: grant.customer,
      createdAt: now,
      expiresAt: new Date(now.getTime() + ACCESS_SECONDS * 1000),
    });
    return { accessToken: secret, refreshToken: `${tokenId}.${refresh}`, expiresInSeconds: ACCESS_SECONDS, scopes };
  }

  async #end({ userId, tokenId }: Grant): Promise<void> {
    await this.deps.tokens.revoke(userId, tokenId);
  }
}

const idleUntil = (now: Date): Date => new Date(now.getTime() + IDLE_DAYS * DAY_MS);
