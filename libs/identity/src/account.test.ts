import { describe, expect, it } from '@jest/globals';
import { MailRefused } from '#mail';
import { tokenIn } from '#testing/mail';
import {
  auditLog,
  changes,
  clock,
  ISSUER,
  isValid,
  jobs,
  mail,
  mails,
  newToken as newTokenOf,
  password as OLD,
  profiles,
  stores,
  tokens,
} from '../../../test/support/identity-stage.ts';
import type { PasswordHash } from './domain/password.ts';
import type { IssuedToken } from './domain/token.ts';
import type { Actor } from './domain/user.ts';
import { someone } from './testing/index.ts';

const NEW = 'difference engine';

const hashOf = (password: string) => `plain:${password}` as PasswordHash;

async function newUser(password: string | null = OLD) {
  const account = someone({ passwordHash: password === null ? null : hashOf(password) });
  const { user, workspaceId } = await stores.accounts.open(account);
  return { ...user, workspaceId };
}

type User = Awaited<ReturnType<typeof newUser>>;

const newToken = ({ id }: User, kind?: 'api' | 'log_in') => newTokenOf(id, kind);

async function actorOf({ secret }: IssuedToken): Promise<Actor> {
  return (await tokens.authenticate(secret))!;
}

const validityOf = (...issued: readonly IssuedToken[]) => Promise.all(issued.map(({ secret }) => isValid(secret)));

/** Runs the announced jobs, and those that they announce; returns the tokens of the mails, newest last. */
async function deliver(): Promise<string[]> {
  const signal = new AbortController().signal;
  for (let job = jobs.announced.shift(); job; job = jobs.announced.shift()) {
    if (job.name === 'password_reset.request') await changes.startReset(job.payload.email);
    if (job.name === 'account.mail') await mails.sendConfirmation(job.payload.confirmationId, { signal });
    if (job.name === 'account.notice') await mails.sendNotice(job.payload, { signal });
  }
  return mail.sent.filter(({ text }) => text.includes('x12_')).map(tokenIn);
}

const resetTokenOf = async ({ email }: User) => {
  await changes.requestReset(email);
  return (await deliver()).at(-1)!;
};

const passwordOf = async ({ email }: User) => (await stores.accounts.findByEmail(email))!.passwordHash;

const refused = { code: 'validation_failed', fields: { token: [expect.any(String)] } };

