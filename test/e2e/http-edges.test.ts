import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { text as allOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Tokens } from '#identity';
import { ERROR_CODES, systemClock } from '#kernel';
import { freePort } from '#process';
import { PostgresAccounts, PostgresIdempotencyKeys, PostgresTeams, PostgresTokens } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { someone } from '#testing/identity';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../apps/api/src/http/connections.ts';
import { HealthChecks } from '../../apps/api/src/health/health-checks.ts';
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
  const tokens = new Tokens(new PostgresTokens(db.database), new RandomTokenSecrets(), systemClock);
  return (await tokens.create({ userId, name: 'test', expiresInDays: null, kind: 'api', parent: null })).secret;
}

async function another(env: Readonly<Record<string, string>>, limits?: ConnectionLimits): Promise<ProbeApi> {
  const started = await startProbeApi(db, env, undefined, limits);
  others.push(started);
  return started;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

interface Sent {
  /** The token, or '' for none. */
  readonly as?: string;
  readonly headers?: Record<string, string>;
  readonly json?: object;
  readonly body?: RequestInit['body'];
  readonly on?: ProbeApi;
}

async function call(method: string, path: string, sent: Sent = {}): Promise<Reply> {
  const { as = token, json, on = api, body = json && JSON.stringify(json) } = sent;
  const headers = {
    authorization: as && `Bearer ${as}`,
    ...(json ? { 'content-type': 'application/json' } : {}),
    ...sent.headers,
  };
  const response = await fetch(on.url + path, { method, headers, body, duplex: 'half' } as RequestInit);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

const get = (path: string, sent?: Sent): Promise<Reply> => call('GET', path, sent);
const post = (path: string, json: object, sent?: Sent): Promise<Reply> => call('POST', path, { json, ...sent });

async function textOf(path: string): Promise<{ text: string; headers: Headers }> {
  const response = await fetch(api.url + path, { headers: { authorization: `Bearer ${token}` } });
  return { text: await response.text(), headers: response.headers };
}

const bearer = () => ({ authorization: `Bearer ${token}` });

/** Sends exactly this path and these headers, which `fetch` would normalize. */
function rawCall(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
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

interface Exchange {
  readonly status: number;
  readonly headers: string;
  readonly body: Record<string, unknown>;
  /** Until the server had closed the connection. */
  readonly ms: number;
}

/** Sends the text, then `drip` every 50 ms until the server closes the connection. */
async function exchange(on: ProbeApi, text: string, drip = ''): Promise<Exchange> {
  const { hostname, port } = new URL(on.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const startedAt = Date.now();
  let received = '';
  socket.on('data', (data) => (received += String(data))).on('error', () => undefined);
  socket.write(text);
  const dripping = setInterval(() => drip && socket.write(drip), 50);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(dripping);
  const [headers = '', body = ''] = received.split('\r\n\r\n');
  const ms = Date.now() - startedAt;
  return { status: Number(headers.split(' ')[1]), headers, body: body === '' ? {} : JSON.parse(body), ms };
}

describe('a connection', () => {
  const limits = {
    headersMs: 500,
    bodyMs: 2000,
    progressMs: 500,
    minBytes: 100,
    lingerMs: 500,
    lingerBytes: 100_000,
    idleMs: 1500,
  };
  const host = 'HTTP/1.1\r\nHost: a\r\n';
  const long = 'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n';
  const short = long.replace('1000000', '16000');
  const withToken = () => `${host}Authorization: Bearer ${token}\r\n${long}`;
  let on: ProbeApi;

  beforeEach(async () => {
    on = await another({}, limits);
  });

  it.each([
    ['two Host headers', `GET /health/live ${host}Host: b\r\n\r\n`, '', 400, 'validation_failed'],
    ['no Host header', 'GET /health/live HTTP/1.1\r\n\r\n', '', 400, 'validation_failed'],
    ['headers that are too large', `GET / ${host}X-Pad: ${'x'.repeat(200_000)}\r\n\r\n`, '', 431, 'headers_too_large'],
    ['headers that never end', `GET / ${host}`, 'X: y\r\n', 408, 'request_timeout'],
    ['what is no HTTP', 'good day\r\n\r\n', '', 400, 'validation_failed'],
    [
      'a chunk that is none',
      `POST /v2/open/login ${host}Transfer-Encoding: chunked\r\n\r\nx`,
      '',
      400,
      'validation_failed',
    ],
  ])('with %s is refused with the one error body, and closed', async (_, text, drip, status, code) => {
    const reply = await exchange(on, text, drip);
    const request_id = /X-Request-Id: (\S+)/i.exec(reply.headers)?.[1];
    expect(reply).toMatchObject({ status, body: { status: false, code, message: expect.any(String), request_id } });
    expect(reply.headers).toMatch(/^Connection: close$/im);
    expect(reply.ms).toBeLessThan(2000);
  });

  it('is closed soon after an early response, if the rest of the body drips', async () => {
    const replies = await Promise.all([
      exchange(on, `POST /v2/nowhere ${host}${long}`, 'x'),
      exchange(on, `POST /v2/things ${host}${long}`, 'x'),
      exchange(on, `DELETE /v2/things/5 ${withToken()}`, 'x'),
      exchange(on, `POST /v2/things ${withToken().replace('1000000', '9999999')}`, 'x'),
      exchange(on, `POST /v2/nowhere ${host}${long}`, 'x'.repeat(50_000)),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 401, 200, 413, 404]);
    for (const { ms } of replies) expect(ms).toBeLessThan(1500);
    expect(replies.at(-1)!.ms).toBeLessThan(replies[0]!.ms);
  });

  it('is closed if the body comes too slowly, or takes too long', async () => {
    const login = `POST /v2/open/login ${host}${short}`;
    const upload = `PUT /v2/open/bytes/a ${host}${long}`;
    const [drip, late, stalled] = await Promise.all([
      exchange(on, login, 'x'),
      exchange(on, login, 'x'.repeat(100)),
      exchange(on, upload, 'x'),
    ]);
    for (const { status, body } of [drip, late, stalled]) expect([status, body.code]).toEqual([408, 'request_timeout']);
    expect(drip.ms).toBeLessThan(1500);
    for (const { ms } of [late, stalled]) expect([ms > 1900, ms < 3500]).toEqual([true, true]);
  });

  it('of an upload stays as long as it makes progress', async () => {
    const size = 6000;
    const upload = `PUT /v2/open/bytes/a ${host}Connection: close\r\nContent-Length: ${size}\r\n\r\n`;
    const { status, body, ms } = await exchange(on, upload, 'x'.repeat(size / 60));
    expect([status, body, ms > 2500]).toEqual([200, size, true]);
  });

  it('may be idle for longer than headers may take, and is then closed', async () => {
    const { hostname, port } = new URL(on.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    let received = '';
    socket.on('data', (data) => (received += String(data)));
    const startedAt = Date.now();
    for (const idleMs of [1000, 0]) {
      socket.write(`GET /health/live ${host}\r\n`);
      await sleep(idleMs);
    }
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(Date.now() - startedAt).toBeGreaterThan(2400);
  });

  it('of the service may be idle for longer than clients and proxies keep it', async () => {
    expect((await get('/health/live')).headers.get('keep-alive')).toBe('timeout=65');
  });

  it('of the service ends within 30 seconds', () => {
    const { headersMs, bodyMs, progressMs, lingerMs } = CONNECTION_LIMITS;
    expect(Math.max(headersMs, bodyMs, progressMs + lingerMs)).toBeLessThanOrEqual(30_000);
  });
});

describe('authentication', () => {
  it.each(['', 'Basic YTpi', 'Bearer', `Bearer x12_${'a'.repeat(43)}`, 'Bearer x12_short', 'Bearer a b'])(
    'responds 401 without a token that is valid: "%s"',
    async (authorization) => {
      const { status, headers, body } = await get('/v2/things', { headers: { authorization } });
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      const message = 'send a valid API token as `Authorization: Bearer <token>`';
      const request_id = headers.get('x-request-id');
      expect(body).toEqual({
        status: false,
        code: 'unauthenticated',
        message,
        errors: { auth: [message] },
        request_id,
      });
    },
  );

  it.each(['bearer', 'BEARER'])('accepts the scheme written as %s', async (scheme) => {
    expect((await get('/v2/things', { headers: { authorization: `${scheme} ${token}` } })).status).toBe(200);
  });

  it('refuses a revoked token', async () => {
    const { id, token: revoked } = await newUser();
    expect((await get('/v2/things', { as: revoked })).status).toBe(200);
    await db.query('delete from api_tokens where user_id = $1', [id]);
    expect((await get('/v2/things', { as: revoked })).status).toBe(401);
  });

  it('comes before the body is looked at', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await call('POST', '/v2/things', { as: '', body: '{broken', headers })).status).toBe(401);
  });

  it('is not circumvented by another way of writing the path', async () => {
    const ids = ['1/', '%31', '1?x=/health/live', '1;health', '..%2f..%2fhealth%2flive', '%00'];
    for (const path of ['/V2/THINGS/1', ...ids.map((id) => `/v2/things/${id}`)]) {
      expect([path, (await rawCall('GET', path)).status]).toEqual([path, 401]);
      expect([path, (await rawCall('HEAD', path)).status]).toEqual([path, 401]);
    }
  });
});

describe('a path', () => {
  const noEndpoint = { status: false, code: 'not_found', message: 'no such endpoint' };
  const invalidId = { code: 'validation_failed', errors: { id: ['must be a positive integer'] } };
  const ids = ['0', '-1', '1.0', 'abc', '%00', '%2e%2e%2f', '9007199254740993', '1e3', '%ED%95%9C'];
  it.each<[method: string, paths: readonly string[], what: string, status: number, body: object]>([
    ['GET', ['//v2//things', '/v2/../v2/things', '/v2/%2e%2e/v2/things'], 'without an endpoint', 404, noEndpoint],
    ['GET', ['/v2/things%2f1', '/v3', '/'], 'without an endpoint', 404, noEndpoint],
    ['GET', ids.map((id) => `/v2/things/${id}`), 'with a malformed id', 400, invalidId],
    ['GET', ['/v2/things/%zz'], 'that can not be decoded', 400, { code: 'validation_failed' }],
    ['PATCH', ['/v2/things/1'], 'with another method', 404, noEndpoint],
    ['POST', ['/v2/open/free'], 'with another method', 404, noEndpoint],
  ])('%s %j %s responds %d', async (method, paths, _, status, body) => {
    for (const path of paths) {
      expect([path, await rawCall(method, path, bearer())]).toMatchObject([path, { status, body }]);
    }
  });
});

describe('the order of checks', () => {
  it('is existence, then role, then fields', async () => {
    const put = async (id: number, sent: Sent): Promise<number> => (await call('PUT', `/v2/things/${id}`, sent)).status;
    const bad = { json: { name: '' } };
    const broken = { body: '{', headers: { 'content-type': 'application/json' } };
    expect(await put(100, { ...bad, as: memberToken })).toBe(404);
    expect(await put(99, { ...bad, as: memberToken })).toBe(403);
    for (const invalid of [bad, broken]) {
      expect(await put(100, invalid)).toBe(404);
      expect(await put(99, invalid)).toBe(400);
    }
    expect(await put(99, { json: { name: 'ok' } })).toBe(200);
    expect(await put(0, bad)).toBe(400);
    const { body } = await call('PUT', '/v2/things/1', { json: { name: 'x' }, as: memberToken });
    expect(body).toMatchObject({ code: 'forbidden', message: 'only owner and admin may do this' });
  });
});

describe('a request body', () => {
  const record = { name: 'Lamp 💡', slot: '3', parent_id: 'null', lit: 'true', other: 'x' };
  const fields = { name: 'Lamp 💡', slot: 3, parent_id: null, lit: true };

  it('has the same result in each of the three types', async () => {
    const multipart = new FormData();
    for (const [name, value] of Object.entries(record)) multipart.append(name, value);
    for (const sent of [{ body: multipart }, { body: new URLSearchParams(record) }, { json: record }]) {
      const { status, body } = await call('POST', '/v2/things', sent);
      expect(status).toBe(201);
      expect(body).toMatchObject({ status: true, fields, raw: record });
    }
    expect((await post('/v2/things', fields)).body).toMatchObject({ fields });
  });

  it.each([{}, { body: '' }, { json: {} }, { body: '', headers: { 'content-type': 'text/plain' } }])(
    'that is missing or empty has no fields: %j',
    async (sent) => {
      const refused = { status: 400, body: { errors: { name: ['is required'] } } };
      expect(await call('POST', '/v2/things', sent)).toMatchObject(refused);
    },
  );

  it('with invalid fields is refused with this exact error', async () => {
    const { status, headers, body } = await post('/v2/things', { name: 'x', slot: '8' });
    const reason = 'must be an integer from 1 to 7';
    const start = `{"status":false,"code":"validation_failed","message":"slot ${reason}"`;
    const end = `"errors":{"slot":["${reason}"]},"request_id":"${headers.get('x-request-id')}"}`;
    expect([status, JSON.stringify(body)]).toEqual([400, `${start},${end}`]);
  });

  it('is refused if a field names a constructor, as any other object', async () => {
    const json = { name: { constructor: 'x' }, slot: [{ constructor: 'x' }] };
    const { status, body } = await post('/v2/things', json);
    expect(status).toBe(400);
    expect(body.errors).toEqual({ name: ['must be a string'], slot: ['must be an integer from 1 to 7'] });
  });

  it.each<Record<string, string>>([{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }])(
    'with %j is refused',
    async (headers) => {
      const { status, body } = await post('/v2/things', { name: 'x' }, { headers });
      expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    },
  );

  it('may have the maximum size and no more', async () => {
    const small = await another({ MAX_BODY_BYTES: '65536' });
    const pad = (bytes: number) => 'y'.repeat(bytes - '{"name":"x","pad":""}'.length);
    const send = (bytes: number) => post('/v2/things', { name: 'x', pad: pad(bytes) }, { on: small });
    expect((await send(65_536)).status).toBe(201);
    expect(await send(65_537)).toMatchObject({
      status: 413,
      body: { code: 'too_large', message: 'the body must have at most 65536 bytes' },
    });
  });

  it('without a token may have 16 KiB and no more', async () => {
    const login = (bytes: number) => {
      const empty = JSON.stringify({ email: 'ann@x.y', password: 'right', pad: '' }).length;
      const json = { email: 'ann@x.y', password: 'right', pad: 'y'.repeat(bytes - empty) };
      return post('/v2/open/login', json, { as: '' });
    };
    expect((await login(16_384)).status).toBe(200);
    const message = 'the body must have at most 16384 bytes';
    expect(await login(16_385)).toMatchObject({ status: 413, body: { code: 'too_large', message } });
  });

  it('of unknown length is refused once it is too large, before it ends', async () => {
    const chunk = Buffer.alloc(65_536, 'x');
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += chunk.length;
        if (sent > 64 * 1024 * 1024) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const headers = { 'content-type': 'application/json' };
    expect((await call('POST', '/v2/things', { body, headers })).status).toBe(413);
    expect((await get('/v2/things')).status).toBe(200);
  });

  it('that breaks off does no harm', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /v2/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
    );
    await sleep(50);
    socket.destroy();
    expect((await get('/v2/things')).status).toBe(200);
  });

  it.each([
    ['with the headers', 0],
    ['later', 50],
  ])('has its caller looked up once by the guard when it comes %s', async (_, delayMs) => {
    const authenticate = jest.spyOn(api.app.get(Tokens, { strict: false }), 'authenticate');
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    const head =
      `POST /v2/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 16\r\n\r\n';
    const body = '{"name": "Ada" }';
    if (delayMs > 0) {
      socket.write(head);
      await sleep(delayMs);
      socket.write(body);
    } else socket.write(head + body);
    expect(await allOf(socket)).toMatch(/^HTTP\/1\.1 201 /);
    expect(authenticate).toHaveBeenCalledTimes(1);
    authenticate.mockRestore();
  });

  it('is not read on routes that take bytes', async () => {
    const headers = { 'content-type': 'multipart/form-data' };
    const init = { method: 'PUT', body: 'x'.repeat(2_000_000), headers };
    expect(await (await fetch(`${api.url}/v2/open/bytes/a`, init)).text()).toBe('2000000');
  });
});

describe('a query string', () => {
  it('is parsed like a form', async () => {
    expect(await get('/v2/things/search?q=a%20b+c&x=1')).toMatchObject({
      status: 200,
      body: { status: true, query: { q: 'a b c' } },
    });
    for (const query of ['', '?q=', '?q=1&q=2', '?q=%00', '?q=%ff', '?q=%zz', '?q[]=1']) {
      const { status, body } = await get(`/v2/things/search${query}`);
      expect([query, status, body.code]).toEqual([query, 400, 'validation_failed']);
    }
  });

  it('of a GET may be its form body instead, in each of the types, and a field of both is given twice', async () => {
    const form = 'application/x-www-form-urlencoded';
    const multipart = '--b\r\nContent-Disposition: form-data; name="q"\r\n\r\na b\r\n--b--\r\n';
    const search = (type: string, body: string, query = '') => {
      const headers = { ...bearer(), 'content-type': type, 'content-length': String(Buffer.byteLength(body)) };
      return rawCall('GET', `/v2/things/search${query}`, headers, body);
    };
    for (const reply of [
      await search(form, 'q=a+b'),
      await search('multipart/form-data; boundary=b', multipart),
      await search('application/json', '{"q":"a b"}'),
      await search(form, 'x=1', '?q=a+b'),
    ]) {
      expect(reply).toMatchObject({ status: 200, body: { query: { q: 'a b' } } });
    }
    expect(await search(form, 'q=1', '?q=1')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await search('text/plain', 'q=1')).toMatchObject({ status: 415 });
    const list = await rawCall(
      'GET',
      '/v2/things',
      { ...bearer(), 'content-type': form, 'content-length': '7' },
      'limit=7',
    );
    expect(list.body.page).toEqual({ limit: 7, after: null });
  });

  it('selects a page of a list', async () => {
    const page = async (path: string): Promise<unknown> => (await get(`/v2/things${path}`)).body.page;
    expect(await page('')).toEqual({ limit: 50, after: null });
    expect(await page('?limit=200')).toEqual({ limit: 200, after: null });
    expect(await page('/whole')).toEqual({ limit: null, after: null });
    expect(await page('/whole?limit=1')).toEqual({ limit: 1, after: null });
    const { body } = await get('/v2/things?limit=7');
    expect(await page(`/whole?cursor=${String(body.next_cursor)}`)).toEqual({ limit: 50, after: 7 });
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=7', 'cursor=', 'cursor=%00']) {
      expect((await get(`/v2/things?${query}`)).status).toBe(400);
    }
  });
});

describe('a response', () => {
  const thing = '{"id":5,"parent_id":null,"created_at":"1970-01-01T00:00:00.000Z"}';
  const json = 'application/json; charset=utf-8';
  it.each([
    ['begins with its status and has no undeclared field', '5', json, `{"status":true,"thing":${thing},"before":null}`],
    ['may be events', 'events', 'text/event-stream', 'event: state\ndata: {}\n\nevent: done\ndata: {}\n\n'],
  ])('%s', async (_, path, type, expected) => {
    const { text, headers } = await textOf(`/v2/things/${path}`);
    expect([headers.get('content-type'), text]).toEqual([type, expected]);
  });

  it('to HEAD is that to GET without the body', async () => {
    const { status, headers, body } = await call('HEAD', '/v2/things/5');
    expect([status, body]).toEqual([200, {}]);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(50);
  });

  it('does not reveal the framework and has security headers', async () => {
    const { headers } = await get('/v2/things');
    const of = ['x-powered-by', 'x-content-type-options', 'cache-control'].map((name) => headers.get(name));
    expect(of).toEqual([null, 'nosniff', 'no-store']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('may be read by pages of any origin, with a token too', async () => {
    const { headers } = await get('/v2/things', { headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    const asked = {
      origin: 'https://app.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    };
    const preflight = await call('OPTIONS', '/v2/things/1', { headers: asked });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('idempotency-key');
  });

  it("carries the client's request id if it is valid, else a new one", async () => {
    const idOf = async (given: string): Promise<string> => {
      const { headers, body } = await get('/v2/nothing', { headers: { 'x-request-id': given } });
      expect(body.request_id).toBe(headers.get('x-request-id'));
      return String(body.request_id);
    };
    for (const valid of ['abc-DEF_123', 'a'.repeat(128)]) expect(await idOf(valid)).toBe(valid);
    const created = await Promise.all(['', 'a'.repeat(129), 'a b', 'a"b'].map(idOf));
    expect(new Set(created).size).toBe(4);
    for (const id of created) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('an error', () => {
  it.each([
    ['validation_failed', 400],
    ['unauthenticated', 401],
    ['insufficient_credits', 402],
    ['plan_required', 403],
    ['not_found', 404],
    ['slot_empty', 409],
    ['file_expired', 410],
    ['request_timeout', 408],
    ['too_large', 413],
    ['unsupported_file_type', 415],
    ['idempotency_key_reused', 422],
    ['rate_limited', 429],
    ['headers_too_large', 431],
    ['internal_error', 500],
    ['unavailable', 503],
  ])('%s has the status %d', async (code, expected) => {
    const { status, body } = await get(`/v2/things/errors/${code}`);
    expect(status).toBe(expected);
    expect(body).toMatchObject({ status: false, code, message: 'a sentence' });
    expect(body.insert_coin).toBe(code === 'insufficient_credits' ? true : undefined);
  });

  it('that is unexpected reveals nothing', async () => {
    const { status, headers, body } = await get('/v2/things/broken');
    const request_id = headers.get('x-request-id');
    const message = 'something went wrong on our side';
    expect([status, body]).toEqual([500, { status: false, code: 'internal_error', message, request_id }]);
  });
});

describe('a request with an Idempotency-Key', () => {
  const effects = async (name: string): Promise<number> =>
    (await db.query('select 1 from users where name = $1', [name])).length;
  const send = (name: string, key: string, as = token): Promise<Reply> =>
    post('/v2/things/effects', { name }, { as, headers: { 'idempotency-key': key } });
  const isReplayed = ({ headers }: Reply): boolean => headers.get('idempotent-replayed') === 'true';

  it('has its effect once, and the same response each time', async () => {
    const [first, again] = [await send('once', 'key-once'), await send('once', 'key-once')];
    expect([first.status, isReplayed(first)]).toEqual([201, false]);
    expect([again.status, isReplayed(again)]).toEqual([201, true]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await effects('once')).toBe(1);
  });

  it('has one effect if twenty are sent at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => send('race', 'key-race')));
    expect(await effects('race')).toBe(1);
    const fresh = replies.filter((reply) => reply.status === 201 && !isReplayed(reply));
    expect(fresh).toHaveLength(1);
    for (const { status, body, headers } of replies) {
      if (status === 201) expect(body).toEqual(fresh[0]!.body);
      else {
        expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
        expect(headers.get('retry-after')).toBe('1');
      }
    }
  });

  it('is refused if the key belongs to another body, path or token, and has no effect', async () => {
    const { id, token: one } = await newUser();
    await send('mine', 'key-reused', one);
    const headers = { 'idempotency-key': 'key-reused' };
    for (const other of [
      await send('other', 'key-reused', one),
      await post('/v2/things', { name: 'mine' }, { headers, as: one }),
      await send('mine', 'key-reused', await newToken(id)),
    ]) {
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
    expect([await effects('other'), await effects('mine')]).toEqual([0, 1]);
  });

  it('is the same request in another body type, and another one from another user', async () => {
    const first = await send('types', 'key-types');
    const form = { body: new URLSearchParams({ name: 'types' }), headers: { 'idempotency-key': 'key-types' } };
    const again = await call('POST', '/v2/things/effects', form);
    expect(again.body).toEqual(first.body);
    expect(await effects('types')).toBe(1);
    expect(isReplayed(await send('types', 'key-types', memberToken))).toBe(false);
    expect(await effects('types')).toBe(2);
  });

  it('receives the same error if the use case decided against it, which had no effect', async () => {
    const [first, again] = [await send('conflict', 'key-conflict'), await send('conflict', 'key-conflict')];
    expect([first.status, again.status, isReplayed(again)]).toEqual([409, 409, true]);
    expect(again.body).toEqual(first.body);
    expect(await effects('conflict')).toBe(0);
  });

  it('runs again after an internal error or a validation error', async () => {
    expect((await send('broken', 'key-broken')).status).toBe(500);
    expect(await effects('broken')).toBe(0);
    expect((await send('mended', 'key-broken')).status).toBe(201);
    expect((await send('', 'key-invalid')).status).toBe(400);
    expect((await send('valid', 'key-invalid')).status).toBe(201);
  });

  it('is undone if another response was kept at the moment of its look-up', async () => {
    const first = await send('moment', 'key-moment');
    jest.spyOn(api.app.get(PostgresIdempotencyKeys), 'take').mockResolvedValueOnce(null);
    const again = await send('moment', 'key-moment');
    expect(again.body).toEqual(first.body);
    expect(isReplayed(again)).toBe(true);
    expect(await effects('moment')).toBe(1);
  });

  it('leaves neither effect nor response if the database connection breaks in between', async () => {
    const pending = send('crash', 'key-crash');
    const open = `datname = current_database() and state = 'idle in transaction'`;
    const breakConnections = () => db.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${open}`);
    for (let tries = 0; tries < 200 && (await breakConnections()).length === 0; tries++) await sleep(2);
    expect((await pending).status).toBeGreaterThanOrEqual(500);
    expect(await effects('crash')).toBe(0);
    const retried = await send('crash', 'key-crash');
    expect([retried.status, isReplayed(retried)]).toEqual([201, false]);
    expect(await effects('crash')).toBe(1);
  });

  it('needs a key of 1 to 255 visible ASCII characters', async () => {
    for (const key of ['', 'two words', 'ünï', 'k'.repeat(256)]) {
      const headers = { ...bearer(), 'content-type': 'application/json', 'idempotency-key': key };
      const { status, body } = await rawCall('POST', '/v2/things/effects', headers, '{"name":"key"}');
      expect([key, status, body.code]).toEqual([key, 400, 'validation_failed']);
    }
    expect(await effects('key')).toBe(0);
    expect((await send('long', 'k'.repeat(255))).status).toBe(201);
  });

  it('leaves nothing readable in the database', async () => {
    await send('hidden', 'key-hidden');
    const rows = await db.query<{ row: string }>('select k::text as row, answer from idempotency_keys k');
    const stored = JSON.stringify(rows) + Buffer.from(JSON.stringify(rows)).toString('latin1');
    expect(stored).not.toMatch(/shown-once|key-hidden|hidden/);
  });

  it('is forgotten after a day, and swept', async () => {
    await send('later', 'key-later');
    await db.query(`update idempotency_keys set created_at = now() - interval '25 hours'`);
    const later = await send('later', 'key-later');
    expect([later.status, isReplayed(later)]).toEqual([201, false]);
    expect(await effects('later')).toBe(2);
    const keys = new PostgresIdempotencyKeys(db.database);
    expect(await keys.forget(new Date(Date.now() - 86_400_000))).toBeGreaterThan(0);
    expect(await db.query('select 1 from idempotency_keys')).toHaveLength(1);
  });

  it('is kept for callers without a token too, apart for each address and body', async () => {
    const on = await another({ TRUSTED_PROXIES: '127.0.0.1' });
    const login = (password: string, address: string): Promise<Reply> => {
      const headers = { 'idempotency-key': 'k', 'x-forwarded-for': address };
      return post('/v2/open/login', { email: 'a@b.c', password }, { as: '', headers, on });
    };
    const first = await login('right', '203.0.113.1');
    expect((await login('right', '203.0.113.1')).body).toEqual(first.body);
    expect((await login('wrong', '203.0.113.1')).status).toBe(401);
    const other = await login('right', '203.0.113.2');
    expect([other.status, isReplayed(other), other.body.token !== first.body.token]).toEqual([200, false, true]);
  });
});

