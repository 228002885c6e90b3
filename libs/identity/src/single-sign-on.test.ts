import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PostgresAccounts,
  PostgresConfirmations,
  PostgresIdentities,
  PostgresLogInChallenges,
  PostgresSessions,
  PostgresTokens,
  PostgresTwoFactors,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { AesSealer, RandomTokenSecrets } from '#adapters/secrets';
import { RecordedAuditLog } from '#testing/audit-log';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { rounds } from '../../../test/support/rounds.ts';
import { Accounts } from './accounts.ts';
import { Confirmations } from './confirmations.ts';
import { emailOf } from './domain/email.ts';
import type { Claims } from './domain/identity.ts';
import type { PasswordHash } from './domain/password.ts';
import type { Actor } from './domain/user.ts';
import { Operators } from './operators.ts';
import { SingleSignOn, type StartedAttempt } from './single-sign-on.ts';
import { PlainPasswords, someone } from './testing/index.ts';
import { Tokens } from './tokens.ts';

const client = { address: null, userAgent: null };
const TEN_MINUTES = 600;

let db: TestDatabase;
let clock: ManualClock;
let claims: Claims;
let auditLog: RecordedAuditLog;
let operators: Operators;
let accounts: PostgresAccounts;
let confirmations: Confirmations;
let confirmationStore: PostgresConfirmations;
let identities: PostgresIdentities;
let twoFactors: PostgresTwoFactors;
let singleSignOn: SingleSignOn;
let count = 0;

beforeAll(async () => {
  db = await createDatabase({ poolSize: 10 });
});
afterAll(() => db.drop());

beforeEach(() => {
  clock = new ManualClock();
  nextPerson();
  const secrets = new RandomTokenSecrets();
  const unitOfWork = new PostgresUnitOfWork(db.database);
  const tokenStore = new PostgresTokens(db.database);
  const challenges = new PostgresLogInChallenges(db.database);
  accounts = new PostgresAccounts(db.database);
  confirmationStore = new PostgresConfirmations(db.database);
  confirmations = new Confirmations(confirmationStore, secrets, new RecordedJobs(), clock);
  identities = new PostgresIdentities(db.database);
  twoFactors = new PostgresTwoFactors(db.database);
  auditLog = new RecordedAuditLog();
  operators = new Operators(accounts, undefined as never, auditLog, unitOfWork, { requiresVerifiedEmail: false });
  singleSignOn = new SingleSignOn({
    auditLog,
    accounts: new Accounts({
      accounts,
      auditLog,
      jobs: new RecordedJobs(),
      confirmations,
      tokens: new Tokens(tokenStore, secrets, clock),
      hooks: [],
      links: undefined as never,
      challenges: undefined as never,
      twoFactors: undefined as never,
      passwords: new PlainPasswords(),
      rules: { signUpEnabled: true, passwordLogin: true, requiresVerifiedEmail: false, tokenDays: 90 },
      unitOfWork,
      clock,
    }),
    store: accounts,
    challenges,
    confirmations,
    gate: { stillActing: async (callers) => new Set(callers) },
    identities,
    operators,
    provider: {
      begin: async () => ({
        url: 'https://login.test',
        challenge: { state: `s${++count}`, nonce: 'n', verifier: 'v' },
      }),
      complete: async () => claims,
    },
    reauthentication: undefined as never,
    rules: { autoRegister: true, allowedDomains: [], passwordLogin: true, issuer: 'https://login.test' },
    sealer: new AesSealer(() => ({ current: Buffer.alloc(32, 'k').toString('base64'), previous: null })),
    sessions: new PostgresSessions(db.database, tokenStore),
    twoFactors,
    unitOfWork,
    clock,
  });
});

