import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RecordedAuditLog } from '#testing/audit-log';
import { generate } from 'otplib';
import {
  PostgresAccounts,
  PostgresConfirmations,
  PostgresLogInChallenges,
  PostgresRecoveryCodes,
  PostgresSessions,
  PostgresSignInLinks,
  PostgresTokens,
  PostgresTwoFactors,
  PostgresUnitOfWork,
  TwoFactorSecrets,
} from '#adapters/postgres';
import { AesSealer, OtpCodes, RandomTokenSecrets } from '#adapters/secrets';
import { Vault } from '#kernel';
import { ManualClock } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { rounds } from '../../../test/support/rounds.ts';
import { Accounts } from './accounts.ts';
import { Confirmations } from './confirmations.ts';
import { SecondFactorRequired } from './domain/log-in-challenge.ts';
import type { Actor, Session } from './domain/user.ts';
import { LogInChallenges } from './log-in-challenges.ts';
import { PasswordChanges } from './password-changes.ts';
import { Reauthentication } from './reauthentication.ts';
import { SignInLinks } from './sign-in-links.ts';
import { PlainPasswords, someone } from './testing/index.ts';
import { Tokens } from './tokens.ts';
import { TwoFactors } from './two-factors.ts';

const KEY = Buffer.alloc(32, 'k').toString('base64');
const password = 'analytical engine';
const wrong = { code: 'validation_failed', fields: { code: ['is wrong, or was used before'] } };
const asked = expect.objectContaining({ code: 'second_factor_required', isAfterWrongCode: false });
const wrongCode = expect.objectContaining({ code: 'second_factor_required', isAfterWrongCode: true });
const ended = expect.objectContaining({ code: 'unauthenticated' });
const mustWait = expect.objectContaining({ code: 'rate_limited' });

let db: TestDatabase;
let key: string | null;
let previousKey: string | null;
let clock: ManualClock;
let accounts: Accounts;
let changes: PasswordChanges;
let links: SignInLinks;
let tokens: Tokens;
let twoFactors: TwoFactors;
let vault: Vault;
/** Runs after a code was checked, and before it is used. */
let meanwhile: () => Promise<unknown>;

class HookedCodes extends OtpCodes {
  override async stepOf(...args: Parameters<OtpCodes['stepOf']>): Promise<number | null> {
    const step = await super.stepOf(...args);
    await meanwhile();
    return step;
  }
}

beforeAll(async () => {
  db = await createDatabase({ poolSize: 20 });
});
afterAll(() => db.drop());

beforeEach(() => {
  [key, previousKey] = [KEY, null];
  clock = new ManualClock();
  meanwhile = async () => undefined;
  const { database } = db;
  const secrets = new RandomTokenSecrets();
  const passwords = new PlainPasswords();
  const unitOfWork = new PostgresUnitOfWork(database);
  const jobs = { announce: async () => undefined };
  const sealer = new AesSealer(() => ({ current: key, previous: previousKey }));
  const tokenStore = new PostgresTokens(database);
  const auditLog = new RecordedAuditLog();
  const stores = {
    auditLog,
    accounts: new PostgresAccounts(database),
    sessions: new PostgresSessions(database, tokenStore),
  };
  tokens = new Tokens(tokenStore, secrets, clock);
  links = new SignInLinks(new PostgresSignInLinks(database), secrets, clock);
  vault = new Vault(sealer, [new TwoFactorSecrets(database)]);
  const reauthentication = new Reauthentication(stores.accounts, tokenStore, passwords, clock);
  const confirmations = new Confirmations(new PostgresConfirmations(database), secrets, jobs, clock);
  const challengeStore = new PostgresLogInChallenges(database);
  twoFactors = new TwoFactors({
    ...stores,
    factors: new PostgresTwoFactors(database),
    recoveryCodes: new PostgresRecoveryCodes(database),
    codes: new HookedCodes('x12'),
    sealer,
    reauthentication,
    unitOfWork,
    clock,
  });
  const rules = { signUpEnabled: true, passwordLogin: true, requiresVerifiedEmail: false, tokenDays: 90 };
  const shared = { ...stores, confirmations, jobs, passwords, rules, unitOfWork, clock };
  accounts = new Accounts({
    ...shared,
    challenges: new LogInChallenges(challengeStore, secrets, clock),
    hooks: [],
    links,
    tokens,
    twoFactors,
  });
  changes = new PasswordChanges({ ...shared, challenges: challengeStore, reauthentication });
});

interface Someone {
  readonly email: string;
  readonly id: number;
  /** Of their session. */
  readonly actor: Actor;
}

