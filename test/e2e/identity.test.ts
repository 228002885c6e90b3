import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresTeams } from '#adapters/postgres';
import type { TestRequest, TestResponse } from '../support/call-api.ts';
import { expectRefusal } from '../support/expectations.ts';
import { startService, type TestService, type TestUser } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({}, { worker: false });
});
afterAll(() => service.stop());

const me = (token?: string) => service.call('GET', '/v2/auth/me', { token });
const signUp = (json: unknown) => service.call('POST', '/v2/auth/signup', { json });
const logIn = (json: unknown) => service.call('POST', '/v2/auth/login', { json });

let count = 0;
const newEmail = () => `somebody-${++count}@example.com`;
const password = 'correct horse battery staple';

function expectUnauthenticated(answer: TestResponse): void {
  expectRefusal(answer, 401, 'unauthenticated', 'auth');
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}

const makeToken = (token: string, form: TestRequest['form']) =>
  service.call('POST', '/v2/auth/tokens', { token, form });

it('a user signs up, logs in, makes a token and revokes it', async () => {
  const email = newEmail();
  const signedUp = await signUp({ email, password, name: 'Somebody' });
  expect(signedUp.status).toBe(201);
  expect(signedUp.body).toEqual({
    status: true,
    user: { id: expect.any(Number), email, name: 'Somebody' },
    token: expect.stringMatching(/^x12_[A-Za-z0-9_-]{43}$/),
    token_id: expect.any(Number),
    token_expires_at: expect.any(String),
  });

  const loggedIn = await logIn({ email: email.toUpperCase(), password });
  expect(loggedIn.status).toBe(200);
  expect(loggedIn.body).toMatchObject({ status: true, user: signedUp.body.user });

  const made = await makeToken(loggedIn.body.token, { name: 'render farm', expires_in_days: 30 });
  expect(made.status).toBe(201);
  const secret = expect.stringMatching(/^x12_[A-Za-z0-9_-]{43}$/);
  const times = { created_at: expect.any(String), last_used_at: null, expires_at: expect.any(String) };
  expect(made.body).toEqual({ status: true, token: secret, id: expect.any(Number), name: 'render farm', ...times });
  const { created_at: createdAt, expires_at: expiresAt } = made.body;
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);

  expect((await me(made.body.token)).status).toBe(200);
  const { token } = signedUp.body;
  const revoked = await service.call('DELETE', `/v2/auth/tokens/${made.body.id}`, { token });
  expect([revoked.status, revoked.body]).toEqual([200, { status: true }]);
  expectUnauthenticated(await me(made.body.token));
});

describe('signing up', () => {
  it('needs no name: absent, empty and null are none', async () => {
    for (const name of [undefined, '', null, 'null']) {
      const answer = await signUp({ email: newEmail(), password, name });
      expect(answer.body.user).toMatchObject({ name: null });
    }
  });

  it('names every field that is wrong', async () => {
    const answer = await signUp({ name: 'x'.repeat(101) });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors).sort()).toEqual(['email', 'name', 'password']);
  });

  it('makes one user when many sign up with one e-mail at once', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 8 }, () => signUp({ email, password })));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const answer of answers) if (answer !== made[0]) expectRefusal(answer, 409, 'user_exists');
  });

  it('happens once for one Idempotency-Key, and answers the same token again', async () => {
    const request = { json: { email: newEmail(), password }, headers: { 'idempotency-key': 'sign-up-once' } };
    const first = await service.call('POST', '/v2/auth/signup', request);
    const again = await service.call('POST', '/v2/auth/signup', request);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('keeps neither password nor token', async () => {
    const { token } = await service.signUp();
    const { body } = await makeToken(token, { name: 'another' });
    const rows = await service.database.query<{ row: string }>(
      'select row_to_json(users)::text as row from users union all select row_to_json(api_tokens)::text from api_tokens',
    );
    const kept = rows.map(({ row }) => row).join('\n');
    for (const secret of [token, body.token, password]) expect(kept).not.toContain(secret);
    expect(kept).toContain('$argon2id$');
  });

  it('binds nothing that is not asked for', async () => {
    const json = { email: newEmail(), password, id: 1, role: 'admin', plan: 'enterprise', is_team: true };
    const { body } = await signUp(json);
    const { body: found } = await me(body.token);
    expect(found).toMatchObject({ role: 'owner', workspace: { plan: 'free', is_team: false } });
    expect(found.user.id).not.toBe(1);
  });

  it('can be switched off', async () => {
    const closed = await startService({ SIGNUP_ENABLED: 'false' }, { worker: false });
    try {
      const answer = await closed.call('POST', '/v2/auth/signup', { json: { email: newEmail(), password } });
      expectRefusal(answer, 403, 'forbidden');
    } finally {
      await closed.stop();
    }
  });
});

describe('logging in', () => {
  it('gives the same response for a wrong password and an unknown e-mail', async () => {
    const { email } = await service.signUp();
    const bodies = new Set<string>();
    for (const each of [email, newEmail()]) {
      const answer = await logIn({ email: each, password: 'wrong horse battery staple' });
      expectUnauthenticated(answer);
      bodies.add(JSON.stringify({ ...answer.body, request_id: '' }));
    }
    expect(bodies.size).toBe(1);
  });

  it('needs both fields, and takes a password of any length for a wrong one', async () => {
    const { email } = await service.signUp();
    expectRefusal(await logIn({ email }), 400, 'validation_failed', 'password');
    expectRefusal(await logIn({ password }), 400, 'validation_failed', 'email');
    expectUnauthenticated(await logIn({ email, password: 'x' }));
    expectUnauthenticated(await logIn({ email, password: 'x'.repeat(10_000) }));
  });
});

