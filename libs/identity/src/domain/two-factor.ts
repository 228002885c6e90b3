import { DomainError, invalidField, type Sealed } from '#kernel';

declare const totp: unique symbol;
declare const recovery: unique symbol;
declare const hash: unique symbol;

/** Six digits of an authenticator app. */
export type TotpCode = string & { readonly [totp]: true };

/** 80 random bits in hexadecimal: a code that can't be guessed, and works once. */
export type RecoveryCode = string & { readonly [recovery]: true };

/** SHA-256 of a recovery code, in hexadecimal. It is stored instead of the code. */
export type RecoveryCodeHash = string & { readonly [hash]: true };

export const RECOVERY_CODES = 10;
export const RECOVERY_CODE_BYTES = 10;

/** Tries of codes since the last code that was accepted. */
export interface CodeTries {
  readonly failures: number;
  /** `null` without failures. */
  readonly lastAt: Date | null;
}

interface Factor {
  readonly userId: number;
  /** The secret that the authenticator app has too. */
  readonly secret: Sealed;
  readonly tries: CodeTries;
}

/** Waits for a first code, which shows that the app has the secret. Log-in does not ask for codes yet. */
export interface PendingTwoFactor extends Factor {
  readonly state: 'pending';
}

export interface ActiveTwoFactor extends Factor {
  readonly state: 'on';
}

/** Two-factor of a user. A user without one has it off. */
export type TwoFactor = PendingTwoFactor | ActiveTwoFactor;

/** Context that a secret is sealed with: the secret of one user can't be opened as that of another. */
export function twoFactorContext(userId: number): string {
  return `two-factor of user ${userId}`;
}

/** A code as it was typed: of the app, or a recovery code; blanks, hyphens and case do not matter. `null` for others. */
export function readCode(
  text: string,
):
  | { readonly kind: 'totp'; readonly code: TotpCode }
  | { readonly kind: 'recovery'; readonly code: RecoveryCode }
  | null {
  const code = text.replace(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code: code as TotpCode };
  if (/^[0-9a-f]{20}$/.test(code)) return { kind: 'recovery', code: code as RecoveryCode };
  return null;
}

/** A recovery code as people read it: `3f9a1-07c2e-b81d4-95a60`. */
export function shownRecoveryCode(code: RecoveryCode): string {
  return code.match(/.{5}/g)!.join('-');
}

/** Wrong codes before the account has to wait. */
export const FREE_CODE_TRIES = 5;
const FIRST_WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 3600;
/** Failures are forgotten this long after the last one. */
const FORGET_SECONDS = 86_400;

/**
 * Counts a try whose code has not been checked yet. An account has five tries, then one after a
 * minute, and each time after twice as long, up to an hour: with three of a million codes right at a time, whoever knows
 * the password guesses one within a year with a probability of 3 %.
 *
 * @throws DomainError `rate_limited`
 */
export function countTry({ failures, lastAt }: CodeTries, now: Date): CodeTries {
  const seconds = lastAt === null ? Infinity : (now.getTime() - lastAt.getTime()) / 1000;
  if (seconds >= FORGET_SECONDS) return { failures: 1, lastAt: now };
  const left = Math.ceil(waitSeconds(failures) - seconds);
  if (left > 0) {
    throw new DomainError(
      'rate_limited',
      `too many wrong codes: try again in ${left} seconds, or use a recovery code`,
      { retrySeconds: left },
    );
  }
  return { failures: failures + 1, lastAt: now };
}

function waitSeconds(failures: number): number {
  if (failures < FREE_CODE_TRIES) return 0;
  return Math.min(FIRST_WAIT_SECONDS * 2 ** (failures - FREE_CODE_TRIES), MAX_WAIT_SECONDS);
}

/** A code that is wrong, or was used before: the two can't be told apart. */
export class WrongCode extends DomainError {
  constructor() {
    const { message, fields } = invalidField('code', 'is wrong, or was used before');
    super('validation_failed', message, { fields: fields! });
  }
}
