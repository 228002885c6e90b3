import { describe, expect, it } from '@jest/globals';
import { TwoFactorSecrets } from '#adapters/postgres';
import { rounds } from '../../../test/support/rounds.ts';
import {
  KEY,
  password,
  wrong,
  asked,
  wrongCode,
  db,
  clock,
  jobs,
  accounts,
  tokens,
  twoFactors,
  vault,
  keys,
  sealer,
  betweenCheckAndUse,
  signUp,
  newToken,
  newActor,
  codeAt,
  withTwoFactor,
  logIn,
  newChallenge,
  isValid,
} from '../../../test/support/identity-stage.ts';

describe('setting two-factor up', () => {
  it('needs the password and then a code; log-in asks for codes from then on', async () => {
    const { email, actor } = await signUp();
    await expect(twoFactors.start(actor, 'difference engine')).rejects.toMatchObject({ code: 'validation_failed' });
    const { secret } = await twoFactors.start(actor, password);
    await logIn(email);
    await expect(twoFactors.confirm(actor, await codeAt(secret, 5))).rejects.toMatchObject(wrong);
    expect((await logIn(email)).user.twoFactor).toBe(false);
    const recoveryCodes = await twoFactors.confirm(actor, await codeAt(secret));
    expect(new Set(recoveryCodes).size).toBe(10);
    await expect(logIn(email)).rejects.toEqual(asked);
    expect(await twoFactors.isOn(actor.userId)).toBe(true);
  });

  it('starts again with another secret, and is refused while it is on', async () => {
    const { actor } = await signUp();
    await expect(twoFactors.confirm(actor, '000000')).rejects.toMatchObject({ code: 'conflict' });
    const first = await twoFactors.start(actor, password);
    const second = await twoFactors.start(actor, password);
    await expect(twoFactors.confirm(actor, await codeAt(first.secret))).rejects.toMatchObject(wrong);
    await twoFactors.confirm(actor, await codeAt(second.secret));
    await expect(twoFactors.start(actor, password)).rejects.toMatchObject({ code: 'conflict' });
    await expect(twoFactors.confirm(actor, await codeAt(second.secret, 1))).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is not turned on with a secret that replaced the secret of the code', async () => {
    const { actor } = await signUp();
    const { secret } = await twoFactors.start(actor, password);
    betweenCheckAndUse(() => twoFactors.start(actor, password));
    await expect(twoFactors.confirm(actor, await codeAt(secret))).rejects.toMatchObject({ code: 'conflict' });
    expect(await twoFactors.isOn(actor.userId)).toBe(false);
  });

  it('of an account without a password needs a log-in of the last ten minutes', async () => {
    const { id } = await signUp(false);
    const actor = await newActor(id, 'log_in');
    clock.advance(600);
    await twoFactors.start(actor, null);
    clock.advance(1);
    await expect(twoFactors.start(actor, null)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(twoFactors.start(await newActor(id, 'api'), null)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('ends all other sessions of the user, and no API token', async () => {
    const { id, actor, email } = await signUp();
    const api = await newToken(id, 'api');
    const before = [(await logIn(email)).token, (await accounts.logInByToken(api.secret)).token];
    const mine = await newToken(id, 'log_in');
    const own = (await tokens.authenticate(mine.secret))!;
    const other = (await logIn((await signUp()).email)).token;
    const { secret } = await twoFactors.start(actor, password);
    await twoFactors.confirm(own, await codeAt(secret));
    for (const token of before) expect(await isValid(token.secret)).toBe(false);
    for (const token of [api, mine, other]) expect(await isValid(token.secret)).toBe(true);
  });

  it('at the same time as a log-in leaves no session that was opened without a code', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { email, actor } = await signUp();
      const { secret } = await twoFactors.start(actor, password);
      const code = await codeAt(secret);
      const [confirmed, ...opened] = await Promise.allSettled([
        twoFactors.confirm(actor, code),
        ...Array.from({ length: 4 }, () => logIn(email)),
      ]);
      expect(confirmed.status).toBe('fulfilled');
      for (const session of opened) {
        if (session.status === 'fulfilled') expect(await isValid(session.value.token.secret)).toBe(false);
        else expect(session.reason).toEqual(asked);
      }
    }
  });
});

it('turning two-factor off, and new recovery codes, need password and code', async () => {
  const { actor, email, secret, recoveryCodes } = await withTwoFactor();
  const code = await codeAt(secret);
  const renewals = [
    [
      { password: 'difference engine', code },
      { code: 'validation_failed', fields: { password: ['is wrong'] } },
    ],
    [
      { password: null, code },
      { code: 'validation_failed', fields: { password: ['is wrong'] } },
    ],
    [{ password, code: '000000' }, wrong],
  ] as const;
  for (const [proof, refusal] of renewals) {
    await expect(twoFactors.renewRecoveryCodes(actor, proof)).rejects.toMatchObject(refusal);
    await expect(twoFactors.stop(actor, proof)).rejects.toMatchObject(refusal);
  }
  const renewed = await twoFactors.renewRecoveryCodes(actor, { password, code });
  expect(renewed).toHaveLength(10);
  const former = { challenge: await newChallenge(email), code: recoveryCodes[0]! };
  await expect(accounts.logInByCode(former)).rejects.toEqual(wrongCode);
  await twoFactors.stop(actor, { password, code: renewed[0]! });
  expect((await logIn(email)).user.twoFactor).toBe(false);
  await expect(twoFactors.stop(actor, { password, code: renewed[1]! })).rejects.toMatchObject(wrong);
  await expect(twoFactors.stop(actor, { password, code: await codeAt(secret, 1) })).rejects.toMatchObject({
    code: 'conflict',
  });
});

describe('SECRET_KEY', () => {
  it('codes of the app are refused by an error that names the problem, and no try is counted', async () => {
    const { email, secret, recoveryCodes } = await withTwoFactor();
    const enter = async () =>
      accounts.logInByCode({ challenge: await newChallenge(email), code: await codeAt(secret) });
    for (const [other, message] of [
      [null, 'SECRET_KEY is not set'],
      [Buffer.alloc(32, 'x').toString('base64'), 'SECRET_KEY is another one'],
    ] as const) {
      keys.current = other;
      for (let count = 0; count < 6; count++) {
        const refusal = { code: 'unavailable', message: expect.stringMatching(`^${message}`) };
        await expect(enter()).rejects.toMatchObject(refusal);
      }
    }
    await accounts.logInByCode({ challenge: await newChallenge(email), code: recoveryCodes[0]! });
    keys.current = KEY;
    await enter();
  });

  it('codes work after a rotation that was interrupted and continued', async () => {
    const users = [];
    for (let count = 0; count < 4; count++) users.push(await withTwoFactor());
    const ids = users.map(({ id }) => id);
    const stored = () =>
      db.query<{ secret: string }>('select secret from two_factors where user_id = any($1) order by user_id', [ids]);
    const before = await stored();
    Object.assign(keys, { current: Buffer.alloc(32, 'n').toString('base64'), previous: KEY });
    const secrets = new TwoFactorSecrets(db.database);
    const [first] = await secrets.list(ids[0]! - 1, 1);
    // The rotation was killed after the first user.
    await secrets.replace(first!, sealer.seal(sealer.open(first!.sealed, first!.context), first!.context));
    expect(await secrets.replace(first!, first!.sealed)).toBe(false);
    await vault.reseal();
    const after = await stored();
    for (const [index, { secret }] of after.entries()) expect(secret).not.toBe(before[index]!.secret);
    keys.previous = null;
    expect(await vault.examine()).toMatchObject({ previous: 0 });
    for (const { email, secret } of users) {
      clock.advance(30);
      await accounts.logInByCode({ challenge: await newChallenge(email), code: await codeAt(secret) });
    }
  });
});

describe('the owner of the account', () => {
  /** The notices to an address, in order. */
  const noticesTo = (email: string) =>
    jobs.announced.flatMap((job) =>
      job.name === 'account.notice' && job.payload.email === email ? [job.payload.notice] : [],
    );

  it('gets a mail when two-factor is turned on, and when it is turned off, also by an operator', async () => {
    const { email, actor, secret } = await withTwoFactor();
    expect(noticesTo(email)).toEqual(['two_factor_on']);
    await twoFactors.stop(actor, { password, code: await codeAt(secret) });
    expect(noticesTo(email)).toEqual(['two_factor_on', 'two_factor_off']);
    const other = await withTwoFactor();
    await twoFactors.stopAsOperator(other.id);
    expect(noticesTo(other.email)).toEqual(['two_factor_on', 'two_factor_off']);
  });

  it('gets one for each use of a recovery code, and none for other codes and for codes that are refused', async () => {
    const { email, actor, secret, recoveryCodes } = await withTwoFactor();
    await accounts.logInByCode({ challenge: await newChallenge(email), code: await codeAt(secret) });
    expect(noticesTo(email)).toEqual(['two_factor_on']);
    await accounts.logInByCode({ challenge: await newChallenge(email), code: recoveryCodes[0]! });
    const again = accounts.logInByCode({ challenge: await newChallenge(email), code: recoveryCodes[0]! });
    await expect(again).rejects.toEqual(wrongCode);
    expect(noticesTo(email)).toEqual(['two_factor_on', 'recovery_code_used']);
    await twoFactors.renewRecoveryCodes(actor, { password, code: recoveryCodes[1]! });
    expect(noticesTo(email)).toEqual(['two_factor_on', 'recovery_code_used', 'recovery_code_used']);
  });
});
