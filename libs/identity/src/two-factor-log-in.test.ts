import { describe, expect, it } from '@jest/globals';
import { rounds } from '../../../test/support/rounds.ts';
import type { Session } from './domain/user.ts';
import {
  password,
  wrong,
  wrongCode,
  ended,
  mustWait,
  clock,
  accounts,
  changes,
  links,
  twoFactors,
  signUp,
  newToken,
  codeAt,
  withTwoFactor,
  challengeOf,
  newChallenge,
  outcomes,
  isValid,
} from '../../../test/support/identity-stage.ts';

describe('a log-in with two-factor', () => {
  it('takes a challenge and a code of the app, or a recovery code', async () => {
    const { email, id, secret, recoveryCodes } = await withTwoFactor();
    for (const code of [await codeAt(secret), recoveryCodes[3]!, recoveryCodes[4]!.toUpperCase()]) {
      const session = await accounts.logInByCode({ challenge: await newChallenge(email), code });
      expect(session.user).toMatchObject({ id, twoFactor: true });
      expect(await isValid(session.token.secret)).toBe(true);
    }
  });

  it('looks the same with a wrong password as without two-factor', async () => {
    const refusals = [];
    for (const { email } of [await withTwoFactor(), await signUp(), { email: 'unknown@example.com' }]) {
      refusals.push(await accounts.logIn({ email, password: 'difference engine' }).catch((error: unknown) => error));
    }
    expect(refusals[0]).toEqual(ended);
    expect(refusals[1]).toEqual(refusals[0]);
    expect(refusals[2]).toEqual(refusals[0]);
  });

  it('takes no code twice, and no code of an earlier time step than the last', async () => {
    const { email, secret, recoveryCodes } = await withTwoFactor();
    const [earlier, now, later] = [await codeAt(secret, -1), await codeAt(secret), await codeAt(secret, 1)];
    await accounts.logInByCode({ challenge: await newChallenge(email), code: now });
    await accounts.logInByCode({ challenge: await newChallenge(email), code: recoveryCodes[0]! });
    const challenge = await newChallenge(email);
    for (const code of [now, earlier, recoveryCodes[0]!]) {
      await expect(accounts.logInByCode({ challenge, code })).rejects.toEqual(wrongCode);
    }
    await accounts.logInByCode({ challenge, code: later });
  });

  it('takes the code that turned two-factor on no second time', async () => {
    const { actor, email } = await signUp();
    const { secret } = await twoFactors.start(actor, password);
    const code = await codeAt(secret);
    await twoFactors.confirm(actor, code);
    const challenge = await newChallenge(email);
    await expect(accounts.logInByCode({ challenge, code })).rejects.toEqual(wrongCode);
  });

  it('opens one session for a challenge, and the code of the other attempt stays unused', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { email, recoveryCodes } = await withTwoFactor();
      const challenge = await newChallenge(email);
      const codes = recoveryCodes.slice(0, 2);
      const results = await Promise.allSettled(codes.map((code) => accounts.logInByCode({ challenge, code })));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const unused = codes[results.findIndex(({ status }) => status === 'rejected')]!;
      await accounts.logInByCode({ challenge: await newChallenge(email), code: unused });
    }
  });
});