function nextPerson(): void {
  const subject = `person-${++count}`;
  const email = emailOf(`${subject}@example.com`);
  claims = { issuer: 'https://login.test', subject, email, emailVerified: true, name: null, isOperator: false };
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
      expect(await identities.list(users[0]!)).toHaveLength(1);
    }
  });

  it('ends all access of a user who opened the account before the owner of the address', async () => {
    const { user } = await accounts.open(someone({ email: claims.email!, passwordHash: 'a hash' as PasswordHash }));
    const { id: userId } = user;
    const createdAt = clock.now();
    await identities.add({ userId, issuer: 'https://login.test', subject: 'of the squatter', email: null, createdAt });
    await twoFactors.start(userId, 'sealed' as never, createdAt);
    const [own, secrets] = [emailOf('squatter@example.com'), new RandomTokenSecrets()];
    const expiresAt = new Date(createdAt.getTime() + TEN_MINUTES * 1000);
    const hashes = [secrets.hash(secrets.create()), secrets.hash(secrets.create())] as const;
    for (const [index, purpose] of (['email', 'password_reset'] as const).entries()) {
      const { id } = await confirmationStore.replace({ userId, purpose, email: own, createdAt, expiresAt });
      await confirmationStore.addToken(id, hashes[index]!, createdAt);
    }
    expect(await signIn()).toBe(userId);
    expect(await identities.list(userId)).toEqual([expect.objectContaining({ subject: claims.subject })]);
    expect(await twoFactors.lock(userId)).toBeNull();
    expect(await confirmationStore.redeem('email', hashes[0], createdAt)).toBeNull();
    expect(await confirmationStore.redeem('password_reset', hashes[1], createdAt)).toBeNull();
    expect(await accounts.find(userId)).toMatchObject({ emailVerified: true, hasPassword: false, twoFactor: false });
  });

  it('leaves one way in, of two that are unlinked at a time', async () => {
    for (let round = 0; round < rounds(); round++) {
      nextPerson();
      const userId = await signIn();
      const { issuer, email } = claims;
      await identities.add({ userId, issuer, subject: `second-${round}`, email, createdAt: clock.now() });
      const linked = await identities.list(userId);
      const unlinking = linked.map(({ id }) => singleSignOn.unlink({ userId } as Actor, id));
      const states = (await Promise.allSettled(unlinking)).map(({ status }) => status);
      expect(states.sort()).toEqual(['fulfilled', 'rejected']);
      expect(await identities.list(userId)).toHaveLength(1);
    }
  });

  it('is the last way in, beside an identity at an issuer that the operator has replaced', async () => {
    const userId = await signIn();
    const { email } = claims;
    const former = { userId, issuer: 'https://former.test', subject: claims.subject, email, createdAt: clock.now() };
    await identities.add(former);
    const [present, replaced] = await identities.list(userId);
    const unlink = (id: number) => singleSignOn.unlink({ userId } as Actor, id);
    await expect(unlink(present!.id)).rejects.toMatchObject({ code: 'conflict' });
    await unlink(replaced!.id);
    expect(await identities.list(userId)).toEqual([present]);
  });

  describe('with a claim that makes operators', () => {
    const operatorChanges = () => auditLog.entries.filter(({ action }) => action === 'account.operator_change');
    const isOperator = async (userId: number) => (await accounts.find(userId))!.isOperator;
    const signInWith = (claim: boolean) => {
      claims = { ...claims, isOperator: claim };
      return signIn();
    };

    it('gives and takes from the first response on, at each sign-in, and records each change once', async () => {
      claims = { ...claims, isOperator: true };
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
      await operators.appoint(claims.email!, true);
      await signInWith(false);
      expect(await isOperator(userId)).toBe(true);
      await operators.appoint(claims.email!, false);
      await signInWith(false);
      expect(await isOperator(userId)).toBe(false);
      await signInWith(true);
      await operators.appoint(claims.email!, false);
      expect(await isOperator(userId)).toBe(false);
    });

    it('takes what it gave when the identity is unlinked', async () => {
      const userId = await signInWith(true);
      await accounts.update(userId, { passwordHash: 'a hash' as PasswordHash });
      const [identity] = await identities.list(userId);
      await singleSignOn.unlink({ userId } as Actor, identity!.id);
      expect(await isOperator(userId)).toBe(false);
    });

    it('keeps what the command line gives at the time of a sign-in without the claim', async () => {
      for (let round = 0; round < rounds(); round++) {
        nextPerson();
        const userId = await signInWith(true);
        await Promise.all([signInWith(false), operators.appoint(claims.email!, true)]);
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