describe('the rate limit', () => {
  it('counts the requests of a token per minute, over all processes', async () => {
    const limit = { RATE_LIMIT_PER_MINUTE: '40' };
    const [one, two] = [await another(limit), await another(limit)];
    const { token: as } = await newUser();
    const { headers } = await get('/v2/things', { as, on: one });
    const of = ['limit', 'remaining', 'policy'].map((name) => headers.get(`ratelimit-${name}`));
    expect(of).toEqual(['40', '39', '"token";q=40;w=60']);
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(55);
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, i) => get('/v2/things', { as, on: i % 2 ? one : two })),
    );
    let allowed = replies.filter(({ status }) => status === 200).length + 1;
    expect(allowed).toBeGreaterThanOrEqual(36);
    // A process may have counts left that the other one no longer gets.
    let refused = await get('/v2/things', { as, on: one });
    for (; refused.status === 200 && allowed <= 40; allowed++) refused = await get('/v2/things', { as, on: one });
    expect(allowed).toBeLessThanOrEqual(40);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect((await get('/v2/things', { on: one })).status).toBe(200);
  });

  it('counts by address without a token, also if tokens are guessed', async () => {
    const on = await another({ RATE_LIMIT_PER_MINUTE: '20', TRUSTED_PROXIES: '127.0.0.1' });
    const guess = async (i: number, address: string): Promise<number> => {
      const as = `x12_${String(i).padStart(43, 'a')}`;
      return (await get('/v2/things', { as, headers: { 'x-forwarded-for': address }, on })).status;
    };
    for (let i = 0; i < 20; i++) expect(await guess(i, '203.0.113.1')).toBe(401);
    expect(await guess(21, '203.0.113.1')).toBe(429);
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    const login = { email: 'x', password: 'right' };
    expect((await post('/v2/open/login', login, { as: '', headers, on })).status).toBe(429);
    expect(await guess(22, '203.0.113.2')).toBe(401);
    expect((await get('/v2/things', { headers, on })).status).toBe(200);
  });

  describe('of failed log-ins, also where there is no other', () => {
    let on: ProbeApi;
    const attempt = (email: string, password: string, address: string): Promise<Reply> =>
      post('/v2/open/login', { email, password }, { as: '', headers: { 'x-forwarded-for': address }, on });
    const login = async (email: string, password: string, address: string): Promise<number> =>
      (await attempt(email, password, address)).status;

    beforeEach(async () => {
      on = await another({ TRUSTED_PROXIES: '127.0.0.1' });
    });

    it('counts address and e-mail together: who guesses has to wait, the owner has not', async () => {
      for (let i = 0; i < 12; i++) expect(await login('ann@x.y', 'right', '198.51.100.1')).toBe(200);
      for (let i = 0; i < 4; i++) expect(await login('bob@x.y', 'wrong', '198.51.100.10')).toBe(401);
      const refused = await attempt(' BOB@x.y', 'right', '198.51.100.10');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await login('bob@x.y', 'right', '198.51.100.20')).toBe(200);
      await sleep(1100);
      expect(await login('bob@x.y', 'right', '198.51.100.10')).toBe(200);
      expect(await login('bob@x.y', 'right', '198.51.100.10')).toBe(200);
    });

    it('counts by address too, whatever the e-mail', async () => {
      for (let i = 0; i < 9; i++) expect(await login(`c${i}@x.y`, 'wrong', '198.51.100.30')).toBe(401);
      expect(await login('ann@x.y', 'right', '198.51.100.30')).toBe(429);
      expect(await login('ann@x.y', 'right', '198.51.100.1')).toBe(200);
    });

    it('lets one of those that are sent at once begin the wait', async () => {
      const burst = Array.from({ length: 20 }, () => login('dan@x.y', 'wrong', '198.51.100.40'));
      const statuses = await Promise.all(burst);
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(4);
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(16);
    });
  });

  it('of 0 is no limit and has no headers', async () => {
    expect((await get('/v2/things')).headers.has('ratelimit-limit')).toBe(false);
  });

  it('is not applied to unlimited routes, and to none while it can not be counted', async () => {
    const on = await another({ RATE_LIMIT_PER_MINUTE: '1' });
    for (const path of ['/v2/open/free', '/health/live']) {
      for (let i = 0; i < 5; i++) expect((await get(path, { as: '', on })).status).toBe(200);
    }
    await db.query('alter table rate_limits rename to rate_limits_gone');
    try {
      for (let i = 0; i < 3; i++) expect((await get('/v2/things', { on })).status).toBe(200);
    } finally {
      await db.query('alter table rate_limits_gone rename to rate_limits');
    }
  });
});

