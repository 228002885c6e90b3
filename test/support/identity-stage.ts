import { beforeEach, expect } from '@jest/globals';
import { generate } from 'otplib';
import { PostgresConfirmations, PostgresSignInLinks, PostgresTwoFactors } from '#adapters/postgres';
import { AesSealer, OtpCodes } from '#adapters/secrets';
import {
  AccountMails,
  Accounts,
  Gate,
  Operators,
  PasswordChanges,
  Profiles,
  SecondFactorRequired,
  SignInLinks,
  SingleSignOn,
  Tokens,
  TwoFactors,
  type AccountHook,
  type Actor,
  type Claims,
  type Password,
  type Session,
  type SessionRules,
} from '#identity';
import { Vault } from '#kernel';
import { PlainPasswords, someone } from '#testing/identity';
import { MailBox } from '#testing/mail';
import * as wiring from '#wiring';
import { Product } from './product.ts';
import { suiteDatabase } from './suite-database.ts';

// Importing this file gives a suite a database, and the use cases of accounts, new for each test, on it.

export const KEY = Buffer.alloc(32, 'k').toString('base64');
export const password = 'analytical engine';
export const ISSUER = 'https://login.test';

export const wrong = { code: 'validation_failed', fields: { code: ['is wrong, or was used before'] } };
export const asked = expect.objectContaining({ code: 'second_factor_required', isAfterWrongCode: false });
export const wrongCode = expect.objectContaining({ code: 'second_factor_required', isAfterWrongCode: true });
export const ended = expect.objectContaining({ code: 'unauthenticated' });
export const mustWait = expect.objectContaining({ code: 'rate_limited' });

export const db = await suiteDatabase({ poolSize: 20 });
export let stores: ReturnType<typeof storesOf>;
export let clock: Product['clock'];
export let jobs: Product['jobs'];
export let mail: MailBox;
export let auditLog: Product['auditLog'];
export let passwords: PlainPasswords;
export let accounts: Accounts;
/** Accounts with other rules. */
export let accountsWith: (rules: Partial<SessionRules>) => Accounts;
export let changes: PasswordChanges;
export let profiles: Profiles;
export let mails: AccountMails;
export let links: SignInLinks;
export let tokens: Tokens;
export let operators: Operators;
export let singleSignOn: SingleSignOn;
export let twoFactors: TwoFactors;
export let vault: Vault;
/** Run after an account was opened. */
export const hooks: AccountHook[] = [];
/** The claims of the issuer of single sign-on. */
export const issuer = {} as { claims: Claims };
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

const storesOf = (product: Product) => ({
  accounts: product.get(wiring.accountStore),
  confirmations: product.get(PostgresConfirmations),
  factors: product.get(PostgresTwoFactors),
  identities: product.get(wiring.identityStore),
  links: product.get(PostgresSignInLinks),
  sessions: product.get(wiring.sessionStore),
});

const RULES: SessionRules = { signUpEnabled: true, passwordLogin: true, requiresVerifiedEmail: false, tokenDays: 90 };

let attempts = 0;
const productWith = (rules: Partial<SessionRules>, doubles?: Product) =>
  new Product(db, doubles)
    .with(wiring.sealer, sealer)
    .with(wiring.sessionRules, { ...RULES, ...rules })
    .with(wiring.accountHooks, hooks)
    .with(wiring.mail, mail)
    .with(wiring.passwords, passwords)
    .with(OtpCodes, new HookedCodes('x12'))
    .with(Gate, { stillActing: async (callers) => new Set(callers) })
    .with(wiring.singleSignOnRules, { autoRegister: true, allowedDomains: [], passwordLogin: true, issuer: ISSUER })
    .with(wiring.openIdProvider, {
      begin: async () => ({ url: ISSUER, challenge: { state: `s${++attempts}`, nonce: 'n', verifier: 'v' } }),
      complete: async () => issuer.claims,
    });

beforeEach(() => {
  Object.assign(keys, { current: KEY, previous: null });
  betweenCheckAndUse(async () => undefined);
  hooks.length = 0;
  mail = new MailBox();
  passwords = new PlainPasswords();
  const product = productWith({});
  ({ clock, jobs, auditLog } = product);
  stores = storesOf(product);
  accounts = product.get(Accounts);
  changes = product.get(PasswordChanges);
  profiles = product.get(Profiles);
  mails = product.get(AccountMails);
  links = product.get(SignInLinks);
  tokens = product.get(Tokens);
  operators = product.get(Operators);
  singleSignOn = product.get(SingleSignOn);
  twoFactors = product.get(TwoFactors);
  vault = product.get(Vault);
  accountsWith = (rules) => productWith(rules, product).get(Accounts);
});

interface TestUser {
  readonly email: string;
  readonly id: number;
  /** Actor of the user's session. */
  readonly actor: Actor;
}

export async function signUp(hasPassword = true): Promise<TestUser> {
  const passwordHash = hasPassword ? await new PlainPasswords().hash(password as Password) : null;
  const { user } = await accounts.open({ ...someone(), passwordHash });
  return { email: user.email, id: user.id, actor: await newActor(user.id, 'log_in') };
}

export const newToken = (userId: number, kind: 'api' | 'log_in' = 'log_in') =>
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
