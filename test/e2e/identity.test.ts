/** @tier test */
import { describe, expect, it } from '@jest/globals';
import type { TestRequest, TestResponse } from '../support/call-api.ts';
import { expectRefusal } from '../support/expectations.ts';
import { itHere, startService } from '../support/service.ts';
import { untilTestEnds, useService } from '../support/use-service.ts';

const service = useService({}, { worker: false });

const unverified = { avatar: null, email_verified: false, has_password: true, two_factor: false, is_operator: false };
const me = (token?: string) => service.call('GET', '/v2/auth/me', { token });
const signUp = (json: unknown) => service.call('POST', '/v2/auth/signup', { json });
const logIn = (json: unknown) => service.call('POST', '/v2/auth/login', { json });

let count = 0;
const newEmail = () => `somebody-${++count}@example.com`;
const password = 'correct horse battery staple';

function expectUnauthenticated(response: TestResponse): void {
  expectRefusal(response, 401, 'unauthenticated', 'auth');
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
}

const makeToken = (token: string, form: TestRequest['form']) =>
  service.call('POST', '/v2/auth/tokens', { token, form });
const revoke = (token: string, id: number) => service.call('DELETE', `/v2/auth/tokens/${id}`, { token });

it('a user signs up, logs in, makes a token and revokes it', async () => {
  const email = newEmail();
  const request = { json: { email, password, name: 'Somebody' }, headers: { 'idempotency-key': 'sign-up-once' } };
  const signedUp = await service.call('POST', '/v2/auth/signup', request);
  expect(signedUp.status).toBe(201);
  const secret = expect.stringMatching(/^x12_[A-Za-z0-9_-]{43}$/);
  expect(signedUp.body).toEqual({
    status: true,
    user: { ...unverified, id: expect.any(Number), email, name: 'Somebody' },
    token: secret,
    token_id: expect.any(Number),
    token_expires_at: expect.any(String),
  });
  const replayed = await service.call('POST', '/v2/auth/signup', request);
  expect([replayed.status, replayed.body]).toEqual([201, signedUp.body]);
  expectRefusal(await signUp({ email, password }), 409, 'user_exists');

  const loggedIn = await logIn({ email: email.toUpperCase(), password });
  expect(loggedIn.status).toBe(200);
  expect(loggedIn.body).toMatchObject({ status: true, user: signedUp.body.user });

  const made = await makeToken(loggedIn.body.token, { name: 'render farm', expires_in_days: 30 });
  expect(made.status).toBe(201);
  const times = { created_at: expect.any(String), last_used_at: null, expires_at: expect.any(String) };
  const token = {
    id: expect.any(Number),
    name: 'render farm',
    kind: 'api',
    ...times,
    scopes: null,
    monthly_credits: null,
    used_credits: null,
    customer: null,
    is_current: false,
  };
  expect(made.body).toEqual({ status: true, token: secret, ...token });
  const { created_at: createdAt, expires_at: expiresAt } = made.body;
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);

  expect((await me(made.body.token)).status).toBe(200);
  const revoked = await revoke(signedUp.body.token, made.body.id);
  expect([revoked.status, revoked.body]).toEqual([200, { status: true }]);
  expectUnauthenticated(await me(made.body.token));
});

describe('signing up', () => {
  it('has no connection of the database while passwords are hashed, also with an Idempotency-Key', async () => {
    const on = untilTestEnds(await startService({ DATABASE_POOL_SIZE: '2' }, { worker: false }));
    const { token } = (await on.call('POST', '/v2/auth/signup', { json: { email: newEmail(), password } })).body;
    const done: string[] = [];
    const signUps = Array.from({ length: 10 }, async (_, index) => {
      const request = { json: { email: newEmail(), password }, headers: { 'idempotency-key': `at-once-${index}` } };
      const { status } = await on.call('POST', '/v2/auth/signup', request);
      done.push(`sign-up: ${status}`);
    });
    await Promise.race(signUps);
    await on.call('POST', '/boards', { token, json: { name: 'Not delayed' } });
    done.push('board');
    await Promise.all(signUps);
    expect(done.at(-1)).toBe('sign-up: 201');
    expect(done.filter((each) => each === 'sign-up: 201')).toHaveLength(10);
  });

  it('is limited for each address, and repeats of a call with an Idempotency-Key do not count', async () => {
    const on = untilTestEnds(
      await startService(
        { RATE_LIMIT_PER_MINUTE: '600', SIGNUPS_PER_MINUTE: '2', TRUSTED_PROXIES: '127.0.0.1' },
        { worker: false },
      ),
    );
    const from = (address: string, key: string) =>
      on.call('POST', '/v2/auth/signup', {
        json: { email: `${key}@limited.example.com`, password },
        headers: { 'x-forwarded-for': address, 'idempotency-key': key },
      });
    const first = await from('203.0.113.1', 'one');
    expect([first.status, (await from('203.0.113.1', 'one')).status]).toEqual([201, 201]);
    expect((await from('203.0.113.1', 'two')).status).toBe(201);
    expectRefusal(await from('203.0.113.1', 'three'), 429, 'rate_limited');
    expect((await from('203.0.113.2', 'three')).status).toBe(201);
  });

  it('needs no name, reports each invalid field, and ignores undeclared fields', async () => {
    expect((await signUp({ email: newEmail(), password })).body.user).toMatchObject({ name: null });
    const wrong = await signUp({ name: 'x'.repeat(101) });
    expect([wrong.status, Object.keys(wrong.body.errors).sort()]).toEqual([400, ['email', 'name', 'password']]);

    const { status, body } = await signUp({ email: newEmail(), password: '1234567890' });
    const message = 'password is too common: choose a password that is hard to guess';
    expect([status, body.message]).toEqual([400, message]);

    const json = { email: newEmail(), password, id: 1, role: 'admin', plan: 'enterprise', is_team: true };
    const { body: found } = await me((await signUp(json)).body.token);
    expect(found).toMatchObject({ role: 'owner', workspace: { plan: 'free', is_team: false } });
    expect(found.user.id).not.toBe(1);
  });

  it('keeps neither password nor token', async () => {
    const { token } = await service.signUp();
    const { body } = await makeToken(token, { name: 'another' });
    const rows = await service.database.query<{ row: string }>(
      'select to_json(users)::text as row from users union all select to_json(api_tokens)::text from api_tokens',
    );
    const kept = rows.map(({ row }) => row).join('\n');
    for (const secret of [token, body.token, password]) expect(kept).not.toContain(secret);
    expect(kept).toContain('$argon2id$');
  });
});

