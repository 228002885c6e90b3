/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { tokenIn } from '#testing/mail';
import { aPng } from '#testing/sources';
import { expectRefusal } from '../support/expectations.ts';
import { CONFIRMATION, mailTo } from '../support/mail-to.ts';
import type { TestUser } from '../support/service.ts';
import type { TestRequest } from '../support/call-api.ts';
import { uploaded } from '../support/uploaded.ts';
import { useService } from '../support/use-service.ts';

const service = useService();

const NEW = 'a new difference engine';
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, request: TestRequest = {}) =>
  service.call(method, `/v2/auth/${path}`, request);
const logIn = async (email: string, password: string) =>
  (await call('POST', 'login', { json: { email, password } })).status;
const me = async ({ token }: Pick<TestUser, 'token'>) => (await call('GET', 'me', { token })).status;
const tokenTo = async (address: string, part?: string) => tokenIn(await mailTo(service, address, part));

describe('an account', () => {
  it('shows and changes its name and picture', async () => {
    const user = await service.signUp();
    const picture = await uploaded(service, user, 'me.png', aPng());
    const { status, body } = await call('PUT', 'me', { token: user.token, json: { name: 'Ada', avatar: picture } });
    const changed = {
      id: user.id,
      email: user.email,
      name: 'Ada',
      avatar: picture,
      email_verified: false,
      has_password: true,
      two_factor: false,
      is_operator: false,
    };
    expect([status, body.user]).toEqual([200, expect.objectContaining(changed)]);
    const removed = await call('PUT', 'me', { token: user.token, form: { avatar: '' } });
    expect(removed.body.user).toMatchObject({ name: 'Ada', avatar: null });
    const elsewhere = await call('PUT', 'me', { token: user.token, json: { avatar: 'https://example.com/me.png' } });
    expectRefusal(elsewhere, 400, 'validation_failed', 'avatar');
  });

  it('keeps preferences of clients, by name, for itself alone', async () => {
    const [user, other] = [await service.signUp(), await service.signUp()];
    const put = (preferences: object, of = user) =>
      call('PUT', 'preferences', { token: of.token, json: { preferences } });
    expect((await call('GET', 'preferences', { token: user.token })).body.preferences).toEqual({});
    await Promise.all([put({ tiles: 'large' }), put({ done: '2' })]);
    expect((await put({ done: '' })).body.preferences).toEqual({ tiles: 'large' });
    expect((await call('GET', 'preferences', { token: other.token })).body.preferences).toEqual({});
    for (const wrong of [{ tiles: 1 }, { tiles: 'x'.repeat(501) }, ['a']]) {
      expectRefusal(await put(wrong), 400, 'validation_failed', 'preferences');
    }
  });

  it('changes its password with the present one; other sessions end', async () => {
    const user = await service.signUp();
    const other = await call('POST', 'login', { json: { email: user.email, password: user.password } });
    const wrong = await call('PUT', 'password', { token: user.token, json: { current: 'wrong', password: NEW } });
    expectRefusal(wrong, 400, 'validation_failed', 'current');
    const json = { current: user.password, password: NEW };
    expect((await call('PUT', 'password', { token: user.token, json })).status).toBe(200);
    expect([await me(user), await me(other.body)]).toEqual([200, 401]);
    expect([await logIn(user.email, user.password), await logIn(user.email, NEW)]).toEqual([401, 200]);
  });

  it('gets a new password by mail, with the same response for an unknown address', async () => {
    const user = await service.signUp();
    const ask = async (email: string) => {
      const { status, body } = await call('POST', 'password/forgot', { json: { email } });
      return [status, body];
    };
    expect(await ask('nobody@example.com')).toEqual(await ask(user.email));
    const json = { token: await tokenTo(user.email), password: NEW };
    expect((await call('POST', 'password/reset', { json })).status).toBe(200);
    expect([await me(user), await logIn(user.email, NEW)]).toEqual([401, 200]);
    expectRefusal(await call('POST', 'password/reset', { json }), 400, 'validation_failed', 'token');
  });

  it('changes its e-mail when the new address is confirmed', async () => {
    const user = await service.signUp();
    const email = `new-${user.email}`;
    const json = { email, password: user.password };
    expect((await call('POST', 'email', { token: user.token, json })).status).toBe(202);
    expect((await mailTo(service, user.email)).headers.subject).toEqual([
      'A new e-mail address was entered for your account',
    ]);
    const token = await tokenTo(email, CONFIRMATION);
    expect((await call('GET', 'me', { token: user.token })).body.user.email).toBe(user.email);
    const confirmed = await call('POST', 'email/confirm', { json: { token } });
    expect(confirmed.body.user).toMatchObject({ email, email_verified: true });
  });

  it('lists its sessions, and ends one of them or all others', async () => {
    const user = await service.signUp();
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const open = async () => {
      const json = { email: user.email, password: user.password };
      return (await call('POST', 'login', { json, headers: { 'user-agent': agent } })).body as { token: string };
    };
    const [second, third, fourth] = [await open(), await open(), await open()];
    const { sessions } = (await call('GET', 'sessions', { token: second.token })).body;
    expect(sessions).toHaveLength(4);
    const page = (await call('GET', 'sessions?limit=3', { token: second.token })).body;
    const rest = (await call('GET', `sessions?cursor=${page.next_cursor}`, { token: second.token })).body;
    const ids = (list: { id: number }[]) => list.map(({ id }) => id);
    expect([...ids(page.sessions), ...ids(rest.sessions)]).toEqual(ids(sessions));
    expect(sessions[2]).toEqual({
      id: expect.any(Number),
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      address: '127.0.0.1',
      browser: 'Firefox 140 on Linux',
      is_current: true,
    });
    expect((await call('DELETE', `sessions/${sessions[1].id}`, { token: second.token })).status).toBe(200);
    expect([await me(third), await me(fourth)]).toEqual([401, 200]);
    expect((await call('DELETE', 'sessions', { token: second.token })).status).toBe(200);
    expect([await me(user), await me(second), await me(fourth)]).toEqual([401, 200, 401]);
  });

  it('is mailed six times in a row, then the client has to wait', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) {
      statuses.push((await call('POST', 'password/forgot', { json: { email: 'flooded@example.com' } })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 6 }, () => 202), 429]);
  });
});

