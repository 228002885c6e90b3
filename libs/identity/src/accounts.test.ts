import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresAccounts, PostgresTokens, PostgresUnitOfWork } from '#adapters/postgres';
import { ManualClock } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { Accounts, type AccountHook } from './accounts.ts';
import type { OpenedAccount } from './ports.ts';
import { CountedTokenSecrets, PlainPasswords } from './testing/index.ts';
import { Tokens } from './tokens.ts';

let db: TestDatabase;
const clock = new ManualClock();
const hooked: OpenedAccount[] = [];
const remember: AccountHook = async (created) => void hooked.push(created);
let hook = remember;
let accounts: Accounts;
let tokens: Tokens;
let ada: { email: string; password: string; name: string };
let count = 0;

beforeAll(async () => {
  db = await createDatabase();
  tokens = new Tokens(new PostgresTokens(db.database), new CountedTokenSecrets(), clock);
});
afterAll(() => db.drop());

beforeEach(() => {
  accounts = withRules({ signUpEnabled: true, tokenDays: 90 });
  ada = { email: `Ada-${++count}@Example.com`, password: 'analytical engine', name: ' Ada ' };
  hooked.length = 0;
});

function withRules(rules: { signUpEnabled: boolean; tokenDays: number | null }): Accounts {
  return new Accounts({
    accounts: new PostgresAccounts(db.database),
    hooks: [(created) => hook(created), (created) => hook(created)],
    passwords: new PlainPasswords(),
    rules,
    tokens,
    unitOfWork: new PostgresUnitOfWork(db.database),
    clock,
  });
}

describe('signing up', () => {
  it('makes a user with a valid token, in a personal workspace on the free plan, and runs all hooks', async () => {
    const { user, token } = await accounts.signUp(ada);
    expect(user).toEqual({ id: user.id, email: ada.email.toLowerCase(), name: 'Ada' });
    const actor = await tokens.authenticate(token.secret);
    expect(actor).toMatchObject({ userId: user.id, role: 'owner', plan: 'free', isTeam: false });
    const opened = { user, workspaceId: actor!.workspaceId };
    expect(hooked).toEqual([opened, opened]);
  });

  it('makes nobody when a hook fails', async () => {
    const account = { email: ada.email, name: null, passwordHash: null };
    hook = () => Promise.reject(new Error('no room'));
    await expect(accounts.open(account)).rejects.toThrow('no room');
    hook = remember;
    await accounts.open(account);
  });

  it('is refused when the e-mail is taken, in any case', async () => {
    await accounts.signUp({ ...ada });
    const again = accounts.signUp({ ...ada, email: ada.email.toUpperCase() });
    await expect(again).rejects.toMatchObject({ code: 'user_exists' });
  });

  it.each([
    [{ email: 'ada' }, 'email'],
    [{ password: 'too short' }, 'password'],
    [{ name: '   ' }, 'name'],
  ])('is refused with %j, and makes nobody', async (wrong, field) => {
    await expect(accounts.signUp({ ...ada, ...wrong })).rejects.toMatchObject({
      code: 'validation_failed',
      fields: { [field]: [expect.any(String)] },
    });
    expect(hooked).toEqual([]);
  });

  it('can be switched off', async () => {
    const closed = withRules({ signUpEnabled: false, tokenDays: 90 });
    await expect(closed.signUp(ada)).rejects.toMatchObject({ code: 'forbidden' });
    expect(hooked).toEqual([]);
  });

  it('and logging in give tokens with the lifetime of the settings', async () => {
    const issued = [(await accounts.signUp(ada)).token, (await accounts.logIn(ada)).token];
    clock.advance(90 * 86_400 - 1);
    for (const { secret } of issued) expect(await tokens.authenticate(secret)).not.toBeNull();
    clock.advance(1);
    for (const { secret } of issued) expect(await tokens.authenticate(secret)).toBeNull();
    const endless = withRules({ signUpEnabled: true, tokenDays: null });
    expect((await endless.logIn(ada)).token.expiresAt).toBeNull();
  });
});

describe('logging in', () => {
  it('takes the e-mail in any case', async () => {
    const { user } = await accounts.signUp(ada);
    const session = await accounts.logIn({ ...ada, email: ada.email.toUpperCase() });
    expect(session.user).toEqual(user);
    expect(await tokens.authenticate(session.token.secret)).toMatchObject({ userId: user.id });
  });

  it('gives the same error for a wrong password, an unknown e-mail, and an account without a password', async () => {
    await accounts.signUp(ada);
    const { user } = await accounts.open({ email: 'no-password@example.com', name: null, passwordHash: null });
    const refused = await Promise.all(
      [
        { email: ada.email, password: 'difference engine' },
        { email: 'unknown@example.com', password: ada.password },
        { email: user.email, password: '' },
        { email: user.email, password: 'plain:' },
      ].map((credentials) => accounts.logIn(credentials).catch((error: unknown) => error)),
    );
    expect(refused[0]).toMatchObject({ code: 'unauthenticated' });
    for (const error of refused) expect(error).toEqual(refused[0]);
  });

  it('takes the new password after a change, and no other', async () => {
    await accounts.signUp(ada);
    const changed = { email: ada.email, password: 'difference engine' };
    await accounts.changePassword(changed);
    await accounts.logIn(changed);
    await expect(accounts.logIn(ada)).rejects.toMatchObject({ code: 'unauthenticated' });
    const unknown = { ...changed, email: 'unknown@example.com' };
    await expect(accounts.changePassword(unknown)).rejects.toMatchObject({ code: 'not_found' });
    await expect(accounts.changePassword({ ...changed, password: 'short' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});
