import { twoFactorContext, type CodeTries, type TwoFactor, type TwoFactorStore } from '#identity';
import type { Sealed, SealedSecret, SealedSecrets } from '#kernel';
import type { Database } from '../database.ts';
import { TwoFactorRow } from '../schema.ts';

export class PostgresTwoFactors implements TwoFactorStore {
  constructor(private readonly database: Database) {}

  async isOn(userId: number): Promise<boolean> {
    const found = await this.database.kysely
      .selectFrom('two_factors')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst();
    return found !== undefined;
  }

  async start(userId: number, secret: Sealed, now: Date): Promise<boolean> {
    const pending = { secret, created_at: now, failures: 0, failed_at: null };
    const started = await this.database.kysely
      .insertInto('two_factors')
      .values({ user_id: userId, ...pending })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(pending).where('two_factors.confirmed_at', 'is', null),
      )
      .returning('user_id')
      .executeTakeFirst();
    return started !== undefined;
  }

  async lock(userId: number): Promise<TwoFactor | null> {
    const row = await this.database.kysely
      .selectFrom('two_factors')
      .select(['secret', 'confirmed_at', 'failures', 'failed_at as lastAt'])
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return null;
    const { secret, confirmed_at: confirmedAt, ...tries } = row;
    return { userId, secret, tries, state: confirmedAt ? 'on' : 'pending' };
  }

  async saveTries(userId: number, { failures, lastAt }: CodeTries): Promise<void> {
    await this.database.em.nativeUpdate(TwoFactorRow, { userId }, { failures, failedAt: lastAt });
  }

  async confirm(request: {
    readonly userId: number;
    readonly secret: Sealed;
    readonly step: number;
    readonly now: Date;
  }): Promise<boolean> {
    const { userId, secret, step, now } = request;
    const pending = { userId, secret, confirmedAt: null };
    const changes = { confirmedAt: now, lastStep: step, failures: 0, failedAt: null };
    return (await this.database.em.nativeUpdate(TwoFactorRow, pending, changes)) === 1;
  }

  /** A code is accepted once: of the same step, and of earlier ones, none is accepted any more. */
  async acceptStep(userId: number, step: number): Promise<boolean> {
    const earlier = { userId, confirmedAt: { $ne: null }, lastStep: { $lt: step } };
    const changes = { lastStep: step, failures: 0, failedAt: null };
    return (await this.database.em.nativeUpdate(TwoFactorRow, earlier, changes)) === 1;
  }

  async remove(userId: number): Promise<boolean> {
    return (await this.database.em.nativeDelete(TwoFactorRow, { userId })) === 1;
  }
}

/** The secrets of two-factor, for the rotation of the key. */
export class TwoFactorSecrets implements SealedSecrets {
  constructor(private readonly database: Database) {}

  async list(after: number, limit: number): Promise<readonly SealedSecret[]> {
    const rows = await this.database.kysely
      .selectFrom('two_factors')
      .select(['user_id as id', 'secret as sealed'])
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...row, context: twoFactorContext(row.id) }));
  }

  async replace({ id, sealed }: SealedSecret, by: Sealed): Promise<boolean> {
    return (await this.database.em.nativeUpdate(TwoFactorRow, { userId: id, secret: sealed }, { secret: by })) === 1;
  }
}