describe('a token', () => {
  it('is needed, and nothing else will do', async () => {
    const { token } = await service.signUp();
    expectUnauthenticated(await me());
    for (const authorization of ['', 'Bearer', token, `Basic ${token}`, `Bearer ${token}x`, 'Bearer x12_']) {
      expectUnauthenticated(await service.call('GET', '/v2/auth/me', { headers: { authorization } }));
    }
    expectUnauthenticated(await me(`x12_${'A'.repeat(43)}`));
    for (const [method, path] of [
      ['GET', '/v2/auth/tokens'],
      ['POST', '/v2/auth/tokens'],
      ['DELETE', '/v2/auth/tokens/1'],
      ['GET', '/v2/credits'],
    ] as const) {
      expectUnauthenticated(await service.call(method, path));
    }
  });

  it('can revoke itself', async () => {
    const { token } = await service.signUp();
    const { body } = await service.call('GET', '/v2/auth/tokens', { token });
    const [{ id }] = body.tokens;
    expect((await service.call('DELETE', `/v2/auth/tokens/${id}`, { token })).status).toBe(200);
    expectUnauthenticated(await me(token));
  });

  it('is revoked by its owner alone, and an unknown one and that of others look alike', async () => {
    const [owner, other] = [await service.signUp(), await service.signUp()];
    const { body } = await service.call('GET', '/v2/auth/tokens', { token: owner.token });
    const revoke = (id: unknown) => service.call('DELETE', `/v2/auth/tokens/${id}`, { token: other.token });
    const [foreign, unknown] = [await revoke(body.tokens[0].id), await revoke(999_999_999)];
    expectRefusal(foreign, 404, 'not_found');
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    for (const id of ['0', '-1', '1.5', 'x', '9007199254740993']) {
      expect(await revoke(id)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    }
    expect((await me(owner.token)).status).toBe(200);
  });

  it('needs a name, and takes a number of days or none', async () => {
    const { token } = await service.signUp();
    for (const [field, wrong] of [
      ['name', { name: undefined }],
      ['name', { name: '   ' }],
      ['expires_in_days', { expires_in_days: '0' }],
      ['expires_in_days', { expires_in_days: '1e1' }],
    ] as const) {
      expectRefusal(await makeToken(token, { name: 'x', ...wrong }), 400, 'validation_failed', field);
    }
    for (const days of [undefined, 'null']) {
      expect((await makeToken(token, { name: 'x', expires_in_days: days })).body.expires_at).toBeNull();
    }
  });

  it('is listed without its secret, newest first, page by page', async () => {
    const { token } = await service.signUp();
    for (const name of ['a', 'b']) await makeToken(token, { name });
    const list = (query: string) => service.call('GET', `/v2/auth/tokens${query}`, { token });
    const whole = await list('');
    expect(whole.body.tokens.map(({ name }: { name: string }) => name)).toEqual(['b', 'a', 'sign-up']);
    expect(whole.body.next_cursor).toBeNull();
    const fields = ['created_at', 'expires_at', 'id', 'last_used_at', 'name'];
    expect(Object.keys(whole.body.tokens[0]).sort()).toEqual(fields);
    expect(whole.body.tokens[2].last_used_at).not.toBeNull();

    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.tokens, ...second.body.tokens]).toEqual(whole.body.tokens);
    expect(second.body.next_cursor).toBeNull();
    for (const query of ['?limit=0', '?limit=201', '?limit=x', '?cursor=x']) {
      expect(await list(query)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    }
  });
});

describe('who am I', () => {
  it('answers user, workspace and role, and the credits of the plan free', async () => {
    const user = await service.signUp();
    const { status, body } = await me(user.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: true,
      user: { id: user.id, email: user.email, name: null },
      workspace: { id: expect.any(Number), plan: 'free', is_team: false },
      role: 'owner',
    });
    const credits = { purchased: 100, used: 0, available: 100 };
    const { body: balance } = await service.call('GET', '/v2/credits', { token: user.token });
    expect(balance).toEqual({ status: true, credits, subscription: null });
  });

  it('answers the team for every token of its members, and its credits', async () => {
    const [owner, member] = [await service.signUp(), await service.signUp()];
    const team = await openTeam(owner, member);
    const another = await logIn(member);
    const workspace = { id: team, plan: 'enterprise', is_team: true };
    for (const token of [member.token, another.body.token]) {
      expect((await me(token)).body).toMatchObject({ user: { id: member.id }, workspace, role: 'admin' });
    }
    const credits = { purchased: 20_000, used: 0, available: 20_000 };
    const { body } = await service.call('GET', '/v2/credits', { token: member.token });
    expect(body).toEqual({ status: true, credits, subscription: 'enterprise' });
  });
});

async function openTeam(owner: TestUser, admin: TestUser): Promise<number> {
  const teams = new PostgresTeams(service.database.database);
  const now = new Date();
  const workspaceId = await teams.open({ ownerUserId: owner.id, plan: 'enterprise', openedAt: now });
  await teams.join({ workspaceId, userId: admin.id, role: 'admin', addedBy: owner.id, joinedAt: now });
  return workspaceId;
}
