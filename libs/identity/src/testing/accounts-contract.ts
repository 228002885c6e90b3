import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emailOf, type AccountStore, type NewAccount, type PasswordHash } from '../index.ts';
import { emails, texts, times } from './arbitraries.ts';

/** What every adapter of `AccountStore` must do. `make` may give the same store each time. */
export function accountsContract(name: string, make: () => Promise<AccountStore>): void {
  describe(`accounts: ${name}`, () => {
    it('come back as they were opened, by e-mail and by id', async () => {
      const accounts = await make();
      const account = fc.record<NewAccount>({
        email: emails,
        name: fc.option(texts),
        passwordHash: fc.option(texts) as fc.Arbitrary<PasswordHash | null>,
        plan: fc.constantFrom('free', 'pro'),
        openedAt: times,
      });
      const taken = new Set<string>();
      await fc.assert(
        fc.asyncProperty(account, async (given) => {
          fc.pre(!taken.has(given.email));
          taken.add(given.email);
          const { user } = await accounts.open(given);
          expect(user).toEqual({ id: user.id, email: given.email, name: given.name });
          expect(await accounts.find(user.id)).toEqual(user);
          expect(await accounts.findByEmail(given.email)).toEqual({
            ...user,
            passwordHash: given.passwordHash,
          });
        }),
        { numRuns: 50 },
      );
    });

    it('are nobody when the e-mail or the id is unknown', async () => {
      const accounts = await make();
      expect(await accounts.findByEmail(emailOf('nobody@example.com'))).toBeNull();
      expect(await accounts.find(999_999_999)).toBeNull();
    });

    it('give each user a personal workspace of their own', async () => {
      const accounts = await make();
      const [one, two] = [await accounts.open(someone()), await accounts.open(someone())];
      expect(one.workspaceId).not.toBe(two.workspaceId);
      expect(one.user.id).not.toBe(two.user.id);
    });

    it('open once for one e-mail, however many ask at once', async () => {
      const accounts = await make();
      for (let round = 0; round < 10; round++) {
        const account = someone();
        const answers = await Promise.allSettled(Array.from({ length: 10 }, () => accounts.open(account)));
        expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const answer of answers) {
          if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'user_exists' });
        }
      }
    });
  });
}

let count = 0;

/** A new account that no other has the e-mail of. */
export function someone(differences: Partial<NewAccount> = {}): NewAccount {
  return {
    email: emailOf(`someone-${++count}@example.com`),
    name: 'Someone',
    passwordHash: null,
    plan: 'free',
    openedAt: new Date('2026-03-14T09:26:53.589Z'),
    ...differences,
  };
}
