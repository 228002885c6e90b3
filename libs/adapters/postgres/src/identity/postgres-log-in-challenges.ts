import { sql } from 'kysely';
import type { LogInChallengeStore, NewLogInChallenge, TokenHash } from '#identity';
import type { Database } from '../database.ts';
import { LogInChallengeRow } from '../schema.ts';
import { bytesOf } from './token-hash.ts';

export class PostgresLogInChallenges implements LogInChallengeStore {
  constructor(private readonly database: Database) {}

  async add({ userId, hash, createdAt, expiresAt }: NewLogInChallenge): Promise<void> {
    await this.database.em.nativeDelete(LogInChallengeRow, { expiresAt: { $lte: createdAt } });
    await this.database.em.insert(LogInChallengeRow, { userId, hash: bytesOf(hash), createdAt, expiresAt });
  }

  /** A challenge can be tried a few times: each try is counted before its code is checked. */
  async countTry(
    hash: TokenHash,
    { maxTries, now }: { readonly maxTries: number; readonly now: Date },
  ): Promise<number | null> {
    const counted = await this.database.kysely
      .updateTable('log_in_challenges')
      .set({ tries: sql<number>`tries + 1` })
      .where('hash', '=', bytesOf(hash))
      .where('tries', '<', maxTries)
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst();
    return counted?.user_id ?? null;
  }

  async redeem(hash: TokenHash): Promise<boolean> {
    return (await this.database.em.nativeDelete(LogInChallengeRow, { hash: bytesOf(hash) })) === 1;
  }

  async endAll(userId: number): Promise<void> {
    await this.database.em.nativeDelete(LogInChallengeRow, { userId });
  }
}
