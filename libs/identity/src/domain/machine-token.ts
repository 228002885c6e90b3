import { invalidField } from '#kernel';
import { InsufficientScope } from './scopes.ts';
import type { TokenSecret } from './token.ts';

/** Scopes of machine tokens: every read of the operators' API, or all of it. */
export const OPERATE_SCOPES = ['operate.read', 'operate'] as const;
export type OperateScope = (typeof OPERATE_SCOPES)[number];

/** A token with which a program of the operator operates the service. It acts as no user. */
export interface MachineToken {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly OperateScope[];
  readonly createdAt: Date;
  /** Precise to a minute; `null` when it was never used. */
  readonly lastUsedAt: Date | null;
  /** `null` for a token that does not expire. */
  readonly expiresAt: Date | null;
}

/** Precision of the last use. */
const USE_MS = 60_000;

/** The secret of a machine token, by a new token secret: `x12_operate_` and 256 random bits. */
export function machineSecretOf(secret: TokenSecret): TokenSecret {
  return secret.replace(/^x12_/, 'x12_operate_') as TokenSecret;
}

/** Reports whether the text has the format of the secret of a machine token. Other texts need no look-up. */
export function isMachineSecret(text: string): text is TokenSecret {
  return /^x12_operate_[A-Za-z0-9_-]{43}$/.test(text);
}

/** @throws DomainError `validation_failed` without any scope */
export function operateScopesOf(scopes: readonly OperateScope[]): readonly OperateScope[] {
  if (scopes.length === 0) throw invalidField('scopes', `must name at least one of ${OPERATE_SCOPES.join(', ')}`);
  return [...new Set(scopes)];
}

/** @throws InsufficientScope */
export function assertOperates(
  { scopes }: Pick<MachineToken, 'scopes'>,
  { isRead }: { readonly isRead: boolean },
): void {
  if (scopes.includes('operate') || (isRead && scopes.length > 0)) return;
  throw new InsufficientScope(isRead ? ['operate.read', 'operate'] : ['operate']);
}

export function isUseDue({ lastUsedAt }: Pick<MachineToken, 'lastUsedAt'>, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= USE_MS;
}
