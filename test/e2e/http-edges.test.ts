import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { CreateToken } from '#identity';
import { ERROR_CODES, systemClock } from '#kernel';
import { PostgresAccounts, PostgresIdempotencyKeys, PostgresTeams, PostgresTokens } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/tokens';
import { someone } from '#testing/identity';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type ProbeApi, startProbeApi } from '../support/probe-api.ts';

let db: TestDatabase;
let api: ProbeApi;
let token: string;
let memberToken: string;
const others: ProbeApi[] = [];

beforeAll(async () => {
  db = await createDatabase({ poolSize: 20 });
  api = await startProbeApi(db);
  const [owner, member] = [await newUser(), await newUser()];
  token = owner.token;
  memberToken = member.token;
  const teams = new PostgresTeams(db.database);
  const now = new Date();
  const workspaceId = await teams.open({ ownerUserId: owner.id, plan: 'enterprise', openedAt: now });
  await teams.join({ workspaceId, userId: member.id, role: 'member', addedBy: owner.id, joinedAt: now });
});

afterEach(async () => {
  for (const other of others.splice(0)) await other.app.close();
});

afterAll(async () => {
  await api?.app.close();
  await db?.drop();
});

async function newUser(): Promise<{ id: number; token: string }> {
  const { user } = await new PostgresAccounts(db.database).open(someone());
  return { id: user.id, token: await newToken(user.id) };
}

async function newToken(userId: number): Promise<string> {
  const createToken = new CreateToken(new PostgresTokens(db.database), new RandomTokenSecrets(), systemClock);
  return (await createToken.run({ userId, name: 'test', expiresInDays: null })).secret;
}

