import type { AuditLog } from '#audit-log';
import { notFound, type UnitOfWork } from '#kernel';
import type { Actor } from './domain/user.ts';
import type { SessionStore, TokenStore } from './ports.ts';
import type { Tokens } from './tokens.ts';

/**
 * Ends sessions of the caller. A token with scopes ends only the sessions made with it. The audit log is written before a
 * session ends, as its entry is completed from the caller's token.
 */
export class Sessions {
  constructor(
    private readonly deps: {
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly sessions: Pick<SessionStore, 'end' | 'endAll'>;
      readonly store: Pick<TokenStore, 'revoke'>;
      readonly tokens: Pick<Tokens, 'reachOf'>;
      readonly unitOfWork: UnitOfWork;
    },
  ) {}

  /** @throws DomainError `not_found` */
  async end(actor: Actor, sessionId: number): Promise<void> {
    await this.deps.unitOfWork.run(async () => {
      await this.#record(sessionId);
      const madeWith = await this.deps.tokens.reachOf(actor);
      if (!(await this.deps.sessions.end(actor.userId, sessionId, madeWith))) throw notFound('session');
    });
  }

  /** Ends all but the session of the request. API tokens stay. */
  async endOthers(actor: Actor): Promise<void> {
    const { userId, tokenId } = actor;
    await this.deps.unitOfWork.run(async () => {
      await this.deps.auditLog.record({ action: 'session.end_others', target: userId, details: {} });
      const madeWith = await this.deps.tokens.reachOf(actor);
      await this.deps.sessions.endAll(userId, { except: tokenId, madeWith });
    });
  }

  /** Ends the token of the request. */
  async endCurrent({ userId, tokenId }: Actor): Promise<void> {
    await this.deps.unitOfWork.run(async () => {
      await this.#record(tokenId);
      await this.deps.store.revoke(userId, tokenId);
    });
  }

  #record(sessionId: number): Promise<void> {
    return this.deps.auditLog.record({ action: 'session.end', target: sessionId, details: {} });
  }
}
