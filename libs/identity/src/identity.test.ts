import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, type Job } from '#kernel';
import { tokenIn } from '#testing/mail';
import * as wiring from '#wiring';
import {
  accounts,
  accountsWith,
  auditLog,
  clock,
  db,
  hooks,
  jobs,
  links,
  mail,
  mails,
  newToken,
  passwords,
  profiles,
  tokens,
} from '../../../test/support/identity-stage.ts';
import { Product } from '../../../test/support/product.ts';
import type { OpenedAccount } from './ports.ts';
import { Teams } from './teams.ts';
import { someone } from './testing/index.ts';

const plans = {
  free: { id: 'free', monthlyCredits: 100, teams: false },
  pro: { id: 'pro', monthlyCredits: 2000, teams: false },
  enterprise: { id: 'enterprise', monthlyCredits: 20_000, teams: true },
};

const hooked: OpenedAccount[] = [];
const remember = async (opened: OpenedAccount) => void hooked.push(opened);
let ada: { email: string; password: string; name: string };
let count = 0;

beforeEach(() => {
  ada = { email: `Ada-${++count}@Example.com`, password: 'analytical engine', name: ' Ada ' };
  hooked.length = 0;
  hooks.push(remember, remember);
});

it('passwords that are switched off neither sign up nor log in', async () => {
  const off = accountsWith({ passwordLogin: false });
  await accounts.signUp(ada);
  const refusal = { code: 'forbidden', message: 'passwords are switched off: sign in by single sign-on' };
  await expect(off.logIn(ada)).rejects.toMatchObject(refusal);
  await expect(off.signUp({ ...ada, email: `other-${ada.email}` })).rejects.toMatchObject(refusal);
});

describe('signing up', () => {
  it('creates a user in a personal workspace on the free plan, once per e-mail, and runs all hooks', async () => {
    const { user, token } = await accounts.signUp(ada);
    const unverified = { avatar: null, emailVerified: false, hasPassword: true, twoFactor: false, isOperator: false };
    expect(user).toEqual({ id: user.id, email: ada.email.toLowerCase(), name: 'Ada', ...unverified });
    const actor = await tokens.authenticate(token.secret);
    expect(actor).toMatchObject({ userId: user.id, role: 'owner', plan: 'free', isTeam: false });
    const again = { ...ada, email: ada.email.toUpperCase() };
    await expect(accounts.signUp(again)).rejects.toMatchObject({ code: 'user_exists' });
    const { id, email, name } = user;
    const opened = { user: { id, email, name }, workspaceId: actor!.workspaceId };
    expect(hooked).toEqual([opened, opened]);
    const session = await accounts.logIn(again);
    expect(session.user).toMatchObject(user);
    expect(await tokens.authenticate(session.token.secret)).toMatchObject({ userId: user.id });
  });

  it('mails a token that verifies the address', async () => {
    const { user } = await accounts.signUp(ada);
    const [job] = jobs.announced;
    expect(job).toMatchObject({ name: 'account.mail' });
    await mails.sendConfirmation((job as Job & { name: 'account.mail' }).payload.confirmationId, {
      signal: new AbortController().signal,
    });
    expect(await profiles.confirmEmail(tokenIn(mail.sent[0]!))).toMatchObject({ id: user.id, emailVerified: true });
  });

  it('creates no user when a hook fails', async () => {
    const account = { email: ada.email, name: null, passwordHash: null };
    hooks[1] = () => Promise.reject(new Error('no room'));
    await expect(accounts.open(account)).rejects.toThrow('no room');
    hooks[1] = remember;
    await accounts.open(account);
  });

  it.each([
    [{ email: 'ada' }, 'email'],
    [{ password: 'password1234' }, 'password'],
    [{ name: '   ' }, 'name'],
  ])('is refused with %j, and creates no user', async (wrong, field) => {
    const refusal = { code: 'validation_failed', fields: { [field]: [expect.any(String)] } };
    await expect(accounts.signUp({ ...ada, ...wrong })).rejects.toMatchObject(refusal);
    expect(hooked).toEqual([]);
  });

  it('can be switched off', async () => {
    const closed = accountsWith({ signUpEnabled: false });
    await expect(closed.signUp(ada)).rejects.toMatchObject({ code: 'forbidden' });
    expect(hooked).toEqual([]);
  });

  it('and logging in give tokens with the lifetime of the settings', async () => {
    const issued = [(await accounts.signUp(ada)).token, (await accounts.logIn(ada)).token];
    clock.advance(90 * 86_400 - 1);
    for (const { secret } of issued) expect(await tokens.authenticate(secret)).not.toBeNull();
    clock.advance(1);
    for (const { secret } of issued) expect(await tokens.authenticate(secret)).toBeNull();
    const endless = accountsWith({ tokenDays: null });
    expect((await endless.logIn(ada)).token.expiresAt).toBeNull();
  });
});