async function another(env: Readonly<Record<string, string>>): Promise<ProbeApi> {
  const started = await startProbeApi(db, env);
  others.push(started);
  return started;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

async function call(
  method: string,
  path: string,
  init: RequestInit = {},
  on: ProbeApi = api,
): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(on.url + path, { ...init, method, headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

function json(fields: object, headers: Record<string, string> = {}): RequestInit {
  return { body: JSON.stringify(fields), headers: { 'content-type': 'application/json', ...headers } };
}

/** What `fetch` would tidy up on its way out is sent as it is. */
function rawCall(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(api.url);
    const request = rawRequest({ hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: new Headers(response.headers as Record<string, string>),
          body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('a caller', () => {
  it.each([
    ['no header', ''],
    ['another scheme', 'Basic YTpi'],
    ['a scheme alone', 'Bearer'],
    ['an unknown token', `Bearer x12_${'a'.repeat(43)}`],
    ['a malformed token', 'Bearer x12_short'],
    ['two tokens', 'Bearer a b'],
  ])('with %s is told to authenticate', async (_, authorization) => {
    const { status, headers, body } = await call('GET', '/v2/things', { headers: { authorization } });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(body).toEqual({
      status: false,
      code: 'unauthenticated',
      message: 'send a valid API token as `Authorization: Bearer <token>`',
      errors: { auth: ['send a valid API token as `Authorization: Bearer <token>`'] },
      request_id: headers.get('x-request-id'),
    });
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('may write the scheme as %s', async (scheme) => {
    expect(
      (await call('GET', '/v2/things', { headers: { authorization: `${scheme} ${token}` } })).status,
    ).toBe(200);
  });

  it('is a stranger again once the token is revoked', async () => {
    const { id, token: gone } = await newUser();
    const headers = { authorization: `Bearer ${gone}` };
    expect((await call('GET', '/v2/things', { headers })).status).toBe(200);
    await db.database.query('delete from api_tokens where user_id = $1', [id]);
    expect((await call('GET', '/v2/things', { headers })).status).toBe(401);
  });

  it('is authenticated before anything is said about the body', async () => {
    const init = { body: '{broken', headers: { authorization: '', 'content-type': 'application/json' } };
    expect((await call('POST', '/v2/things', init)).status).toBe(401);
  });

  it.each([
    '/V2/THINGS/1',
    '/v2/things/1/',
    '/v2/things/%31',
    '/v2/things/1?x=/health/live',
    '/v2/things/1;health',
    '/v2/things/..%2f..%2fhealth%2flive',
    '/v2/things/%00',
  ])('can not get around it by writing the path as %s', async (path) => {
    expect((await rawCall('GET', path)).status).toBe(401);
    expect((await rawCall('HEAD', path)).status).toBe(401);
  });

  it.each(['//v2//things', '/v2/../v2/things', '/v2/%2e%2e/v2/things', '/v2/things%2f1', '/v3', '/'])(
    'finds nothing at %s',
    async (path) => {
      const { status, body } = await rawCall('GET', path, { authorization: `Bearer ${token}` });
      expect(status).toBe(404);
      expect(body).toMatchObject({ status: false, code: 'not_found', message: 'no such endpoint' });
    },
  );

  it.each(['0', '-1', '1.0', 'abc', '%00', '%2e%2e%2f', '9007199254740993', '1e3', '%ED%95%9C'])(
    'with the path id %s is told that it is none',
    async (id) => {
      const { status, body } = await call('GET', `/v2/things/${id}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'validation_failed',
        errors: { id: ['must be a positive integer'] },
      });
    },
  );

  it('with a path that can not be decoded is told that it is malformed', async () => {
    const { status, body } = await rawCall('GET', '/v2/things/%zz', { authorization: `Bearer ${token}` });
    expect(status).toBe(400);
    expect(body.code).toBe('validation_failed');
  });

  it('who uses a method that a path has not finds nothing', async () => {
    expect(await call('PATCH', '/v2/things/1')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await call('POST', '/v2/open/free')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('the order of checks', () => {
  const asMember = (): Record<string, string> => ({ authorization: `Bearer ${memberToken}` });

  it('is existence, then role, then fields', async () => {
    const bad = { name: '' };
    expect((await call('PUT', '/v2/things/100', json(bad, asMember()))).status).toBe(404);
    expect((await call('PUT', '/v2/things/99', json(bad, asMember()))).status).toBe(403);
    expect((await call('PUT', '/v2/things/100', json(bad))).status).toBe(404);
    expect((await call('PUT', '/v2/things/99', json(bad))).status).toBe(400);
    expect((await call('PUT', '/v2/things/99', json({ name: 'ok' }))).status).toBe(200);
    const broken = { body: '{', headers: { 'content-type': 'application/json' } };
    expect((await call('PUT', '/v2/things/100', broken)).status).toBe(404);
    expect((await call('PUT', '/v2/things/99', broken)).status).toBe(400);
    expect((await call('PUT', '/v2/things/0', json(bad))).status).toBe(400);
  });

  it('answers too low a role with who may', async () => {
    const { body } = await call('PUT', '/v2/things/1', json({ name: 'x' }, asMember()));
    expect(body).toMatchObject({ code: 'forbidden', message: 'only owner and admin may do this' });
  });
});

describe('a form', () => {
  const record = { name: 'Lamp 💡', slot: '3', parent_id: 'null', lit: 'true', other: 'x' };
  const form = { name: 'Lamp 💡', slot: 3, parent_id: null, lit: true };

  it('means the same in each of the three body types', async () => {
    const multipart = new FormData();
    for (const [name, value] of Object.entries(record)) multipart.append(name, value);
    for (const init of [{ body: multipart }, { body: new URLSearchParams(record) }, json(record)]) {
      const { status, body } = await call('POST', '/v2/things', init);
      expect(status).toBe(201);
      expect(body).toMatchObject({ status: true, form, raw: record });
    }
    const { body } = await call(
      'POST',
      '/v2/things',
      json({ name: 'Lamp 💡', slot: 3, parent_id: null, lit: true }),
    );
    expect(body).toMatchObject({ form });
  });

  it('without a body is empty', async () => {
    for (const init of [
      {},
      { body: '' },
      json({}),
      { body: '', headers: { 'content-type': 'application/json' } },
    ]) {
      const { status, body } = await call('POST', '/v2/things', init);
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: { name: ['is required'] } });
    }
  });

  it('that breaks rules is refused with the exact body of errors', async () => {
    const { status, headers, body } = await call('POST', '/v2/things', json({ name: 'x', slot: '8' }));
    expect(status).toBe(400);
    expect(body).toEqual({
      status: false,
      code: 'validation_failed',
      message: 'slot must be an integer from 1 to 7',
      errors: { slot: ['must be an integer from 1 to 7'] },
      request_id: headers.get('x-request-id'),
    });
    expect(Object.keys(body)).toEqual(['status', 'code', 'message', 'errors', 'request_id']);
  });

  it('of another type is refused, and so is one that is compressed', async () => {
    const text = { body: 'name=x', headers: { 'content-type': 'text/plain' } };
    expect(await call('POST', '/v2/things', text)).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
    expect(
      (await call('POST', '/v2/things', json({ name: 'x' }, { 'content-encoding': 'gzip' }))).status,
    ).toBe(415);
  });

  it('may be as large as allowed, and no larger', async () => {
    const small = await another({ MAX_BODY_BYTES: '65536' });
    const bodyOf = (bytes: number): string => JSON.stringify({ name: 'x', pad: 'y'.repeat(bytes - 21) });
    expect(bodyOf(65_536)).toHaveLength(65_536);
    const init = (bytes: number): RequestInit => ({
      body: bodyOf(bytes),
      headers: { 'content-type': 'application/json' },
    });
    expect((await call('POST', '/v2/things', init(65_536), small)).status).toBe(201);
    expect(await call('POST', '/v2/things', init(65_537), small)).toMatchObject({
      status: 413,
      body: { code: 'too_large', message: 'the body must have at most 65536 bytes' },
    });
  });

  it('that is too large and tells no length is refused before it ends', async () => {
    const chunk = Buffer.alloc(65_536, 'x');
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += chunk.length;
        if (sent > 64 * 1024 * 1024) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const headers = { 'content-type': 'application/json' };
    const init = { body: endless, headers, duplex: 'half' } as RequestInit;
    expect((await call('POST', '/v2/things', init)).status).toBe(413);
    expect((await call('GET', '/v2/things')).status).toBe(200);
  });

  it('that breaks off leaves the service as it was', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /v2/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await call('GET', '/v2/things')).status).toBe(200);
  });

  it('is not read on routes that take bytes', async () => {
    const init = { body: 'x'.repeat(2_000_000), headers: { 'content-type': 'multipart/form-data' } };
    const response = await fetch(`${api.url}/v2/open/bytes/a`, { ...init, method: 'PUT' });
    expect(await response.text()).toBe('2000000');
  });
});

describe('a query string', () => {
  it('is read like a form', async () => {
    expect(await call('GET', '/v2/things/search?q=a%20b+c&x=1')).toMatchObject({
      status: 200,
      body: { status: true, query: { q: 'a b c' } },
    });
    for (const query of ['', '?q=', '?q=1&q=2', '?q=%00', '?q=%ff', '?q=%zz', '?q[]=1']) {
      expect(await call('GET', `/v2/things/search${query}`)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      });
    }
  });

  it('asks for a page of a list', async () => {
    const page = async (path: string): Promise<unknown> => (await call('GET', `/v2/things${path}`)).body.page;
    expect(await page('')).toEqual({ limit: 50, after: null });
    expect(await page('?limit=200')).toEqual({ limit: 200, after: null });
    expect(await page('/whole')).toEqual({ limit: null, after: null });
    expect(await page('/whole?limit=1')).toEqual({ limit: 1, after: null });
    const { body } = await call('GET', '/v2/things?limit=7');
    expect(await page(`/whole?cursor=${String(body.next_cursor)}`)).toEqual({ limit: 50, after: 7 });
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=7', 'cursor=', 'cursor=%00']) {
      expect((await call('GET', `/v2/things?${query}`)).status).toBe(400);
    }
  });
});

describe('an answer', () => {
  it('begins with its status and has times as ISO 8601', async () => {
    const response = await fetch(`${api.url}/v2/things/5`, { headers: { authorization: `Bearer ${token}` } });
    expect(await response.text()).toBe(
      '{"status":true,"thing":{"id":5,"parent_id":null,"created_at":"1970-01-01T00:00:00.000Z"},"before":null}',
    );
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('passes JSON of the database through as it is', async () => {
    const response = await fetch(`${api.url}/v2/things/json`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.text()).toBe('{"status":true,"a" : [1, null], "b" : "\\u00fc"}');
  });

  it('may be a stream of events', async () => {
    const response = await fetch(`${api.url}/v2/things/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toBe('event: state\ndata: {}\n\nevent: done\ndata: {}\n\n');
  });

  it('to HEAD is that to GET without the body', async () => {
    const { status, headers, body } = await call('HEAD', '/v2/things/5');
    expect(status).toBe(200);
    expect(body).toEqual({});
    expect(Number(headers.get('content-length'))).toBeGreaterThan(50);
  });

  it('says little about the service, and keeps browsers from guessing', async () => {
    const { headers } = await call('GET', '/v2/things');
    expect(headers.get('x-powered-by')).toBe(null);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('may be read by pages of any origin, which may also ask with a token', async () => {
    const { headers } = await call('GET', '/v2/things', { headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    const preflight = await fetch(`${api.url}/v2/things/1`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('idempotency-key');
  });

  it('carries the request id that the client sent, where it is fit, and else a new one', async () => {
    const idOf = async (given: string): Promise<string> => {
      const { headers, body } = await call('GET', '/v2/nothing', { headers: { 'x-request-id': given } });
      expect(body.request_id).toBe(headers.get('x-request-id'));
      return String(body.request_id);
    };
    expect(await idOf('abc-DEF_123')).toBe('abc-DEF_123');
    expect(await idOf('a'.repeat(128))).toBe('a'.repeat(128));
    const made = await Promise.all(['', 'a'.repeat(129), 'a b', 'a"b'].map(idOf));
    expect(new Set(made).size).toBe(4);
    for (const id of made) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('an error', () => {
  const statuses: Record<string, number> = {
    validation_failed: 400,
    unauthenticated: 401,
    insufficient_credits: 402,
    plan_required: 403,
    not_found: 404,
    slot_empty: 409,
    file_expired: 410,
    too_large: 413,
    unsupported_file_type: 415,
    idempotency_key_reused: 422,
    rate_limited: 429,
    internal_error: 500,
    unavailable: 503,
  };
  it.each(Object.entries(statuses))('%s has the status %d', async (code, status) => {
    const answer = await call('GET', `/v2/things/errors/${code}`);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status: false, code, message: 'a sentence' });
    expect(answer.body.insert_coin).toBe(code === 'insufficient_credits' ? true : undefined);
  });

  it('that we did not foresee tells nothing of itself', async () => {
    const { status, headers, body } = await call('GET', '/v2/things/broken');
    expect(status).toBe(500);
    expect(body).toEqual({
      status: false,
      code: 'internal_error',
      message: 'something went wrong on our side',
      request_id: headers.get('x-request-id'),
    });
  });
});

describe('a request with an Idempotency-Key', () => {
  const effects = async (name: string): Promise<number> =>
    (await db.database.query('select 1 from users where name = $1', [name])).length;
  const post = (name: string, key: string, headers: Record<string, string> = {}): Promise<Answer> =>
    call('POST', '/v2/things/effects', json({ name }, { 'idempotency-key': key, ...headers }));

  it('has its effect once, and the same answer each time', async () => {
    const first = await post('once', 'key-once');
    const again = await post('once', 'key-once');
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBe(null);
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await effects('once')).toBe(1);
  });

  it('has one effect when twenty come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('race', 'key-race')));
    expect(await effects('race')).toBe(1);
    const fresh = answers.filter(
      ({ status, headers }) => status === 201 && !headers.has('idempotent-replayed'),
    );
    expect(fresh).toHaveLength(1);
    for (const { status, body, headers } of answers) {
      if (status === 201) expect(body).toEqual(fresh[0]!.body);
      else {
        expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
        expect(headers.get('retry-after')).toBe('1');
      }
    }
  });

  it('is refused with the same key for another body or path, and does nothing', async () => {
    await post('mine', 'key-reused');
    expect(await post('other', 'key-reused')).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    const elsewhere = await call(
      'POST',
      '/v2/things',
      json({ name: 'mine' }, { 'idempotency-key': 'key-reused' }),
    );
    expect(elsewhere.status).toBe(422);
    expect(await effects('other')).toBe(0);
  });

  it('is the same request in another body type', async () => {
    const first = await post('types', 'key-types');
    const again = await call('POST', '/v2/things/effects', {
      body: new URLSearchParams({ name: 'types' }),
      headers: { 'idempotency-key': 'key-types' },
    });
    expect(again.body).toEqual(first.body);
    expect(await effects('types')).toBe(1);
  });

  it('is another request from another caller', async () => {
    await post('callers', 'key-callers');
    const other = await post('callers', 'key-callers', { authorization: `Bearer ${memberToken}` });
    expect(other.headers.get('idempotent-replayed')).toBe(null);
    expect(await effects('callers')).toBe(2);
  });

  it('never runs again with another token of the same user', async () => {
    const { id, token: one } = await newUser();
    await post('tokens', 'key-tokens', { authorization: `Bearer ${one}` });
    const other = await post('tokens', 'key-tokens', { authorization: `Bearer ${await newToken(id)}` });
    expect(other.status).toBe(422);
    expect(await effects('tokens')).toBe(1);
  });

  it('is answered with the same refusal when the use case decided against it, which had no effect', async () => {
    const first = await post('conflict', 'key-conflict');
    const again = await post('conflict', 'key-conflict');
    expect(first.status).toBe(409);
    expect(again.status).toBe(409);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await effects('conflict')).toBe(0);
  });

  it('is tried anew when it failed through our fault or was not valid', async () => {
    expect((await post('broken', 'key-broken')).status).toBe(500);
    expect(await effects('broken')).toBe(0);
    expect((await post('mended', 'key-broken')).status).toBe(201);
    expect((await post('', 'key-invalid')).status).toBe(400);
    expect((await post('valid', 'key-invalid')).status).toBe(201);
  });

  it('is undone when another answer was kept in the very moment it looked for one', async () => {
    const first = await post('moment', 'key-moment');
    jest.spyOn(api.app.get(PostgresIdempotencyKeys), 'take').mockResolvedValueOnce(null);
    const again = await post('moment', 'key-moment');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await effects('moment')).toBe(1);
  });

  it('leaves neither effect nor answer when the connection to the database breaks in between', async () => {
    const pending = post('crash', 'key-crash');
    await new Promise((resolve) => setTimeout(resolve, 25));
    await db.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    );
    expect((await pending).status).toBeGreaterThanOrEqual(500);
    expect(await effects('crash')).toBe(0);
    const retried = await post('crash', 'key-crash');
    expect(retried.status).toBe(201);
    expect(retried.headers.get('idempotent-replayed')).toBe(null);
    expect(await effects('crash')).toBe(1);
  });

  it.each(['', 'two words', 'ünï', 'k'.repeat(256)])('must have a key of visible ASCII (%s)', async (key) => {
    const answer = await rawCall(
      'POST',
      '/v2/things/effects',
      { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      '{"name":"key"}',
    );
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'validation_failed' });
    expect(await effects('key')).toBe(0);
  });

  it('may have a key of 255 characters', async () => {
    expect((await post('long', 'k'.repeat(255))).status).toBe(201);
  });

  it('leaves nothing readable in the database', async () => {
    await post('hidden', 'key-hidden');
    const rows = await db.database.query<{ row: string }>(
      'select k::text as row, answer from idempotency_keys k',
    );
    const stored = rows
      .map((row) => JSON.stringify(row) + Buffer.from(JSON.stringify(row)).toString('latin1'))
      .join();
    expect(stored).not.toMatch(/shown-once|key-hidden|hidden/);
  });

  it('is forgotten after its time, and swept away', async () => {
    const first = await post('later', 'key-later');
    await db.database.query(`update idempotency_keys set created_at = now() - interval '25 hours'`);
    const later = await post('later', 'key-later');
    expect(later.headers.get('idempotent-replayed')).toBe(null);
    expect(first.status).toBe(later.status);
    expect(await effects('later')).toBe(2);
    const keys = new PostgresIdempotencyKeys(db.database);
    const yesterday = new Date(Date.now() - 86_400_000);
    expect(await keys.forget(yesterday)).toBeGreaterThan(0);
    const left = await db.database.query('select 1 from idempotency_keys');
    expect(left).toHaveLength(1);
  });

  it('is kept for callers without a token too, each by what they send', async () => {
    const login = (password: string): Promise<Answer> =>
      call(
        'POST',
        '/v2/open/login',
        json({ email: 'a@b.c', password }, { 'idempotency-key': 'k', authorization: '' }),
      );
    const first = await login('right');
    expect((await login('right')).body).toEqual(first.body);
    expect((await login('wrong')).status).toBe(422);
  });
});

describe('the rate limit', () => {
  it('allows each token so many requests a minute, over all processes together', async () => {
    const [one, two] = [
      await another({ RATE_LIMIT_PER_MINUTE: '40' }),
      await another({ RATE_LIMIT_PER_MINUTE: '40' }),
    ];
    const { token: mine } = await newUser();
    const headers = { authorization: `Bearer ${mine}` };
    const first = await call('GET', '/v2/things', { headers }, one);
    expect(first.headers.get('ratelimit-limit')).toBe('40');
    expect(first.headers.get('ratelimit-remaining')).toBe('39');
    expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(55);
    expect(first.headers.get('ratelimit-policy')).toBe('"token";q=40;w=60');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => call('GET', '/v2/things', { headers }, i % 2 ? one : two)),
    );
    const allowed = answers.filter(({ status }) => status === 200).length + 1;
    expect(allowed).toBeLessThanOrEqual(40);
    expect(allowed).toBeGreaterThanOrEqual(36);
    const refused = await call('GET', '/v2/things', { headers }, one);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect((await call('GET', '/v2/things', {}, one)).status).toBe(200);
  });

  it('holds for an address where there is no token, and whatever tokens are guessed', async () => {
    const limited = await another({ RATE_LIMIT_PER_MINUTE: '20', TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string): Record<string, string> => ({
      'x-forwarded-for': address,
      authorization: '',
    });
    const guess = (i: number, address: string): Promise<Answer> => {
      const authorization = `Bearer x12_${String(i).padStart(43, 'a')}`;
      return call('GET', '/v2/things', { headers: { ...from(address), authorization } }, limited);
    };
    for (let i = 0; i < 20; i++) expect((await guess(i, '203.0.113.1')).status).toBe(401);
    expect((await guess(21, '203.0.113.1')).status).toBe(429);
    const login = { ...json({ email: 'x', password: 'right' }, from('203.0.113.1')) };
    expect((await call('POST', '/v2/open/login', login, limited)).status).toBe(429);
    expect((await guess(22, '203.0.113.2')).status).toBe(401);
    const known = { headers: { 'x-forwarded-for': '203.0.113.1' } };
    expect((await call('GET', '/v2/things', known, limited)).status).toBe(200);
  });

  it('does not count what is marked so', async () => {
    const limited = await another({ RATE_LIMIT_PER_MINUTE: '1' });
    for (let i = 0; i < 5; i++) {
      expect((await call('GET', '/v2/open/free', { headers: { authorization: '' } }, limited)).status).toBe(
        200,
      );
      expect((await call('GET', '/health/live', { headers: { authorization: '' } }, limited)).status).toBe(
        200,
      );
    }
  });

  it('slows down guessing by address and by what is guessed, and lets those through who know', async () => {
    const limited = await another({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '1000' });
    const login = async (email: string, password: string, address: string): Promise<number> => {
      const headers = { authorization: '', 'x-forwarded-for': address };
      return (await call('POST', '/v2/open/login', json({ email, password }, headers), limited)).status;
    };
    for (let i = 0; i < 12; i++) expect(await login('ann@x.y', 'right', '198.51.100.1')).toBe(200);
    for (let i = 0; i < 3; i++) expect(await login('bob@x.y', 'wrong', `198.51.100.${10 + i}`)).toBe(401);
    expect(await login(' BOB@x.y', 'right', '198.51.100.20')).toBe(429);
    for (let i = 0; i < 8; i++) expect(await login(`c${i}@x.y`, 'wrong', '198.51.100.30')).toBe(401);
    expect(await login('ann@x.y', 'right', '198.51.100.30')).toBe(429);
    expect(await login('ann@x.y', 'right', '198.51.100.1')).toBe(200);
  });

  it('of 0 limits nothing and says nothing', async () => {
    const { headers } = await call('GET', '/v2/things');
    expect(headers.has('ratelimit-limit')).toBe(false);
  });

  it('lets requests through when they can not be counted', async () => {
    const limited = await another({ RATE_LIMIT_PER_MINUTE: '1' });
    await db.database.query('alter table rate_limits rename to rate_limits_gone');
    try {
      for (let i = 0; i < 3; i++) expect((await call('GET', '/v2/things', {}, limited)).status).toBe(200);
    } finally {
      await db.database.query('alter table rate_limits_gone rename to rate_limits');
    }
  });
});

describe('the documentation', () => {
  interface Operation {
    readonly responses: Record<string, object>;
    readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
    readonly requestBody?: { readonly content: object; readonly required: boolean };
    readonly security: readonly object[];
  }
  interface Document {
    readonly openapi: string;
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { readonly schemas: Record<string, { properties: Record<string, object> }> };
  }
  const read = async (): Promise<Document> =>
    (await (await fetch(`${api.url}/openapi.json`)).json()) as Document;

  it('is valid OpenAPI 3.1 whose every reference leads somewhere', async () => {
    const document = await read();
    const { valid, errors } = await new Validator().validate(document as never);
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(document.openapi).toBe('3.1.0');
    for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = reference!
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
      expect([reference, target]).not.toEqual([reference, undefined]);
    }
  });

  it('tells of a call what it takes, what it answers and how it can fail', async () => {
    const { paths, components } = await read();
    const create = paths['/v2/things']!.post!;
    expect(Object.keys(create.requestBody!.content)).toEqual([
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'application/json',
    ]);
    expect(create.requestBody!.required).toBe(true);
    expect(create.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key']);
    expect(Object.keys(create.responses)).toEqual([
      '201',
      '400',
      '401',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(paths['/v2/things/{id}']!.put!.responses)).toContain('403');
    expect(paths['/v2/things/{id}']!.get!.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
    ]);
    expect(components.schemas.ThingForm).toEqual({
      type: 'object',
      required: ['name'],
      properties: {
        name: {
          type: 'string',
          description: 'Name of the thing.',
          minLength: 1,
          maxLength: 20,
          examples: ['Lamp'],
        },
        slot: { type: 'integer', description: 'Its place.', minimum: 1, maximum: 7, examples: [3] },
        parent_id: {
          type: ['integer', 'null'],
          description: 'What it hangs on.',
          minimum: 1,
          examples: [null],
        },
        lit: { type: 'boolean', description: 'Whether it is lit.', examples: [true] },
      },
    });
    expect(components.schemas.ThingAnswer!.properties.before).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/ThingView' }, { type: 'null' }],
    });
    expect(paths['/v2/things']!.get!.parameters.map(({ name }) => name)).toEqual(['limit', 'cursor']);
    expect(paths['/v2/open/login']!.post!.security).toEqual([]);
    expect(paths['/v2/open/bytes/{key}']).toBeUndefined();
    expect(paths['/open/login']).toBeUndefined();
    expect(JSON.stringify(components.schemas.Error)).toContain(ERROR_CODES.join('","'));
  });

  it('is a page that gets everything it needs from here', async () => {
    const page = await fetch(`${api.url}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const html = await page.text();
    const sources = [...html.matchAll(/(?:src|href)=["']([^"']+)["']/g)].map(([, source]) => source!);
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      const { status, url } = await fetch(new URL(source, `${api.url}/docs`));
      expect([url.startsWith(api.url), status]).toEqual([true, 200]);
    }
    expect(html).not.toMatch(/<script>/);
  });
});

describe('what watches the service', () => {
  const open = { headers: { authorization: '' } };

  it('sees that it lives and is ready, and what it depends on', async () => {
    expect(await call('GET', '/health/live', open)).toMatchObject({ status: 200, body: { status: true } });
    const { status, body } = await call('GET', '/health/ready', open);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: true,
      checks: [{ name: 'database', state: 'up', latency_ms: expect.any(Number) as unknown }],
    });
  });

  it('sees which dependency is down', async () => {
    const broken = await another({});
    const { HealthChecks } = await import('../../apps/api/src/health/health-checks.ts');
    const checks = broken.app.get(HealthChecks);
    checks.register('queue', () => Promise.reject(new Error('at 10.0.0.1')));
    checks.register('storage', () => new Promise(() => undefined));
    const { status, headers, body } = await call('GET', '/health/ready', open, broken);
    expect(status).toBe(503);
    expect(body).toMatchObject({
      status: false,
      code: 'unavailable',
      message: 'queue and storage can not be reached',
      request_id: headers.get('x-request-id'),
    });
    expect((body.checks as { state: string }[]).map(({ state }) => state)).toEqual(['up', 'down', 'down']);
  });

  it('reads durations by route and status, never by path', async () => {
    await call('GET', '/v2/things/1234567');
    await call('GET', '/v2/nowhere/1234567');
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/v2\/things\/:id",status="200"\}/,
    );
    expect(metrics).toMatch(/http_request_duration_seconds_count\{method="GET",route="none",status="404"\}/);
    expect(metrics).toContain('process_resident_memory_bytes');
    expect(metrics).not.toContain('1234567');
  });

  it('finds the metrics on a port of their own where one is set, and there only', async () => {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const apart = await another({ METRICS_PORT: String(port) });
    expect((await call('GET', '/metrics', open, apart)).status).toBe(404);
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('process_resident_memory_bytes');
    expect((await fetch(`http://127.0.0.1:${port}/v2/things`)).status).toBe(404);
  });
});
