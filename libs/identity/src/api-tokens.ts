import type { AuditLog } from '#audit-log';
import type { UnitOfWork } from '#kernel';
import type { IssuedToken } from './domain/token.ts';
import type { Actor } from './domain/user.ts';
import type { TokenRequest, Tokens } from './tokens.ts';

type ApiTokenRequest = Omit<TokenRequest, 'userId' | 'kind' | 'parent' | 'client'>;

/** Creates and revokes API tokens, for their users and for operators. */
export class ApiTokens {
  constructor(
    private readonly deps: {
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly tokens: Tokens;
      readonly unitOfWork: UnitOfWork;
    },
  ) {}

  /** As `Tokens.createFor`. The unit of work checks the caller's token again: a revoked token creates no other. */
  create(actor: Actor, request: ApiTokenRequest): Promise<IssuedToken> {
    return this.#recorded(actor.userId, () => this.deps.tokens.createFor(actor, request));
  }

  /** Creates a token for a user, which depends on no other. @throws DomainError `validation_failed` */
  createAsOperator(userId: number, request: ApiTokenRequest): Promise<IssuedToken> {
    const token = { ...request, userId, kind: 'api', parent: null } as const;
    return this.#recorded(userId, () => this.deps.tokens.create(token));
  }

  /** As `Tokens.revokeFor`. */
  revoke(actor: Actor, tokenId: number): Promise<void> {
    return this.#revoked(actor.userId, tokenId, () => this.deps.tokens.revokeFor(actor, tokenId));
  }

  /** As `Tokens.revoke`. */
  revokeAsOperator(userId: number, tokenId: number): Promise<void> {
    return this.#revoked(userId, tokenId, () => this.deps.tokens.revoke(userId, tokenId));
  }

  #revoked(userId: number, tokenId: number, revoke: () => Promise<void>): Promise<void> {
    return this.deps.unitOfWork.run(async () => {
      // Before the token is gone: the entry has its name.
      await this.deps.auditLog.record({ action: 'token.revoke', target: tokenId, details: {}, workspaceOf: userId });
      await revoke();
    });
  }

  #recorded(userId: number, create: () => Promise<IssuedToken>): Promise<IssuedToken> {
    return this.deps.unitOfWork.run(async () => {
      const token = await create();
      const details = { expires: token.expiresAt?.toISOString() ?? null, scopes: token.scopes };
      await this.deps.auditLog.record({ action: 'token.create', target: token.id, details, workspaceOf: userId });
      return token;
    });
  }
}