itHere('SIGNUP_ENABLED=false refuses sign-ups', async () => {
  const closed = untilTestEnds(await startService({ SIGNUP_ENABLED: 'false' }, { worker: false }));
  const response = await closed.call('POST', '/v2/auth/signup', { json: { email: newEmail(), password } });
  expectRefusal(response, 403, 'forbidden');
});

it('logging in takes any wrong password as an unknown e-mail, and needs both fields', async () => {
  const { email } = await service.signUp();
  const bodies = new Set<string>();
  for (const each of [email, newEmail()]) {
    const response = await logIn({ email: each, password: 'wrong horse battery staple' });
    expectUnauthenticated(response);
    bodies.add(JSON.stringify({ ...response.body, request_id: '' }));
  }
  expect(bodies.size).toBe(1);
  expectRefusal(await logIn({ email }), 400, 'validation_failed', 'password');
  expectRefusal(await logIn({ password }), 400, 'validation_failed', 'email');
});

describe('a token', () => {
  it('is needed, and no other will do', async () => {
    for (const token of [undefined, `x12_${'A'.repeat(43)}`]) expectUnauthenticated(await me(token));
  });

  it('is revoked by itself', async () => {
    const { token } = await service.signUp();
    const [{ id }] = (await service.call('GET', '/v2/auth/tokens', { token })).body.tokens;
    expect((await revoke(token, id)).status).toBe(200);
    expectUnauthenticated(await me(token));
  });

  it('needs a name, and takes a number of days or none', async () => {
    const { token } = await service.signUp();
    expectRefusal(await makeToken(token, {}), 400, 'validation_failed', 'name');
    expectRefusal(
      await makeToken(token, { name: 'x', expires_in_days: '0' }),
      400,
      'validation_failed',
      'expires_in_days',
    );
    for (const days of [undefined, 'null']) {
      expect((await makeToken(token, { name: 'x', expires_in_days: days })).body.expires_at).toBeNull();
    }
  });

  it('is listed without its secret, newest first', async () => {
    const { token } = await service.signUp();
    for (const name of ['a', 'b']) await makeToken(token, { name });
    const whole = await service.call('GET', '/v2/auth/tokens', { token });
    expect(whole.body.tokens.map(({ name }: { name: string }) => name)).toEqual(['b', 'a', 'sign-up']);
    expect(whole.body.next_cursor).toBeNull();
    const fields = [
      'created_at',
      'customer',
      'expires_at',
      'id',
      'is_current',
      'kind',
      'last_used_at',
      'monthly_credits',
      'name',
    ];
    fields.push('scopes', 'used_credits');
    expect(Object.keys(whole.body.tokens[0]).sort()).toEqual(fields);
    expect(whole.body.tokens.map((each: { is_current: boolean }) => each.is_current)).toEqual([false, false, true]);
    expect(whole.body.tokens[2].last_used_at).not.toBeNull();
  });
});

itHere('uses of tokens are recorded when the service stops', async () => {
  const { token, id } = await service.signUp();
  const stopping = await service.withFilesAt('https://cdn.example.com');
  expect((await stopping.call('GET', '/v2/auth/me', { token })).status).toBe(200);
  await stopping.stop();
  const used = 'select from api_tokens where user_id = $1 and last_used_at is not null';
  expect(await service.database.query(used, [id])).toHaveLength(1);
});

it('/auth/me shows the user, their workspace and role, and the credits of the plan free', async () => {
  const { token, id, email } = await service.signUp();
  const { status, body } = await me(token);
  expect(status).toBe(200);
  const workspace = { id: expect.any(Number), plan: 'free', is_team: false, suspended: false };
  const user = { ...unverified, id, email, name: null };
  expect(body).toEqual({ status: true, user, workspace, role: 'owner', upload_metadata: 'keep' });
  const balance = await service.call('GET', '/v2/credits', { token });
  const credits = { purchased: 100, used: 0, available: 100 };
  const storage = { used: 0, quota: null };
  expect(balance.body).toEqual({ status: true, credits, subscription: null, storage });
});