describe('a password', () => {
  it('is changed by its owner, who stays signed in: all other sessions end, and API tokens stay', async () => {
    const user = await newUser();
    const [own, other, api] = [await newToken(user), await newToken(user), await newToken(user, 'api')];
    const changed = await changes.change(await actorOf(own), { current: OLD, password: NEW });
    expect(changed).toMatchObject({ id: user.id, hasPassword: true });
    expect(await passwordOf(user)).toBe(hashOf(NEW));
    expect(await validityOf(own, other, api)).toEqual([true, false, true]);
    await deliver();
    expect(mail.sent).toMatchObject([{ to: user.email, subject: 'The password of your account was changed' }]);
  });

  it.each([
    ['the wrong present password', { current: 'wrong', password: NEW }, 'current'],
    ['no present password', { current: null, password: NEW }, 'current'],
    ['a common new password', { current: OLD, password: 'password1234' }, 'password'],
  ])('is not changed with %s', async (_, request, field) => {
    const user = await newUser();
    const change = changes.change(await actorOf(await newToken(user)), request);
    await expect(change).rejects.toMatchObject({ code: 'validation_failed', fields: { [field]: expect.anything() } });
    expect(await passwordOf(user)).toBe(hashOf(OLD));
  });

  it('is changed once by concurrent changes with one present password', async () => {
    const user = await newUser();
    const actor = await actorOf(await newToken(user));
    const change = (password: string) => changes.change(actor, { current: OLD, password });
    const results = await Promise.allSettled([change(`${NEW} 1`), change(`${NEW} 2`), change(`${NEW} 3`)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is set for the first time in a session of the last ten minutes, and in no other', async () => {
    const user = await newUser(null);
    const [session, api] = [await newToken(user), await newToken(user, 'api')];
    const request = { current: null, password: NEW };
    await expect(changes.change(await actorOf(api), request)).rejects.toMatchObject({ code: 'forbidden' });
    clock.advance(600.001);
    await expect(changes.change(await actorOf(session), request)).rejects.toMatchObject({ code: 'forbidden' });
    clock.advance(-0.001);
    await changes.change(await actorOf(session), request);
    expect(await passwordOf(user)).toBe(hashOf(NEW));
  });

  it('is not set for the first time by a session that has just ended', async () => {
    const user = await newUser(null);
    const actor = await actorOf(await newToken(user));
    await stores.sessions.endAll(user.id, { except: null });
    const change = changes.change(actor, { current: null, password: NEW });
    await expect(change).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each<[string, (user: User, own: IssuedToken) => Promise<unknown>]>([
    ['a change', async (_, own) => changes.change(await actorOf(own), { current: OLD, password: NEW })],
    ['a reset', async (user) => changes.reset({ token: await resetTokenOf(user), password: NEW })],
    ['an operator', async ({ email }) => changes.set({ email, password: NEW })],
  ])('that is new by %s ends a change of the e-mail that waits for its token', async (_, renew) => {
    const user = await newUser();
    const own = await newToken(user);
    await profiles.requestEmail(await actorOf(own), { email: `taken-${user.email}`, password: OLD });
    const token = (await deliver()).at(-1)!;
    await renew(user, own);
    await expect(profiles.confirmEmail(token)).rejects.toMatchObject(refused);
    expect((await stores.accounts.find(user.id))!.email).toBe(user.email);
  });

  it('that is new leaves the confirmation of the present address', async () => {
    const user = await newUser();
    await profiles.resendConfirmation(await actorOf(await newToken(user)));
    const token = (await deliver()).at(-1)!;
    await changes.set({ email: user.email, password: NEW });
    expect(await profiles.confirmEmail(token)).toMatchObject({ email: user.email, emailVerified: true });
  });

  it('is set by an operator, which ends all sessions', async () => {
    const user = await newUser();
    const session = await newToken(user);
    await changes.set({ email: user.email.toUpperCase(), password: NEW });
    expect([await passwordOf(user), await isValid(session.secret)]).toEqual([hashOf(NEW), false]);
    const unknown = changes.set({ email: 'unknown@example.com', password: NEW });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a forgotten password', () => {
  it('is replaced by the mailed token, which works once and ends all sessions', async () => {
    const user = await newUser();
    const session = await newToken(user);
    const token = await resetTokenOf(user);
    expect(mail.sent[0]).toMatchObject({ to: user.email, subject: 'Choose a new password' });
    expect(mail.sent[0]!.text).toContain(`https://files.example.com/console/reset-password#token=${token}`);
    await changes.reset({ token, password: NEW });
    expect([await passwordOf(user), await isValid(session.secret)]).toEqual([hashOf(NEW), false]);
    await expect(changes.reset({ token, password: OLD })).rejects.toMatchObject(refused);
  });

  it('is not mailed for an unknown address, by the same job', async () => {
    const user = await newUser();
    await changes.requestReset(user.email);
    await changes.requestReset('unknown@example.com');
    const [known, unknown] = jobs.announced;
    expect(unknown).toEqual({ ...known, payload: { email: 'unknown@example.com' } });
    expect(await deliver()).toHaveLength(1);
  });

  it.each([
    ['a second request', async (user: User) => void (await resetTokenOf(user))],
    ['a change of the password', async (user: User) => changes.set({ email: user.email, password: NEW })],
    [
      'a change of the e-mail',
      async (user: User) => {
        const request = { email: `new-${user.email}`, password: OLD };
        await profiles.requestEmail(await actorOf(await newToken(user)), request);
        await profiles.confirmEmail((await deliver()).at(-1)!);
      },
    ],
  ])('cannot be replaced any more after %s', async (_, end) => {
    const user = await newUser();
    const token = await resetTokenOf(user);
    await end(user);
    await expect(changes.reset({ token, password: 'another engine' })).rejects.toMatchObject(refused);
  });

  it('can be replaced until the hour is over', async () => {
    const [user, late] = [await newUser(), await newUser()];
    const [token, expired] = [await resetTokenOf(user), await resetTokenOf(late)];
    clock.advance(3599.999);
    await changes.reset({ token, password: NEW });
    expect(await passwordOf(user)).toBe(hashOf(NEW));
    clock.advance(0.001);
    await expect(changes.reset({ token: expired, password: NEW })).rejects.toMatchObject(refused);
    expect(await passwordOf(late)).toBe(hashOf(OLD));
  });

  it('is replaced once by concurrent uses of one token', async () => {
    for (let round = 0; round < 20; round++) {
      const user = await newUser();
      const token = await resetTokenOf(user);
      const reset = (password: string) => changes.reset({ token, password });
      const results = await Promise.allSettled([reset(`${NEW} 1`), reset(`${NEW} 2`), reset(`${NEW} 3`)]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  it('keeps its token when the new password is refused', async () => {
    const user = await newUser();
    const token = await resetTokenOf(user);
    const weak = changes.reset({ token, password: 'password1234' });
    await expect(weak).rejects.toMatchObject({ fields: { password: expect.anything() } });
    await changes.reset({ token, password: NEW });
  });

  it('verifies the address. The API tokens of an unverified address end too', async () => {
    const [unverified, verified] = [await newUser(), await newUser()];
    await stores.accounts.update(verified.id, { emailVerifiedAt: clock.now() });
    const before = [await newToken(unverified, 'api'), await newToken(verified, 'api')];
    for (const user of [unverified, verified]) await changes.reset({ token: await resetTokenOf(user), password: NEW });
    expect((await profiles.read(unverified.id)).emailVerified).toBe(true);
    expect(await validityOf(...before)).toEqual([false, true]);
  });

  it('takes an unverified account from whoever opened it: two-factor, identities and what their claim gave end', async () => {
    const [unverified, verified] = [await newUser(), await newUser()];
    await stores.accounts.update(verified.id, { emailVerifiedAt: clock.now() });
    const left = [];
    for (const { id: userId, email } of [unverified, verified]) {
      const identity = { userId, issuer: ISSUER, subject: email, email: null, createdAt: clock.now() };
      await stores.identities.add(identity);
      await stores.factors.start(userId, 'sealed' as never, clock.now());
      await stores.accounts.update(userId, { operatorBy: 'claim' });
    }
    for (const user of [unverified, verified]) {
      await changes.reset({ token: await resetTokenOf(user), password: NEW });
      const [identities, factor] = [await stores.identities.list(user.id), await stores.factors.lock(user.id)];
      left.push([identities.length, factor !== null, (await stores.accounts.find(user.id))!.isOperator]);
    }
    const taken = auditLog.entries.filter(({ action }) => action === 'account.take_over');
    expect(taken).toMatchObject([{ target: unverified.id, userId: unverified.id }]);
    expect(left).toEqual([
      [0, false, false],
      [1, true, true],
    ]);
  });
});

describe('an e-mail address', () => {
  const change = async (user: User, email: string, password: string | null = OLD) =>
    profiles.requestEmail(await actorOf(await newToken(user)), { email, password });

  it('is verified by the mailed token, which works once and for a day', async () => {
    const user = await newUser();
    const actor = await actorOf(await newToken(user));
    await profiles.resendConfirmation(actor);
    const [first] = (await deliver()) as [string];
    clock.advance(86_400);
    await expect(profiles.confirmEmail(first)).rejects.toMatchObject(refused);
    await profiles.resendConfirmation(actor);
    const second = (await deliver()).at(-1)!;
    clock.advance(86_399.999);
    expect(await profiles.confirmEmail(second)).toMatchObject({ id: user.id, emailVerified: true });
    await expect(profiles.confirmEmail(second)).rejects.toMatchObject(refused);
  });

  it('is changed when the new address is confirmed, and the present one gets a notice', async () => {
    const user = await newUser();
    await change(user, `New-${user.email}`);
    const [token] = (await deliver()) as [string];
    expect(mail.sent.map(({ to }) => to).sort()).toEqual([`new-${user.email}`, user.email].sort());
    expect((await profiles.read(user.id)).email).toBe(user.email);
    expect(await profiles.confirmEmail(token)).toMatchObject({ email: `new-${user.email}`, emailVerified: true });
  });

  it('is not changed to the address of another account, and says so only once the token is used', async () => {
    const [user, other] = [await newUser(), await newUser()];
    await change(user, other.email);
    const [token] = (await deliver()) as [string];
    await expect(profiles.confirmEmail(token)).rejects.toMatchObject({ code: 'user_exists' });
    expect((await profiles.read(user.id)).email).toBe(user.email);
  });

  it('is not changed with a wrong password', async () => {
    const user = await newUser();
    const wrong = change(user, `new-${user.email}`, 'wrong');
    await expect(wrong).rejects.toMatchObject({ fields: { password: ['is wrong'] } });
    expect(jobs.announced).toEqual([]);
  });

  it('has one valid token after concurrent requests', async () => {
    for (let round = 0; round < 20; round++) {
      const actor = await actorOf(await newToken(await newUser()));
      await Promise.all([1, 2, 3].map(() => profiles.resendConfirmation(actor)));
      mail.sent.length = 0;
      const sent = await deliver();
      const uses = await Promise.allSettled(sent.map((token) => profiles.confirmEmail(token)));
      expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });
});

describe('sessions', () => {
  it('are listed with the place that opened them, without API tokens and expired ones', async () => {
    const user = await newUser();
    const client = { address: '203.0.113.7', userAgent: 'Firefox' };
    const request = { userId: user.id, name: 'log-in', expiresInDays: 1, kind: 'log_in', parent: null } as const;
    await tokens.create({ ...request });
    clock.advance(86_400);
    const session = await tokens.create({ ...request, client });
    await newToken(user, 'api');
    expect(await stores.sessions.list(user.id, clock.now())).toEqual([
      { id: session.id, createdAt: session.createdAt, lastUsedAt: null, ...client },
    ]);
  });

  it('are ended one by one, or all but the current session; sessions of others and API tokens stay', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const [own, second, third] = [await newToken(user), await newToken(user), await newToken(user)];
    const [api, others] = [await newToken(user, 'api'), await newToken(other)];
    expect(await stores.sessions.end(user.id, others.id)).toBe(false);
    expect(await stores.sessions.end(user.id, api.id)).toBe(false);
    expect(await stores.sessions.end(user.id, second.id)).toBe(true);
    expect(await validityOf(own, second, third, api, others)).toEqual([true, false, true, true, true]);
    await stores.sessions.endAll(user.id, { except: own.id });
    expect(await validityOf(own, third, api, others)).toEqual([true, false, true, true]);
  });

  it('but one are ended without the log-ins that it was opened with, as it would end with them', async () => {
    const user = await newUser();
    const [logIn, other] = [await newToken(user), await newToken(user)];
    const opened = { userId: user.id, name: 'log-in', expiresInDays: 1, kind: 'session' } as const;
    const first = await tokens.create({ ...opened, parent: logIn });
    const own = await tokens.create({ ...opened, parent: first });
    await stores.sessions.endAll(user.id, { except: own.id });
    expect(await validityOf(own, first, logIn, other)).toEqual([true, true, true, false]);
  });
});

describe('an account mail', () => {
  it('that could not be sent is tried again, unless its address was refused', async () => {
    const job = { name: 'account.mail', payload: { confirmationId: 1 } } as const;
    await mails.retry(job, new Error('the server is away'));
    expect(jobs.announced).toMatchObject([{ ...job, delaySeconds: 60 }]);
    await mails.retry(job, new MailRefused('550'));
    expect(jobs.announced).toHaveLength(1);
  });

  it('sent twice has a token of its own each time, and both work', async () => {
    const user = await newUser();
    await profiles.resendConfirmation(await actorOf(await newToken(user)));
    const [job] = jobs.announced;
    jobs.announced.push(job!);
    const [first, second] = (await deliver()) as [string, string];
    expect(first).not.toBe(second);
    await profiles.confirmEmail(first);
  });
});
