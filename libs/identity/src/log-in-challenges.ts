import { DomainError, type Clock } from '#kernel';
import { CHALLENGE_TRIES, challengeExpiry, type LogInChallenge } from './domain/log-in-challenge.ts';
import { isTokenSecret, type TokenHash } from './domain/token.ts';
import type { LogInChallengeStore, TokenSecrets } from './ports.ts';

export class LogInChallenges {
  constructor(
    private readonly challenges: LogInChallengeStore,
    private readonly secrets: TokenSecrets,
    private readonly clock: Clock,
  ) {}

  /** Issues a challenge for a user who has proved the first factor. */
  async issue(userId: number): Promise<LogInChallenge> {
    const createdAt = this.clock.now();
    const expiresAt = challengeExpiry(createdAt);
    const secret = this.secrets.create();
    await this.challenges.add({ userId, hash: this.secrets.hash(secret), createdAt, expiresAt });
    return { secret, expiresAt };
  }

  /**
   * Counts a try with a challenge, before the code is checked.
   *
   * @returns the user
   * @throws DomainError `unauthenticated` when it is unknown, used or expired, or has no tries left
   */
  async countTry(challenge: string): Promise<number> {
    const userId = await this.challenges.countTry(this.#hashOf(challenge), {
      maxTries: CHALLENGE_TRIES,
      now: this.clock.now(),
    });
    if (userId === null) throw ended();
    return userId;
  }

  /** Ends a challenge, in the unit of work that opens the session. @throws DomainError `unauthenticated` if it has ended */
  async redeem(challenge: string): Promise<void> {
    if (!(await this.challenges.redeem(this.#hashOf(challenge)))) throw ended();
  }

  #hashOf(challenge: string): TokenHash {
    if (!isTokenSecret(challenge)) throw ended();
    return this.secrets.hash(challenge);
  }
}

function ended(): DomainError {
  return new DomainError('unauthenticated', 'the log-in has ended: it took too long, or too many codes. Log in again');
}
