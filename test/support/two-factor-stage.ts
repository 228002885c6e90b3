import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
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
import {
  Accounts,
  Confirmations,
  LogInChallenges,
  PasswordChanges,
  Reauthentication,
  SecondFactorRequired,
  SignInLinks,
  Tokens,
  TwoFactors,
  type Actor,
  type Password,
  type Session,
} from '#identity';
import { Vault } from '#kernel';
import { RecordedAuditLog } from '#testing/audit-log';
import { PlainPasswords, someone } from '#testing/identity';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import { createDatabase, type TestDatabase } from './database.ts';

// Importing this file gives a suite a database, and the use cases of log-in and two-factor on it.

export const KEY = Buffer.alloc(32, 'k').toString('base64');
export const password = 'analytical engine';

export const wrong = { code: 'validation_failed', fields: { code: ['is wrong, or was used before'] } };
export const asked = expect.objectContaining({ code: 'second_factor_required', isAfterWrongCode: false });
export const wrongCode = expect.objectContaining({ code: 'second_factor_required', isAfterWrongCode: true });
export const ended = expect.objectContaining({ code: 'unauthenticated' });
export const mustWait = expect.objectContaining({ code: 'rate_limited' });

export let db: TestDatabase;
export let clock: ManualClock;
export let jobs: RecordedJobs;
export let accounts: Accounts;
export let changes: PasswordChanges;
export let links: SignInLinks;
export let tokens: Tokens;
export let twoFactors: TwoFactors;
export let vault: Vault;
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

beforeAll(async () => {
  db = await createDatabase({ poolSize: 20 });
});
afterAll(() => db.drop());

beforeEach(() => {
  Object.assign(keys, { current: KEY, previous: null });
  clock = new ManualClock();
  betweenCheckAndUse(async () => undefined);
  const { database } = db;
  const secrets = new RandomTokenSecrets();
  const passwords = new PlainPasswords();
  jobs = new RecordedJobs();
  const tokenStore = new PostgresTokens(database);
  const challenges = new PostgresLogInChallenges(database);
  const stores = {
    auditLog: new RecordedAuditLog(),
    accounts: new PostgresAccounts(database),
    sessions: new PostgresSessions(database, tokenStore),
    unitOfWork: new PostgresUnitOfWork(database),
    clock,
  };
  tokens = new Tokens(tokenStore, secrets, clock);
  links = new SignInLinks(new PostgresSignInLinks(database), secrets, clock);
  vault = new Vault(sealer, [new TwoFactorSecrets(database)]);
  const reauthentication = new Reauthentication(stores.accounts, tokenStore, passwords, clock);
  const confirmations = new Confirmations(new PostgresConfirmations(database), secrets, jobs, clock);
  twoFactors = new TwoFactors({
    ...stores,
    confirmations,
    factors: new PostgresTwoFactors(database),
    recoveryCodes: new PostgresRecoveryCodes(database),
    codes: new HookedCodes('x12'),
    sealer,
    reauthentication,
  });
  const rules = { signUpEnabled: true, passwordLogin: true, requiresVerifiedEmail: false, tokenDays: 90 };
  const shared = { ...stores, confirmations, jobs, passwords, rules };
  accounts = new Accounts({
    ...shared,
    challenges: new LogInChallenges(challenges, secrets, clock),
    hooks: [],
    links,
    tokens,
    twoFactors,
  });
  const unused = undefined as never;
  changes = new PasswordChanges({ ...shared, challenges, reauthentication, identities: unused, operators: unused });
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