describe('the documentation', () => {
  interface Operation {
    readonly responses: Record<string, object>;
    readonly parameters: readonly { readonly name: string }[];
    readonly requestBody?: { readonly content: object; readonly required: boolean };
    readonly security: readonly object[];
  }
  interface Document {
    readonly openapi: string;
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { readonly schemas: Record<string, { properties: Record<string, object> }> };
  }

  it('of a call describes its request, its responses and its errors', async () => {
    const { openapi, paths, components } = JSON.parse((await textOf('/openapi.json')).text) as Document;
    expect(openapi).toBe('3.1.0');
    const create = paths['/v2/things']!.post!;
    const types = ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'];
    expect(Object.keys(create.requestBody!.content)).toEqual(types);
    expect(create.requestBody!.required).toBe(true);
    expect(create.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key']);
    const statuses = [201, 400, 401, 403, 408, 409, 413, 415, 422, 429, 431, 500, 503];
    expect(Object.keys(create.responses).map(Number)).toEqual(statuses);
    expect(Object.keys(paths['/v2/things/{id}']!.put!.responses)).toContain('403');
    expect(paths['/v2/things/{id}']!.get!.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
    ]);
    expect(paths['/v2/things']!.get!.parameters.map(({ name }) => name)).toEqual(['limit', 'cursor']);
    expect(paths['/v2/open/login']!.post!.security).toEqual([]);
    expect(paths['/v2/open/bytes/{key}']).toBeUndefined();
    expect(paths['/open/login']).toBeUndefined();
    const { ThingRequest, ThingResponse, Error: error } = components.schemas;
    const name = { type: 'string', minLength: 1, maxLength: 20, examples: ['Lamp'] };
    const slot = { type: 'integer', minimum: 1, maximum: 7, examples: [3] };
    const parent_id = { type: ['integer', 'null'], minimum: 1, examples: [null] };
    const properties = {
      name: { description: 'Name of the thing.', ...name },
      slot: { description: 'Its place.', ...slot },
      parent_id: { description: 'What it hangs on.', ...parent_id },
      lit: { description: 'Whether it is lit.', type: 'boolean', examples: [true] },
    };
    expect(ThingRequest).toEqual({ type: 'object', required: ['name'], properties });
    expect(ThingResponse!.properties.before).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/ThingDto' }, { type: 'null' }],
    });
    expect(JSON.stringify(error)).toContain(ERROR_CODES.join('","'));
  });

  it('is built once, and not sent again to a client that has it', async () => {
    const first = await textOf('/openapi.json');
    const etag = first.headers.get('etag')!;
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const write = jest.spyOn(JSON, 'stringify');
    const again = await textOf('/openapi.json');
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
    expect([again.text === first.text, again.headers.get('etag')]).toEqual([true, etag]);
    expect(await rawCall('GET', '/openapi.json', { 'if-none-match': etag })).toMatchObject({ status: 304, body: {} });
  });

  it('is a page that loads everything from this service', async () => {
    const { text: html, headers } = await textOf('/docs');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    const sources = [...html.matchAll(/(?:src|href)=["']([^"']+)["']/g)].map(([, source]) => source!);
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      const { status, url } = await fetch(new URL(source, `${api.url}/docs`));
      expect([url.startsWith(api.url), status]).toEqual([true, 200]);
    }
    expect(html).not.toMatch(/<script>/);
    // With it the page would keep tokens in the browser's storage.
    const { text: script } = await textOf('/docs/swagger-ui-init.js');
    expect(script).toContain('"persistAuthorization": false');
  });
});

