/** @tier test */
import { describe, expect } from '@jest/globals';
import { PostgresAccounts, PostgresRecoveryCodes, PostgresTwoFactors } from '#adapters/postgres';
import type { RecoveryCodeHash } from '#identity';
import type { Sealed } from '#kernel';
import { someone } from '#testing/identity';
import { suiteDatabase } from '../support/suite-database.ts';
import { itInRounds } from '../support/rounds.ts';

const now = new Date('2026-11-24T12:00:00Z');
const secret = 'v1.00000000.sealed' as Sealed;
const hash = 'ab'.repeat(32) as RecoveryCodeHash;

const db = await suiteDatabase({ poolSize: 20 });
const factors = new PostgresTwoFactors(db.database);
const recoveryCodes = new PostgresRecoveryCodes(db.database);

/** A user with two-factor on, whose step 7 was accepted, and one recovery code. */
async function newUser(): Promise<number> {
  const { user } = await new PostgresAccounts(db.database).open(someone());
  await factors.start(user.id, secret, now);
  await factors.confirm({ userId: user.id, secret, step: 7, now });
  await recoveryCodes.replace(user.id, [hash]);
  return user.id;
}

const successes = async (make: () => Promise<boolean>) =>
  (await Promise.all(Array.from({ length: 20 }, make))).filter(Boolean).length;

describe('of twenty uses at once, one succeeds', () => {
  itInRounds('of a recovery code', async () => {
    const userId = await newUser();
    expect(await successes(() => recoveryCodes.use(userId, hash))).toBe(1);
  });

  itInRounds('of a time step', async () => {
    const userId = await newUser();
    expect(await successes(() => factors.acceptStep(userId, 8))).toBe(1);
  });
});