describe('a challenge', () => {
  it('works for five minutes', async () => {
    const { email, recoveryCodes } = await withTwoFactor();
    const [first, second] = [await newChallenge(email), await newChallenge(email)];
    clock.advance(299);
    await accounts.logInByCode({ challenge: first, code: recoveryCodes[0]! });
    clock.advance(1);
    await expect(accounts.logInByCode({ challenge: second, code: recoveryCodes[1]! })).rejects.toEqual(ended);
  });

  it('works once, and is no token', async () => {
    const { id, email, recoveryCodes } = await withTwoFactor();
    const challenge = await newChallenge(email);
    expect(await isValid(challenge)).toBe(false);
    await accounts.logInByCode({ challenge, code: recoveryCodes[0]! });
    await expect(accounts.logInByCode({ challenge, code: recoveryCodes[1]! })).rejects.toEqual(ended);
    const { secret: api } = await newToken(id, 'api');
    for (const other of ['', 'x12_', api]) {
      await expect(accounts.logInByCode({ challenge: other, code: recoveryCodes[1]! })).rejects.toEqual(ended);
    }
  });

  it('takes five codes, of any kind', async () => {
    const { email, recoveryCodes } = await withTwoFactor();
    const challenge = await newChallenge(email);
    for (const code of ['0'.repeat(20), 'none', '0'.repeat(20), '']) {
      await expect(accounts.logInByCode({ challenge, code })).rejects.toEqual(wrongCode);
    }
    await accounts.logInByCode({ challenge, code: recoveryCodes[0]! });
    const other = await newChallenge(email);
    for (let count = 0; count < 5; count++) {
      await expect(accounts.logInByCode({ challenge: other, code: 'none' })).rejects.toEqual(wrongCode);
    }
    await expect(accounts.logInByCode({ challenge: other, code: recoveryCodes[1]! })).rejects.toEqual(ended);
  });

  it('takes five of twelve codes that come at once', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { email } = await withTwoFactor();
      const challenge = await newChallenge(email);
      const attempts = Array.from({ length: 12 }, () => accounts.logInByCode({ challenge, code: '0'.repeat(20) }));
      const results = await outcomes(attempts);
      expect(results.filter((code) => code === 'second_factor_required')).toHaveLength(5);
      expect(results.filter((code) => code === 'unauthenticated')).toHaveLength(7);
    }
  });

  it('ends when the password changes, also during a log-in by the former password', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { email, secret } = await withTwoFactor();
      const code = await codeAt(secret);
      const early = await newChallenge(email);
      const [entered, late] = await Promise.all([
        accounts.logInByCode({ challenge: early, code }).catch((error: unknown) => error),
        newChallenge(email).catch((error: Error) => error.cause),
        changes.set({ email, password: 'difference engine' }),
      ]);
      if ('token' in (entered as object)) expect(await isValid((entered as Session).token.secret)).toBe(false);
      else expect(entered).toEqual(ended);
      clock.advance(30);
      if (typeof late === 'string') {
        const attempt = accounts.logInByCode({ challenge: late, code: await codeAt(secret) });
        await expect(attempt).rejects.toEqual(ended);
      } else expect(late).toEqual(ended);
    }
  });
});

describe('wrong codes', () => {
  const tryWrong = async (email: string, times: number): Promise<string[]> => {
    const results = [];
    for (let count = 0; count < times; count++) {
      const challenge = await newChallenge(email);
      results.push(...(await outcomes([accounts.logInByCode({ challenge, code: '000000' })])));
    }
    return results;
  };

  it('of an account are limited across challenges; recovery codes work meanwhile', async () => {
    const { email, secret, recoveryCodes } = await withTwoFactor();
    expect(new Set(await tryWrong(email, 5))).toEqual(new Set(['second_factor_required']));
    const right = async () =>
      accounts.logInByCode({ challenge: await newChallenge(email), code: await codeAt(secret) });
    clock.advance(59);
    await expect(right()).rejects.toEqual(mustWait);
    await accounts.logInByCode({ challenge: await newChallenge(email), code: recoveryCodes[0]! });
    clock.advance(1);
    await right();
    // A code that was accepted ends the series.
    clock.advance(30);
    expect(await tryWrong(email, 6)).toEqual([
      ...Array.from({ length: 5 }, () => 'second_factor_required'),
      'rate_limited',
    ]);
  });

  it('that come at once are limited too; other accounts are not affected', async () => {
    for (let round = 0; round < rounds(); round++) {
      const [victim, other] = [await withTwoFactor(), await withTwoFactor()];
      const challenges = await Promise.all(Array.from({ length: 15 }, () => newChallenge(victim.email)));
      const results = await outcomes(
        challenges.map((challenge) => accounts.logInByCode({ challenge, code: '000000' })),
      );
      expect(results.filter((code) => code === 'second_factor_required')).toHaveLength(5);
      expect(results.filter((code) => code === 'rate_limited')).toHaveLength(10);
      const code = await codeAt(other.secret);
      await accounts.logInByCode({ challenge: await newChallenge(other.email), code });
    }
  });

  it('are limited also where a signed-in user sends them', async () => {
    const { actor, secret } = await withTwoFactor();
    for (let count = 0; count < 5; count++) {
      await expect(twoFactors.stop(actor, { password, code: '000000' })).rejects.toMatchObject(wrong);
    }
    await expect(twoFactors.stop(actor, { password, code: await codeAt(secret) })).rejects.toEqual(mustWait);
  });
});

describe('a code is asked for', () => {
  it('with a sign-in link, unless the machine of the service made it', async () => {
    const { id, recoveryCodes } = await withTwoFactor();
    const { secret: link } = await links.issue({ userId: id, isLocal: false });
    const challenge = await challengeOf(accounts.logInByLink(link, true));
    await expect(accounts.logInByLink(link, true)).rejects.toEqual(ended);
    await accounts.logInByCode({ challenge, code: recoveryCodes[0]! });
    const { secret: local } = await links.issue({ userId: id, isLocal: true });
    await accounts.logInByLink(local, true);
  });

  it('neither of an API token nor of a session that an API token opens', async () => {
    const { id } = await withTwoFactor();
    const { secret } = await newToken(id, 'api');
    expect(await isValid((await accounts.logInByToken(secret)).token.secret)).toBe(true);
  });
});