it.each([
  ['a wrong password', { password: 'difference engine' }, `plain:analytical engine`],
  ['an unknown e-mail', { email: 'unknown@example.com' }, null],
  ['an account without a password', { email: 'no-password@example.com', password: '' }, null],
  ['the hash of none', { email: 'no-password@example.com', password: 'plain:' }, null],
])('logging in gives the same error for %s, after one hash computation in every case', async (_, wrong, hash) => {
  await accounts.signUp(ada);
  const account = { email: 'no-password@example.com', name: null, passwordHash: null };
  await accounts.open(account).catch(() => undefined);
  const refusal = new DomainError('unauthenticated', 'the e-mail or the password is wrong');
  await expect(accounts.logIn({ ...ada, ...wrong })).rejects.toEqual(refusal);
  expect(passwords.verified).toEqual([hash]);
});

describe('a sign-in link', () => {
  const refusal = { code: 'unauthenticated' };
  const newLink = async (isLocal = false) => {
    const { user } = await accounts.open(someone());
    return { user, ...(await links.issue({ userId: user.id, isLocal })) };
  };

  it('signs its user in once', async () => {
    const { user, secret } = await newLink();
    const session = await accounts.logInByLink(secret, false);
    expect(session.user).toMatchObject(user);
    expect(await tokens.authenticate(session.token.secret)).toMatchObject({ userId: user.id });
    await expect(accounts.logInByLink(secret, false)).rejects.toMatchObject(refusal);
  });

  it('works for ten minutes', async () => {
    const [first, second] = [await newLink(), await newLink()];
    clock.advance(10 * 60 - 1);
    await accounts.logInByLink(first.secret, false);
    clock.advance(1);
    await expect(accounts.logInByLink(second.secret, false)).rejects.toMatchObject(refusal);
  });

  it('for local requests stays valid after a request from elsewhere', async () => {
    const { secret } = await newLink(true);
    await expect(accounts.logInByLink(secret, false)).rejects.toMatchObject(refusal);
    await accounts.logInByLink(secret, true);
  });

  it('is not accepted as a token, nor a token as a link', async () => {
    const { user, secret } = await newLink();
    expect(await tokens.authenticate(secret)).toBeNull();
    const token = await newToken(user.id, 'api');
    for (const wrong of [token.secret, 'x12_', '']) {
      await expect(accounts.logInByLink(wrong, true)).rejects.toMatchObject(refusal);
    }
  });
});

it('a team opens on a team plan and may change to any plan; a personal workspace has no team plan', async () => {
  const { user, workspaceId } = await accounts.open(someone());
  const { secret } = await newToken(user.id, 'api');
  const teams = new Product(db, { clock, auditLog }).with(wiring.plans, plans).get(Teams);
  const open = (plan: string) => teams.open({ ownerUserId: user.id, plan });
  expect(await teams.update(workspaceId, { plan: 'pro' })).toMatchObject({ plan: 'pro', isTeam: false });
  expect(await tokens.authenticate(secret)).toMatchObject({ workspaceId, plan: 'pro' });
  for (const refused of [
    () => teams.update(workspaceId, { plan: 'enterprise' }),
    () => open('free'),
    () => open('gone'),
  ]) {
    await expect(refused()).rejects.toMatchObject({ code: 'validation_failed' });
  }
  expect(await teams.update(await open('enterprise'), { plan: 'pro' })).toMatchObject({ plan: 'pro', isTeam: true });
  const misspelt = { code: 'validation_failed', fields: { plan: ['must be one of free, pro, enterprise'] } };
  await expect(teams.update(workspaceId, { plan: 'enterprize' })).rejects.toMatchObject(misspelt);
  await expect(open('enterprize')).rejects.toMatchObject({ fields: { plan: ['must be a team plan: enterprise'] } });
  expect(await tokens.authenticate(secret)).toMatchObject({ plan: 'pro' });
  await expect(teams.update(999_999_999, { plan: 'pro' })).rejects.toMatchObject({ code: 'not_found' });
});
