import { DomainError } from '#kernel';

/** Grantor of the right to operate: the command line, or a claim of the issuer. */
export type OperatorGrant = 'cli' | 'claim';

/** A claim of the issuer that makes people operators. */
export interface OperatorClaim {
  readonly name: string;
  readonly value: string;
}

/** Reports whether a claim is the value, or a list with the value. */
export function claimHas(claim: unknown, value: string): boolean {
  return claim === value || (Array.isArray(claim) && claim.includes(value));
}

/**
 * Decides who makes an account an operator after a sign-in at the issuer. The claim gives and takes only what it has given:
 * an operator of the command line stays one.
 */
export function operatorAfterSignIn(now: OperatorGrant | null, hasClaim: boolean): OperatorGrant | null {
  if (now === 'cli') return now;
  return hasClaim ? 'claim' : null;
}

/** A change of who may operate the service. */
export interface OperatorChange {
  readonly userId: number;
  readonly isOperator: boolean;
  /** The operator who makes the change; `null` for ADMIN_TOKEN. */
  readonly by: number | null;
  /** True if the service has an ADMIN_TOKEN, which works without an operator. */
  readonly hasAdminToken: boolean;
}

/**
 * @param operators the users who are operators now
 * @throws DomainError `forbidden` when the caller is no operator any more; `conflict` for the last operator
 */
export function assertOperatorChange(operators: readonly number[], change: OperatorChange): void {
  const { userId, isOperator, by, hasAdminToken } = change;
  if (by !== null && !operators.includes(by)) throw new DomainError('forbidden', 'only operators may do this');
  if (!isOperator) assertNotLastOperator(operators, userId, hasAdminToken);
}

/**
 * The service keeps a way to its operation: the last operator stays one, and is not erased, if there is no ADMIN_TOKEN.
 * Operators by a claim count until a sign-in without it.
 *
 * @param operators the users who are operators now
 * @throws DomainError `conflict` for the last operator
 */
export function assertNotLastOperator(operators: readonly number[], userId: number, hasAdminToken: boolean): void {
  const isLast = operators.length === 1 && operators[0] === userId;
  if (!isLast || hasAdminToken) return;
  throw new DomainError(
    'conflict',
    'this is the last operator, and the service has no ADMIN_TOKEN: make another user an operator first',
  );
}
