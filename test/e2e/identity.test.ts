import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresTeams } from '#adapters/postgres';
import { startService, type TestAnswer, type TestService, type TestUser } from '../support/service.ts';

type Fields = Readonly<Record<string, string>>;

/** The three types of body that every endpoint takes. */
const BODIES: Readonly<Record<string, (fields: Fields) => { body: RequestInit['body']; type?: string }>> = {
  'multipart/form-data': (fields) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return { body };
  },
  'application/x-www-form-urlencoded': (fields) => ({ body: new URLSearchParams(fields) }),
  'application/json': (fields) => ({ body: JSON.stringify(fields), type: 'application/json' }),
};

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

function expectRefusal(answer: TestAnswer, status: number, code: string, field?: string): void {
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body).toEqual({
    status: false,
    code,
    message: expect.any(String),
    request_id: answer.headers.get('x-request-id'),
    ...(field === undefined ? {} : { errors: { [field]: [expect.any(String)] } }),
  });
}

function expectUnauthenticated(answer: TestAnswer): void {
  expectRefusal(answer, 401, 'unauthenticated', 'auth');
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}

describe.each(Object.entries(BODIES))('with %s', (_type, bodyOf) => {
  async function post(path: string, fields: Fields, token?: string): Promise<TestAnswer> {
    const { body, type } = bodyOf(fields);
    const headers = {
      ...(type ? { 'content-type': type } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const response = await fetch(new URL(path, service.baseUrl), { method: 'POST', headers, body });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  it('a user signs up, logs in, makes a token and revokes it', async () => {
    const email = newEmail();
    const signedUp = await post('/v2/auth/signup', { email, password, name: 'Somebody' });
    expect(signedUp.status).toBe(201);
    expect(signedUp.body).toEqual({
      status: true,
      user: { id: expect.any(Number), email, name: 'Somebody' },
      token: expect.stringMatching(/^x12_[A-Za-z0-9_-]{43}$/),
      token_id: expect.any(Number),
      token_expires_at: expect.any(String),
    });

    const loggedIn = await post('/v2/auth/login', { email: email.toUpperCase(), password });
    expect(loggedIn.status).toBe(200);
    expect(loggedIn.body).toMatchObject({ status: true, user: signedUp.body.user });

    const made = await post(
      '/v2/auth/tokens',
      { name: 'render farm', expires_in_days: '30' },
      loggedIn.body.token,
    );
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      status: true,
      token: expect.stringMatching(/^x12_[A-Za-z0-9_-]{43}$/),
      id: expect.any(Number),
      name: 'render farm',
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: expect.any(String),
    });
    const { created_at: createdAt, expires_at: expiresAt } = made.body;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);

    expect((await me(made.body.token)).status).toBe(200);
    const revoked = await service.call('DELETE', `/v2/auth/tokens/${made.body.id}`, {
      token: signedUp.body.token,
    });
    expect([revoked.status, revoked.body]).toEqual([200, { status: true }]);
    expectUnauthenticated(await me(made.body.token));
  });

  it('a token without an expiry, or with none, does not expire', async () => {
    const { token } = await service.signUp();
    const [absent, none] = await Promise.all([
      post('/v2/auth/tokens', { name: 'x' }, token),
      post('/v2/auth/tokens', { name: 'x', expires_in_days: 'null' }, token),
    ]);
    expect([absent.body.expires_at, none.body.expires_at]).toEqual([null, null]);
  });
});

