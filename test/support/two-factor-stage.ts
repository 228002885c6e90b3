import { beforeEach, expect } from '@jest/globals';
import { generate } from 'otplib';
import { AesSealer, OtpCodes } from '#adapters/secrets';
import {
  Accounts,
  PasswordChanges,
  SecondFactorRequired,
  SignInLinks,
  Tokens,
  TwoFactors,
  type Actor,
  type Password,
  type Session,
} from '#identity';
import { Vault } from '#kernel';
import { PlainPasswords, someone } from '#testing/identity';
import { sealer as sealerToken } from '../../apps/wiring/src/index.ts';
import { suiteDatabase } from './suite-database.ts';
import { Product } from './product.ts';

// Importing this file gives a suite a database, and the use cases of log-in and two-factor on it.

export const KEY = Buffer.alloc(32, 'k').toString('base64');
export const password = 'analytical engine';

export const wrong = { code: 'validation_failed', fields: { code: ['is wrong, or was used before'] } };
export const asked = expect.objectContaining({ code: 'second_factor_required', isAfterWrongCode: false });
export const wrongCode = expect.objectContaining({ code: 'second_factor_required', isAfterWrongCode: true });
export const ended = expect.objectContaining({ code: 'unauthenticated' });
export const mustWait = expect.objectContaining({ code: 'rate_limited' });

/** SECRET_KEY and PREVIOUS_SECRET_KEY, which a test may change. */
export const keys: { current: string | null; previous: string | null } = { current: KEY, previous: null };
export const sealer = new AesSealer(() => ({ ...keys }));
/** Runs after a code was checked, and before it is used. */
let afterCheck: () => Promise<unknown>;
export const betweenCheckAndUse = (work: typeof afterCheck): void => void (afterCheck = work);

class HookedCodes extends OtpCodes {
  override async stepOf(...args: Parameters<OtpCodes['stepOf']>): Promise<number | null> {
    const step = await super.stepOf(...args);
    await afterCheck();
    return step;
  }
}

export const db = await suiteDatabase({ poolSize: 20 });
const product = new Product(db).with(sealerToken, sealer).with(OtpCodes, new HookedCodes('x12'));
export const { clock, jobs } = product;
export const accounts = product.get(Accounts);
export const changes = product.get(PasswordChanges);
export const links = product.get(SignInLinks);
export const tokens = product.get(Tokens);
export const twoFactors = product.get(TwoFactors);
export const vault = product.get(Vault);
beforeEach(async () => {
  Object.assign(keys, { current: KEY, previous: null });
  betweenCheckAndUse(async () => undefined);
  await product.clear();
});

interface TestUser {
  readonly email: string;
  readonly id: number;
  /** Of the user's session. */
  readonly actor: Actor;
}

export async function signUp(hasPassword = true): Promise<TestUser> {
  const passwordHash = hasPassword ? await new PlainPasswords().hash(password as Password) : null;
  const { user } = await accounts.open({ ...someone(), passwordHash });
  return { email: user.email, id: user.id, actor: await newActor(user.id, 'log_in') };
}

export const newToken = (userId: number, kind: 'api' | 'log_in') =>
  tokens.create({ userId, name: 'test', expiresInDays: null, kind, parent: null });

export async function newActor(userId: number, kind: 'api' | 'log_in'): Promise<Actor> {
  return (await tokens.authenticate((await newToken(userId, kind)).secret))!;
}

export const codeAt = (secret: string, steps = 0) =>
  generate({ secret, epoch: Math.floor(clock.now().getTime() / 1000) + 30 * steps });

/** A user with two-factor on, whose code of this moment is not used yet. */
export async function withTwoFactor(hasPassword = true) {
  const user = await signUp(hasPassword);
  const { secret } = await twoFactors.start(user.actor, hasPassword ? password : null);
  const recoveryCodes = await twoFactors.confirm(user.actor, await codeAt(secret));
  clock.advance(30);
  return { ...user, secret, recoveryCodes };
}

/** The challenge of a log-in that asks for a code. */
export async function challengeOf(logIn: Promise<Session>): Promise<string> {
  const error = await logIn.catch((reason: unknown) => reason);
  if (!(error instanceof SecondFactorRequired)) throw new Error('no code was asked for', { cause: error });
  return error.challenge;
}
export const logIn = (email: string) => accounts.logIn({ email, password });
export const newChallenge = (email: string) => challengeOf(logIn(email));

/** The codes of the failures, and `ok` for each success, sorted. */
export async function outcomes(attempts: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((each) => (each.status === 'fulfilled' ? 'ok' : (each.reason as { code: string }).code)).sort();
}
export const isValid = async (secret: string) => (await tokens.authenticate(secret)) !== null;
