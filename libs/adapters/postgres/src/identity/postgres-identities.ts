import type { Identity, IdentityStore, NewIdentity } from '#identity';
import type { Database } from '../database.ts';

const IDENTITY = ['id', 'user_id as userId', 'issuer', 'subject', 'email', 'created_at as createdAt'] as const;

export class PostgresIdentities implements IdentityStore {
  constructor(private readonly database: Database) {}

  async find(issuer: string, subject: string): Promise<Identity | null> {
    const found = await this.database.kysely
      .selectFrom('identities')
      .select(IDENTITY)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return found ?? null;
  }

  /** An identity has one user (`identities_one_user`). */
  async add({ userId, issuer, subject, email, createdAt }: NewIdentity): Promise<boolean> {
    const added = await this.database.kysely
      .insertInto('identities')
      .values({ user_id: userId, issuer, subject, email, created_at: createdAt })
      .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
      .returning('id')
      .executeTakeFirst();
    return added !== undefined;
  }

  list(userId: number): Promise<readonly Identity[]> {
    return this.database.kysely
      .selectFrom('identities')
      .select(IDENTITY)
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
  }

  async remove(userId: number, id: number): Promise<boolean> {
    const removed = await this.database.kysely
      .deleteFrom('identities')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return removed !== undefined;
  }

  async removeAll(userId: number): Promise<number> {
    const { kysely } = this.database;
    const removed = await kysely.deleteFrom('identities').where('user_id', '=', userId).executeTakeFirst();
    return Number(removed.numDeletedRows);
  }
}