describe('where e-mail addresses must be verified', () => {
  const strict = useService({ EMAIL_VERIFICATION: 'required' });

  it('an account can read itself and ask for the mail, and everything else once it has used the token', async () => {
    const { token, email } = await strict.signUp();
    const personas = () => strict.call('GET', '/v2/personas', { token });
    const confirm = async () => {
      const json = { token: tokenIn(await mailTo(strict, email, CONFIRMATION)) };
      return (await strict.call('POST', '/v2/auth/email/confirm', { json })).status;
    };
    expect((await strict.call('GET', '/v2/auth/me', { token })).body.user.email_verified).toBe(false);
    expectRefusal(await personas(), 403, 'email_unverified');
    expect(await confirm()).toBe(200);
    expect((await personas()).status).toBe(200);
    expect((await strict.call('POST', '/v2/auth/email/resend', { token })).status).toBe(202);
  });

  it('an operator can operate the service only once the address is confirmed', async () => {
    const { token, email, id } = await strict.signUp();
    await strict.database.query('update users set is_operator = true where id = $1', [id]);
    const operate = () => strict.call('GET', '/admin/api/users', { token });
    expectRefusal(await operate(), 403, 'email_unverified');
    const json = { token: tokenIn(await mailTo(strict, email, CONFIRMATION)) };
    expect((await strict.call('POST', '/v2/auth/email/confirm', { json })).status).toBe(200);
    expect((await operate()).status).toBe(200);
  });
});
