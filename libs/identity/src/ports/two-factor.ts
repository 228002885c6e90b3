import type { Sealed } from '#kernel';
import type { Email } from '../domain/email.ts';
import type { TokenHash } from '../domain/token.ts';
import type { CodeTries, RecoveryCode, RecoveryCodeHash, TotpCode, TwoFactor } from '../domain/two-factor.ts';

/** Two-factor of users: at most one each. */
export interface TwoFactorStore {
  isOn(userId: number): Promise<boolean>;

  /** Adds a pending one, or replaces the pending one of before. False when it is on. */
  start(userId: number, secret: Sealed, now: Date): Promise<boolean>;

  /** Returns it and locks it until the surrounding unit of work ends; `null` when it is off. */
  lock(userId: number): Promise<TwoFactor | null>;

  saveTries(userId: number, tries: CodeTries): Promise<void>;

  /** Turns it on, and accepts the step. False unless it is pending, with this secret. */
  confirm(request: {
    readonly userId: number;
    readonly secret: Sealed;
    readonly step: number;
    readonly now: Date;
  }): Promise<boolean>;

  /**
   * Accepts the code of a time step, and forgets failed tries. Of several concurrent calls for one step, one succeeds.
   * False when it is not on, or has accepted this step or a later one.
   */
  acceptStep(userId: number, step: number): Promise<boolean>;

  /** Turns it off, pending or on, and deletes its recovery codes. False when it was off. */
  remove(userId: number): Promise<boolean>;
}

/** The recovery codes of two-factor, identified by their hashes. */
export interface RecoveryCodeStore {
  /** Deletes the codes of before. */
  replace(userId: number, hashes: readonly RecoveryCodeHash[]): Promise<void>;

  /** Deletes a code. Of several concurrent calls for one code, one succeeds. False when there is no such code. */
  use(userId: number, hash: RecoveryCodeHash): Promise<boolean>;
}

export interface NewLogInChallenge {
  readonly userId: number;
  readonly hash: TokenHash;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Challenges of log-ins that need a code, identified by the hash of their secret. */
export interface LogInChallengeStore {
  /** Adds a challenge, and deletes all that have expired by its creation. */
  add(challenge: NewLogInChallenge): Promise<void>;

  /**
   * Counts a try. Of any number of concurrent calls, `maxTries` succeed.
   *
   * @returns the user; `null` when it is unknown, has no tries left, or has expired at `now`
   */
  countTry(hash: TokenHash, limits: { readonly maxTries: number; readonly now: Date }): Promise<number | null>;

  /** Deletes a challenge. Of several concurrent calls, one succeeds; false for the others. */
  redeem(hash: TokenHash): Promise<boolean>;

  /** Deletes all challenges of a user. */
  endAll(userId: number): Promise<void>;
}

/** Data that an authenticator app needs. */
export interface Enrolment {
  /** In base32, for typing. */
  readonly secret: string;
  /** An `otpauth:` URL. */
  readonly url: string;
  /** The URL as a QR code, in SVG. */
  readonly qrCode: string;
}

/** Time-based codes (RFC 6238: SHA-1, six digits, 30 seconds), and recovery codes. */
export interface OneTimeCodes {
  /** 160 bits from a source that can't be predicted. */
  createSecret(): Uint8Array;

  enrolmentOf(secret: Uint8Array, email: Email): Promise<Enrolment>;

  /**
   * The time step of a code, of the step at `now`, the one before and the one after; `null` for a wrong code. Codes are
   * compared in constant time.
   */
  stepOf(code: TotpCode, secret: Uint8Array, now: Date): Promise<number | null>;

  /** From a source that can't be predicted. */
  createRecoveryCode(): RecoveryCode;

  /** The same hash for the same code, always. */
  hashRecoveryCode(code: RecoveryCode): RecoveryCodeHash;
}
