import { DomainError } from '#kernel';
import type { TokenSecret } from './token.ts';

export const CHALLENGE_MINUTES = 5;
/** Codes that can be tried with one challenge. */
export const CHALLENGE_TRIES = 5;

/** Proof of the first factor of a log-in. With a code it opens a session, once. */
export interface LogInChallenge {
  /** Never stored. Has the format of a token, but does not authenticate requests. */
  readonly secret: TokenSecret;
  readonly expiresAt: Date;
}

export function challengeExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + CHALLENGE_MINUTES * 60_000);
}

/** The log-in needs a code. */
export class SecondFactorRequired extends DomainError {
  /**
   * @param challenge what to send with the code
   * @param isAfterWrongCode whether a code was sent, and it was wrong or used before
   */
  constructor(
    readonly challenge: string,
    readonly isAfterWrongCode: boolean,
  ) {
    const problem = isAfterWrongCode ? 'the code is wrong, or was used before: ' : '';
    super(
      'second_factor_required',
      `${problem}send \`challenge\` and a \`code\` of your authenticator app, or a recovery code`,
    );
  }
}
