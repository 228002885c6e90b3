import { sql } from 'kysely';
import {
  CONFIRMATION_TOKENS,
  type Confirmation,
  type ConfirmationPurpose,
  type ConfirmationStore,
  type Email,
  type NewConfirmation,
  type TokenHash,
} from '#identity';
import type { Database } from '../database.ts';
import { bytesOf } from './token-hash.ts';

const CONFIRMATION = [
  'id',
  'user_id as userId',
  'purpose',
  'email',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

export class PostgresConfirmations implements ConfirmationStore {
  constructor(private readonly database: Database) {}

  /** A user has one confirmation of each purpose (`account_confirmations_one_of_each_purpose`): the new one replaces it. */
  async replace({ userId, purpose, email, createdAt, expiresAt }: NewConfirmation): Promise<Confirmation> {
    await this.cancel(userId, purpose);
    return (
      this.database.kysely
        .insertInto('account_confirmations')
        .values({ user_id: userId, purpose, email, created_at: createdAt, expires_at: expiresAt })
        // Another request has just added one: of the two, the later one is valid.
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'purpose'])
            .doUpdateSet({ email, token_hashes: [], created_at: createdAt, expires_at: expiresAt }),
        )
        .returning(CONFIRMATION)
        .executeTakeFirstOrThrow()
    );
  }

  async addToken(id: number, hash: TokenHash, now: Date): Promise<Confirmation | null> {
    const updated = await this.database.kysely
      .updateTable('account_confirmations')
      .set({
        token_hashes: sql<
          Buffer[]
        >`(array_prepend(${bytesOf(hash)}::bytea, token_hashes))[1:${sql.lit(CONFIRMATION_TOKENS)}]`,
      })
      .where('id', '=', id)
      .where('expires_at', '>', now)
      .returning(CONFIRMATION)
      .executeTakeFirst();
    return updated ?? null;
  }

  /** A mailed token works once: its confirmation is deleted by the first use. */
  async redeem(purpose: ConfirmationPurpose, hash: TokenHash, now: Date): Promise<Confirmation | null> {
    const redeemed = await this.database.kysely
      .deleteFrom('account_confirmations')
      .where('purpose', '=', purpose)
      .where(sql<boolean>`token_hashes @> array[${bytesOf(hash)}::bytea]`)
      .where('expires_at', '>', now)
      .returning(CONFIRMATION)
      .executeTakeFirst();
    return redeemed ?? null;
  }

  async cancel(userId: number, purpose: ConfirmationPurpose, except?: Email): Promise<void> {
    await this.database.kysely
      .deleteFrom('account_confirmations')
      .where('user_id', '=', userId)
      .where('purpose', '=', purpose)
      .$if(except !== undefined, (query) => query.where('email', '<>', except!))
      .execute();
  }
}