describe('signing up', () => {
  it.each([
    ['email', { email: 'a@example.com\r\nBcc: b@example.com' }],
    ['email', { email: 'a\0@example.com' }],
    ['password', { password: '123456789' }],
    ['password', { password: 'x'.repeat(129) }],
    ['password', { password: `has a \0 in it, somewhere` }],
    ['name', { name: 'two\nlines' }],
    ['name', { name: 'nul\0nul' }],
  ])('is refused for its %s in %j', async (field, wrong) => {
    expectRefusal(await signUp({ email: newEmail(), password, ...wrong }), 400, 'validation_failed', field);
  });

  it.each([10, 128])('takes a password of %d characters', async (length) => {
    const account = { email: newEmail(), password: 'é'.repeat(length) };
    expect((await signUp(account)).status).toBe(201);
    expect((await logIn(account)).status).toBe(200);
  });

  it('takes an e-mail address in any script, however its accents are composed', async () => {
    const { body } = await signUp({ email: `Jose\u0301-${count}@Bücher.example`, password });
    expect(body.user.email).toBe(`jos\u00e9-${count}@bücher.example`);
    expect((await logIn({ email: `JOS\u00c9-${count}@BÜCHER.example`, password })).status).toBe(200);
  });

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

  it('is refused when the e-mail is taken, in whatever case', async () => {
    const email = newEmail();
    expect((await signUp({ email, password })).status).toBe(201);
    expectRefusal(await signUp({ email: email.toUpperCase(), password }), 409, 'user_exists');
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

  it('gives a workspace with one persona named Default, on the plan free', async () => {
    const { token } = await service.signUp();
    const { body } = await service.call('GET', '/v2/personas', { token });
    expect(body.personas).toEqual([expect.objectContaining({ name: 'Default' })]);
    expect((await me(token)).body.workspace).toMatchObject({ plan: 'free', is_team: false });
  });

  it('keeps neither password nor token', async () => {
    const { token } = await service.signUp();
    const { body } = await service.call('POST', '/v2/auth/tokens', { token, json: { name: 'another' } });
    const rows = await service.database.query<{ row: string }>(
      'select row_to_json(users)::text as row from users union all select row_to_json(api_tokens)::text from api_tokens',
    );
    const kept = rows.map(({ row }) => row).join('\n');
    for (const secret of [token, body.token, password]) expect(kept).not.toContain(secret);
    expect(kept).toContain('$argon2id$');
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

describe('a body', () => {
  it('binds nothing that is not asked for', async () => {
    const json = { email: newEmail(), password, id: 1, role: 'admin', plan: 'enterprise', is_team: true };
    const { body } = await signUp(json);
    const { body: found } = await me(body.token);
    expect(found).toMatchObject({ role: 'owner', workspace: { plan: 'free', is_team: false } });
    expect(found.user.id).not.toBe(1);
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

  it('works until it expires', async () => {
    const { token } = await service.signUp();
    const { body } = await service.call('POST', '/v2/auth/tokens', {
      token,
      form: { name: 'short', expires_in_days: 1 },
    });
    const moveExpiry = (by: string) =>
      service.database.query('update api_tokens set expires_at = now() + $2::interval where id = $1', [
        body.id,
        by,
      ]);
    await moveExpiry('1 minute');
    expect((await me(body.token)).status).toBe(200);
    await moveExpiry('-1 second');
    expectUnauthenticated(await me(body.token));
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

  it.each(['0', '3651', '1.5', '1e1'])('does not expire in %s days', async (days) => {
    const { token } = await service.signUp();
    const form = { name: 'x', expires_in_days: days };
    const answer = await service.call('POST', '/v2/auth/tokens', { token, form });
    expectRefusal(answer, 400, 'validation_failed', 'expires_in_days');
  });

  it('needs a name', async () => {
    const { token } = await service.signUp();
    for (const name of [undefined, '', '   ', 'x'.repeat(101)]) {
      const answer = await service.call('POST', '/v2/auth/tokens', { token, form: { name } });
      expectRefusal(answer, 400, 'validation_failed', 'name');
    }
  });

  it('is listed without its secret, newest first, page by page', async () => {
    const { token } = await service.signUp();
    for (const name of ['a', 'b']) {
      await service.call('POST', '/v2/auth/tokens', { token, form: { name } });
    }
    const list = (query: string) => service.call('GET', `/v2/auth/tokens${query}`, { token });
    const whole = await list('');
    expect(whole.body.tokens.map(({ name }: { name: string }) => name)).toEqual(['b', 'a', 'sign-up']);
    expect(whole.body.next_cursor).toBeNull();
    expect(Object.keys(whole.body.tokens[0]).sort()).toEqual([
      'created_at',
      'expires_at',
      'id',
      'last_used_at',
      'name',
    ]);
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
  it('answers user, workspace and role', async () => {
    const user = await service.signUp();
    const { status, body } = await me(user.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: true,
      user: { id: user.id, email: user.email, name: null },
      workspace: { id: expect.any(Number), plan: 'free', is_team: false },
      role: 'owner',
    });
  });

  it('answers the team for every token of its members, and its credits', async () => {
    const [owner, member] = [await service.signUp(), await service.signUp()];
    const team = await openTeam(owner, member);
    const another = await logIn(member);
    for (const token of [member.token, another.body.token]) {
      expect((await me(token)).body).toMatchObject({
        user: { id: member.id },
        workspace: { id: team, plan: 'enterprise', is_team: true },
        role: 'admin',
      });
    }
    const { body } = await service.call('GET', '/v2/credits', { token: member.token });
    expect(body).toEqual({
      status: true,
      credits: { purchased: 20_000, used: 0, available: 20_000 },
      subscription: 'enterprise',
    });
  });
});

describe('credits', () => {
  it('are those of the plan at first, without a subscription on free', async () => {
    const { token } = await service.signUp();
    expect((await service.call('GET', '/v2/credits', { token })).body).toEqual({
      status: true,
      credits: { purchased: 100, used: 0, available: 100 },
      subscription: null,
    });
  });
});

async function openTeam(owner: TestUser, admin: TestUser): Promise<number> {
  const teams = new PostgresTeams(service.database.database);
  const now = new Date();
  const workspaceId = await teams.open({ ownerUserId: owner.id, plan: 'enterprise', openedAt: now });
  await teams.join({ workspaceId, userId: admin.id, role: 'admin', addedBy: owner.id, joinedAt: now });
  return workspaceId;
}