async function signUp(hasPassword = true): Promise<Someone> {
  const passwordHash = hasPassword ? await new PlainPasswords().hash(password as never) : null;
  const { user } = await accounts.open({ ...someone(), passwordHash });
  return { email: user.email, id: user.id, actor: await newActor(user.id, 'log_in') };
}

const newToken = (userId: number, kind: 'api' | 'log_in') =>
  tokens.create({ userId, name: 'test', expiresInDays: null, kind, parent: null });

async function newActor(userId: number, kind: 'api' | 'log_in'): Promise<Actor> {
  return (await tokens.authenticate((await newToken(userId, kind)).secret))!;
}

const codeAt = (secret: string, steps = 0) =>
  generate({ secret, epoch: Math.floor(clock.now().getTime() / 1000) + 30 * steps });

/** A user with two-factor on, whose code of this moment is not used yet. */
async function withTwoFactor(hasPassword = true) {
  const user = await signUp(hasPassword);
  const { secret } = await twoFactors.start(user.actor, hasPassword ? password : null);
  const recoveryCodes = await twoFactors.confirm(user.actor, await codeAt(secret));
  clock.advance(30);
  return { ...user, secret, recoveryCodes };
}

/** The first step of a log-in. */
async function challengeOf(logIn: Promise<Session>): Promise<string> {
  const asked = await logIn.catch((error: unknown) => error);
  if (!(asked instanceof SecondFactorRequired)) throw new Error('no code was asked for', { cause: asked });
  return asked.challenge;
}
const logIn = (email: string) => accounts.logIn({ email, password });
const newChallenge = (email: string) => challengeOf(logIn(email));

