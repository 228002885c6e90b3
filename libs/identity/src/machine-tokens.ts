import type { AuditLog } from '#audit-log';
import { notFound, type Clock, type UnitOfWork } from '#kernel';
import {
  isMachineSecret,
  isUseDue,
  machineSecretOf,
  operateScopesOf,
  type MachineToken,
  type OperateScope,
} from './domain/machine-token.ts';
import { nameOf } from './domain/name.ts';
import { tokenExpiry, type TokenSecret } from './domain/token.ts';
import type { MachineTokenStore, TokenSecrets } from './ports.ts';

/** Tokens with which programs operate the service. */
export class MachineTokens {
  constructor(
    private readonly tokens: MachineTokenStore,
    private readonly secrets: TokenSecrets,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The token with this secret; `null` when it is malformed, unknown, expired or revoked. Its use is recorded. */
  async find(secret: string): Promise<MachineToken | null> {
    if (!isMachineSecret(secret)) return null;
    const now = this.clock.now();
    const token = await this.tokens.find(this.secrets.hash(secret), now);
    if (token && isUseDue(token, now)) await this.tokens.recordUse(token.id, now);
    return token;
  }

  /**
   * @returns the token with its secret, which can't be retrieved later
   * @throws DomainError `validation_failed`
   */
  create(request: {
    readonly name: string;
    readonly scopes: readonly OperateScope[];
    /** `null` for a token that does not expire. */
    readonly expiresInDays: number | null;
  }): Promise<MachineToken & { readonly secret: TokenSecret }> {
    const [name, scopes, createdAt] = [nameOf(request.name), operateScopesOf(request.scopes), this.clock.now()];
    const expiresAt = tokenExpiry(createdAt, request.expiresInDays);
    const secret = machineSecretOf(this.secrets.create());
    return this.unitOfWork.run(async () => {
      const facts = { name, scopes, createdAt, expiresAt };
      const id = await this.tokens.add({ ...facts, hash: this.secrets.hash(secret) });
      const details = { expires: expiresAt?.toISOString() ?? null, scopes };
      await this.auditLog.record({ action: 'machine_token.create', target: id, details, workspaceId: null });
      return { ...facts, id, lastUsedAt: null, secret };
    });
  }

  /** @throws DomainError `not_found` */
  revoke(id: number): Promise<void> {
    return this.unitOfWork.run(async () => {
      // Before the token is gone: the entry has its name.
      await this.auditLog.record({ action: 'machine_token.revoke', target: id, details: {}, workspaceId: null });
      if (!(await this.tokens.delete(id))) throw notFound('token');
    });
  }
}
