import { beforeEach, describe, expect, it } from '@jest/globals';
import { RandomTokenSecrets } from '#adapters/secrets';
import { rounds } from '../../../test/support/rounds.ts';
import {
  auditLog,
  clock,
  ISSUER,
  issuer,
  operators,
  singleSignOn,
  stores,
} from '../../../test/support/identity-stage.ts';
import { emailOf } from './domain/email.ts';
import type { PasswordHash } from './domain/password.ts';
import type { Actor } from './domain/user.ts';
import type { StartedAttempt } from './single-sign-on.ts';
import { someone } from './testing/index.ts';

const client = { address: null, userAgent: null };
const TEN_MINUTES = 600;

let count = 0;
beforeEach(nextPerson);

function nextPerson(): void {
  const subject = `person-${++count}`;
  const email = emailOf(`${subject}@example.com`);
  issuer.claims = { issuer: ISSUER, subject, email, emailVerified: true, name: null, isOperator: false };
}

const finish = ({ state, sealed }: StartedAttempt) => singleSignOn.complete({ response: '', state, sealed, client });

async function signIn(): Promise<number> {
  const { session } = await finish(await singleSignOn.start('/console'));
  return session!.user.id;
}

describe('single sign-on', () => {
  it('opens one account for a person who signs in in four tabs at a time', async () => {
    for (let round = 0; round < rounds(); round++) {
      nextPerson();
      const users = await Promise.all([signIn(), signIn(), signIn(), signIn()]);
      expect(new Set(users).size).toBe(1);
      expect(await stores.identities.list(users[0]!)).toHaveLength(1);
    }
  });

  it('ends all access of a user who opened the account before the owner of the address', async () => {
    const { user } = await stores.accounts.open(
      someone({ email: issuer.claims.email!, passwordHash: 'a hash' as PasswordHash }),
    );
    const { id: userId } = user;
    const createdAt = clock.now();
    await stores.identities.add({ userId, issuer: ISSUER, subject: 'of the squatter', email: null, createdAt });
    await stores.factors.start(userId, 'sealed' as never, createdAt);
    const [own, secrets] = [emailOf('squatter@example.com'), new RandomTokenSecrets()];
    const expiresAt = new Date(createdAt.getTime() + TEN_MINUTES * 1000);
    const hashes = [secrets.hash(secrets.create()), secrets.hash(secrets.create())] as const;
    for (const [index, purpose] of (['email', 'password_reset'] as const).entries()) {
      const { id } = await stores.confirmations.replace({ userId, purpose, email: own, createdAt, expiresAt });
      await stores.confirmations.addToken(id, hashes[index]!, createdAt);
    }
    expect(await signIn()).toBe(userId);
    expect(await stores.identities.list(userId)).toEqual([expect.objectContaining({ subject: issuer.claims.subject })]);
    expect(await stores.factors.lock(userId)).toBeNull();
    expect(await stores.confirmations.redeem('email', hashes[0], createdAt)).toBeNull();
    expect(await stores.confirmations.redeem('password_reset', hashes[1], createdAt)).toBeNull();
    expect(await stores.accounts.find(userId)).toMatchObject({
      emailVerified: true,
      hasPassword: false,
      twoFactor: false,
    });
  });

  it('leaves one way in, of two that are unlinked at a time', async () => {
    for (let round = 0; round < rounds(); round++) {
      nextPerson();
      const userId = await signIn();
      const { email } = issuer.claims;
      await stores.identities.add({
        userId,
        issuer: ISSUER,
        subject: `second-${round}`,
        email,
        createdAt: clock.now(),
      });
      const linked = await stores.identities.list(userId);
      const unlinking = linked.map(({ id }) => singleSignOn.unlink({ userId } as Actor, id));
      const states = (await Promise.allSettled(unlinking)).map(({ status }) => status);
      expect(states.sort()).toEqual(['fulfilled', 'rejected']);
      expect(await stores.identities.list(userId)).toHaveLength(1);
    }
  });

  describe('with a claim that makes operators', () => {
    const operatorChanges = () => auditLog.entries.filter(({ action }) => action === 'account.operator_change');
    const isOperator = async (userId: number) => (await stores.accounts.find(userId))!.isOperator;
    const signInWith = (claim: boolean) => {
      issuer.claims = { ...issuer.claims, isOperator: claim };
      return signIn();
    };

    it('gives and takes from the first response on, at each sign-in, and records each change once', async () => {
      issuer.claims = { ...issuer.claims, isOperator: true };
      const { session } = await finish(await singleSignOn.start('/console'));
      const { id: userId, isOperator: isOperatorAtOnce } = session!.user;
      expect([isOperatorAtOnce, await isOperator(userId)]).toEqual([true, true]);
      await signInWith(true);
      await signInWith(false);
      expect(await isOperator(userId)).toBe(false);
      await signInWith(false);
      const changes = [true, false].map((operator) => ({ target: userId, details: { operator, by: 'claim' } }));
      expect(operatorChanges()).toMatchObject(changes);
    });

    it('takes nothing from an operator of the command line, who ends it for an operator by the claim too', async () => {
      const userId = await signInWith(true);
      await operators.appoint(issuer.claims.email!, true);
      await signInWith(false);
      expect(await isOperator(userId)).toBe(true);
      await operators.appoint(issuer.claims.email!, false);
      await signInWith(false);
      expect(await isOperator(userId)).toBe(false);
      await signInWith(true);
      await operators.appoint(issuer.claims.email!, false);
      expect(await isOperator(userId)).toBe(false);
    });

    it('takes what it gave when the identity is unlinked', async () => {
      const userId = await signInWith(true);
      await stores.accounts.update(userId, { passwordHash: 'a hash' as PasswordHash });
      const [identity] = await stores.identities.list(userId);
      await singleSignOn.unlink({ userId } as Actor, identity!.id);
      expect(await isOperator(userId)).toBe(false);
    });

    it('keeps what the command line gives at the time of a sign-in without the claim', async () => {
      for (let round = 0; round < rounds(); round++) {
        nextPerson();
        const userId = await signInWith(true);
        await Promise.all([signInWith(false), operators.appoint(issuer.claims.email!, true)]);
        expect(await isOperator(userId)).toBe(true);
      }
    });
  });

  it('has ten minutes for an attempt', async () => {
    const [first, second] = [await singleSignOn.start('/console'), await singleSignOn.start('/console')];
    clock.advance(TEN_MINUTES - 0.001);
    expect((await finish(first)).session).not.toBeNull();
    clock.advance(0.001);
    await expect(finish(second)).rejects.toMatchObject({ reason: 'sso_expired' });
  });
});