async function outcomes(attempts: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((each) => (each.status === 'fulfilled' ? 'ok' : (each.reason as { code: string }).code)).sort();
}
const isValid = async (secret: string) => (await tokens.authenticate(secret)) !== null;

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

  it('begins anew with another secret, and is refused while it is on', async () => {
    const { actor } = await signUp();
    await expect(twoFactors.confirm(actor, '000000')).rejects.toMatchObject({ code: 'conflict' });
    const first = await twoFactors.start(actor, password);
    const second = await twoFactors.start(actor, password);
    await expect(twoFactors.confirm(actor, await codeAt(first.secret))).rejects.toMatchObject(wrong);
    await twoFactors.confirm(actor, await codeAt(second.secret));
    await expect(twoFactors.start(actor, password)).rejects.toMatchObject({ code: 'conflict' });
    await expect(twoFactors.confirm(actor, await codeAt(second.secret, 1))).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is not turned on with another secret than the one that the code has shown', async () => {
    const { actor } = await signUp();
    const { secret } = await twoFactors.start(actor, password);
    meanwhile = () => twoFactors.start(actor, password);
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
    const stranger = (await logIn((await signUp()).email)).token;
    const { secret } = await twoFactors.start(actor, password);
    await twoFactors.confirm(own, await codeAt(secret));
    for (const token of before) expect(await isValid(token.secret)).toBe(false);
    for (const token of [api, mine, stranger]) expect(await isValid(token.secret)).toBe(true);
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

  it('takes no code twice, also of a time step before the one that was used', async () => {
    const { email, secret } = await withTwoFactor();
    const [earlier, now, later] = [await codeAt(secret, -1), await codeAt(secret), await codeAt(secret, 1)];
    await accounts.logInByCode({ challenge: await newChallenge(email), code: now });
    const challenge = await newChallenge(email);
    for (const code of [now, earlier]) {
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

  it('opens one session for a code, however many come at once', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { email, secret } = await withTwoFactor();
      const code = await codeAt(secret);
      const challenges = await Promise.all(Array.from({ length: 5 }, () => newChallenge(email)));
      const results = await outcomes(challenges.map((challenge) => accounts.logInByCode({ challenge, code })));
      expect(results).toEqual(['ok', ...Array.from({ length: 4 }, () => 'second_factor_required')]);
    }
  });

  it('opens one session for a recovery code, of twenty that come at once', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { email, recoveryCodes } = await withTwoFactor();
      const challenges = await Promise.all(Array.from({ length: 20 }, () => newChallenge(email)));
      const attempts = challenges.map((challenge) => accounts.logInByCode({ challenge, code: recoveryCodes[0]! }));
      expect(await outcomes(attempts)).toEqual(['ok', ...Array.from({ length: 19 }, () => 'second_factor_required')]);
    }
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
    const { email, recoveryCodes } = await withTwoFactor();
    const challenge = await newChallenge(email);
    expect(await isValid(challenge)).toBe(false);
    await accounts.logInByCode({ challenge, code: recoveryCodes[0]! });
    await expect(accounts.logInByCode({ challenge, code: recoveryCodes[1]! })).rejects.toEqual(ended);
    for (const other of ['', 'x12_', (await newToken(1, 'api').catch(() => ({ secret: '' }))).secret]) {
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

  it('takes five codes of any number that come at once', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { email } = await withTwoFactor();
      const challenge = await newChallenge(email);
      const attempts = Array.from({ length: 12 }, () => accounts.logInByCode({ challenge, code: '0'.repeat(20) }));
      const results = await outcomes(attempts);
      expect(results.filter((code) => code === 'second_factor_required')).toHaveLength(5);
      expect(results.filter((code) => code === 'unauthenticated')).toHaveLength(7);
    }
  });

  it('ends when the password changes, also while a log-in by the former one is under way', async () => {
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

describe('turning two-factor off, and new recovery codes,', () => {
  it('need password and code', async () => {
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

  it('without a password need a log-in of the last ten minutes instead', async () => {
    const { id, recoveryCodes } = await withTwoFactor(false);
    const actor = await newActor(id, 'log_in');
    clock.advance(601);
    const proof = { password: null, code: recoveryCodes[0]! };
    await expect(twoFactors.stop(actor, proof)).rejects.toMatchObject({ code: 'forbidden' });
    await twoFactors.stop(await newActor(id, 'log_in'), proof);
  });

  it('need no code of an operator', async () => {
    const { id, email } = await withTwoFactor();
    await twoFactors.stopAsOperator(id);
    await logIn(email);
    await expect(twoFactors.stopAsOperator(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a code is asked for', () => {
  it('with a sign-in link, but for the link of the machine of the service', async () => {
    const { id, recoveryCodes } = await withTwoFactor();
    const { secret: link } = await links.issue({ userId: id, isLocal: false });
    const challenge = await challengeOf(accounts.logInByLink(link, true));
    await expect(accounts.logInByLink(link, true)).rejects.toEqual(ended);
    await accounts.logInByCode({ challenge, code: recoveryCodes[0]! });
    const { secret: local } = await links.issue({ userId: id, isLocal: true });
    await accounts.logInByLink(local, true);
  });

  it('neither of an API token nor of a session that is opened with one', async () => {
    const { id } = await withTwoFactor();
    const { secret } = await newToken(id, 'api');
    expect(await isValid((await accounts.logInByToken(secret)).token.secret)).toBe(true);
  });
});

describe('without SECRET_KEY', () => {
  it('two-factor can not be set up, and nothing else changes', async () => {
    const { actor, email } = await signUp();
    key = null;
    const refusal = { code: 'unavailable', message: expect.stringMatching('^SECRET_KEY is not set') };
    await expect(twoFactors.start(actor, password)).rejects.toMatchObject(refusal);
    await logIn(email);
  });

  it('codes of the app get an error that tells a missing key from another one, and no try is counted', async () => {
    const { email, secret, recoveryCodes } = await withTwoFactor();
    const enter = async () =>
      accounts.logInByCode({ challenge: await newChallenge(email), code: await codeAt(secret) });
    for (const [other, message] of [
      [null, 'SECRET_KEY is not set'],
      [Buffer.alloc(32, 'x').toString('base64'), 'SECRET_KEY is another one'],
    ] as const) {
      key = other;
      for (let count = 0; count < 6; count++) {
        const refusal = { code: 'unavailable', message: expect.stringMatching(`^${message}`) };
        await expect(enter()).rejects.toMatchObject(refusal);
      }
    }
    await accounts.logInByCode({ challenge: await newChallenge(email), code: recoveryCodes[0]! });
    key = KEY;
    await enter();
  });

  it('of before, codes work after a rotation, which goes on after it was interrupted', async () => {
    const users = [];
    for (let count = 0; count < 4; count++) users.push(await withTwoFactor());
    const mine = users.map(({ id }) => id);
    const stored = () =>
      db.query<{ secret: string }>('select secret from two_factors where user_id = any($1) order by user_id', [mine]);
    const before = await stored();
    [key, previousKey] = [Buffer.alloc(32, 'n').toString('base64'), KEY];
    const half = new TwoFactorSecrets(db.database);
    const [first] = await half.list(mine[0]! - 1, 1);
    const sealer = new AesSealer(() => ({ current: key, previous: previousKey }));
    // The rotation was killed after the first user.
    await half.replace(first!, sealer.seal(sealer.open(first!.sealed, first!.context), first!.context));
    expect(await half.replace(first!, first!.sealed)).toBe(false);
    await vault.reseal();
    const after = await stored();
    for (const [index, { secret }] of after.entries()) expect(secret).not.toBe(before[index]!.secret);
    previousKey = null;
    expect(await vault.examine()).toMatchObject({ previous: 0 });
    for (const { email, secret } of users) {
      clock.advance(30);
      await accounts.logInByCode({ challenge: await newChallenge(email), code: await codeAt(secret) });
    }
  });
});