describe('monitoring', () => {
  it('shows that the process is alive, and which required dependency is down', async () => {
    const on = await another({});
    expect(await get('/health/live', { as: '', on })).toMatchObject({ status: 200, body: { status: true } });
    const health = on.app.get(HealthChecks);
    health.register('queue', () => Promise.reject(new Error('at 10.0.0.1')));
    health.register('storage', () => new Promise(() => undefined));
    health.register('late', () => Promise.reject(new Error('no')), { isNeeded: false });
    const { status, headers, body } = await get('/health/ready', { as: '', on });
    const message = 'queue and storage can not be reached';
    const request_id = headers.get('x-request-id');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: false, code: 'unavailable', message, request_id });
    const checks = body.checks as { name: string; state: string }[];
    const states = checks.map(({ name, state }) => `${name} ${state}`);
    expect(states).toEqual(['database up', 'queue down', 'storage down', 'late down']);
  });

  it('serves as long as the database is there, until it stops', async () => {
    const on = await another({});
    const health = on.app.get(HealthChecks);
    health.register('storage', () => Promise.reject(new Error('no')));
    expect(await get('/health/ready', { as: '', on })).toMatchObject({ status: 503 });
    const { status, body } = await get('/health/serving', { as: '', on });
    expect([status, body.checks]).toEqual([200, [{ name: 'database', state: 'up', latency_ms: expect.any(Number) }]]);
    health.drain();
    for (const path of ['/health/serving', '/health/ready']) {
      const message = expect.stringMatching(/^the process is stopping/);
      expect(await get(path, { as: '', on })).toMatchObject({ status: 503, body: { code: 'unavailable', message } });
    }
    expect(await get('/health/live', { as: '', on })).toMatchObject({ status: 200 });
  });

  it('says which dependency refuses writes, and asks each at most every few seconds', async () => {
    const on = await another({});
    const health = on.app.get(HealthChecks);
    let asked = 0;
    const writes = () => Promise.reject(new Error(`asked ${++asked}`));
    health.register('storage', async () => undefined, { writes });
    const responses = [await get('/health/ready', { as: '', on }), await get('/health/ready', { as: '', on })];
    for (const { status, body } of responses) {
      expect([status, body.message]).toEqual([503, 'storage can not be written to']);
      const states = (body.checks as { name: string; state: string }[]).map(({ name, state }) => `${name} ${state}`);
      expect(states).toEqual(['database up', 'storage read_only']);
    }
    expect(asked).toBe(1);
  });

  it('measures requests by route and status, not by path', async () => {
    await get('/v2/things/1234567');
    await get('/v2/nowhere/1234567');
    const { text } = await textOf('/metrics');
    const count = 'http_request_duration_seconds_count';
    expect(text).toContain(`${count}{method="GET",route="/v2/things/:id",status="200"}`);
    expect(text).toContain(`${count}{method="GET",route="none",status="404"}`);
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('1234567');
  });

  it('serves the metrics on their own port only, if one is set', async () => {
    const port = await freePort();
    const on = await another({ METRICS_PORT: String(port) });
    expect((await get('/metrics', { as: '', on })).status).toBe(404);
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('process_resident_memory_bytes');
    expect((await fetch(`http://127.0.0.1:${port}/v2/things`)).status).toBe(404);
  });
});
