/** @tier test */
import { connect } from 'node:net';
import { text as allOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { CONNECTION_LIMITS } from '../../apps/api/src/http/connections.ts';
import type { ProbeApi } from '../support/probe-api.ts';
import {
  api,
  bearer,
  call,
  database,
  exchange,
  get,
  memberToken,
  newUser,
  post,
  rawCall,
  startAnother,
  token,
  type Sent,
} from '../support/probe-stage.ts';

describe('a connection', () => {
  const limits = {
    headersMs: 500,
    bodyMs: 2000,
    progressMs: 500,
    minBytes: 100,
    lingerMs: 500,
    lingerBytes: 100_000,
    idleMs: 1500,
    unanswered: 20,
  };
  const host = 'HTTP/1.1\r\nHost: a\r\n';
  const long = 'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n';
  const short = long.replace('1000000', '16000');
  const withToken = () => `${host}Authorization: Bearer ${token}\r\n${long}`;
  let on: ProbeApi;

  beforeEach(async () => {
    on = await startAnother({}, limits);
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
  });

  it('is closed after an early response, if the rest of the body drips, and before if there is too much of it', async () => {
    const closed: number[] = [];
    const requests: [text: string, drip: string][] = [
      [`POST /v2/nowhere ${host}${long}`, 'x'],
      [`POST /v2/things ${host}${long}`, 'x'],
      [`DELETE /v2/things/5 ${withToken()}`, 'x'],
      [`POST /v2/things ${withToken().replace('1000000', '9999999')}`, 'x'],
      [`POST /v2/nowhere ${host}${long}`, 'x'.repeat(50_000)],
    ];
    const replies = await Promise.all(
      requests.map(([text, drip], index) => exchange(on, text, drip).finally(() => closed.push(index))),
    );
    expect(replies.map(({ status }) => status)).toEqual([404, 401, 200, 413, 404]);
    expect(closed[0]).toBe(4);
  });

  it('is closed if the body comes too slowly, or later if it takes too long', async () => {
    const login = `POST /v2/open/login ${host}${short}`;
    const requests = [
      ['drips', login, 'x'],
      ['takes long', login, 'x'.repeat(100)],
      ['stalls', `PUT /v2/open/bytes/a ${host}${long}`, 'x'],
    ] as const;
    const closed: string[] = [];
    const replies = await Promise.all(
      requests.map(([what, text, drip]) => exchange(on, text, drip).finally(() => closed.push(what))),
    );
    for (const { status, body } of replies) expect([status, body.code]).toEqual([408, 'request_timeout']);
    expect(closed[0]).toBe('drips');
  });

  it('of an upload stays as long as it makes progress', async () => {
    const size = 6000;
    const upload = `PUT /v2/open/bytes/a ${host}Connection: close\r\nContent-Length: ${size}\r\n\r\n`;
    // In 60 pieces, one each 50 ms: longer than a body may take otherwise.
    const { status, body } = await exchange(on, upload, 'x'.repeat(size / 60));
    expect([status, body]).toEqual([200, size]);
  });

  it.each([
    ['has all its responses', 20, []],
    ['ends with the refusal of the first one too many', 21, ['429']],
    ['ends with the refusal of the first one too many', 2000, ['429']],
  ])('%s with %d requests at once', async (_rule, count, refused) => {
    const { hostname, port } = new URL(on.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    const last = `GET /health/live ${host}Connection: close\r\n\r\n`;
    socket.write(`GET /health/live ${host}\r\n`.repeat(count - 1) + last);
    const statuses = (await allOf(socket)).matchAll(/HTTP\/1\.1 (\d+)/g);
    expect(Array.from(statuses, ([, status]) => status)).toEqual([...Array<string>(20).fill('200'), ...refused]);
  });

  it('may be idle for longer than headers may take, and is then closed', async () => {
    const { hostname, port } = new URL(on.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    let received = '';
    socket.on('data', (data) => (received += String(data)));
    for (const idleMs of [1000, 0]) {
      socket.write(`GET /health/live ${host}\r\n`);
      await sleep(idleMs);
    }
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
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
    await database.query('delete from api_tokens where user_id = $1', [id]);
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
    ['GET', ['/v2/things/%zz'], 'that cannot be decoded', 400, { code: 'validation_failed' }],
    ['PATCH', ['/v2/things/1'], 'with another method', 404, noEndpoint],
    ['POST', ['/v2/open/free'], 'with another method', 404, noEndpoint],
  ])('%s %j %s responds %d', async (method, paths, _, status, body) => {
    for (const path of paths) {
      expect([path, await rawCall(method, path, bearer())]).toMatchObject([path, { status, body }]);
    }
  });
});

it('the order of checks is existence, then role, then fields', async () => {
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

describe('a request body', () => {
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

  it.each<Record<string, string>>([{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }])(
    'with %j is refused',
    async (headers) => {
      const { status, body } = await post('/v2/things', { name: 'x' }, { headers });
      expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    },
  );

  it('may have the maximum size and no more', async () => {
    const small = await startAnother({ MAX_BODY_BYTES: '65536' });
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
    const head = `POST /v2/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
    const isSent = new Promise((resolve) =>
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na`, resolve),
    );
    await isSent;
    socket.destroy();
    expect((await get('/v2/things')).status).toBe(200);
  });

  it('has its caller looked up by one statement, whenever it comes', async () => {
    const { hostname, port } = new URL(api.url);
    const body = '{"name": "Ada" }';
    const head =
      `POST /v2/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (const pieces of [[head + body], [head, body]]) {
      const sent = jest.spyOn(pg.Client.prototype, 'query');
      const socket = connect(Number(port), hostname);
      for (const piece of pieces) {
        socket.write(piece);
        await sleep(50);
      }
      expect(await allOf(socket)).toMatch(/^HTTP\/1\.1 201 /);
      expect(sent.mock.calls.filter((query) => /api_tokens/.test(JSON.stringify(query)))).toHaveLength(1);
      sent.mockRestore();
    }
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

  it('of a GET may be its body instead, and a field of both is given twice', async () => {
    const search = (type: string, body: string, query = '') => {
      const headers = { ...bearer(), 'content-type': type, 'content-length': String(Buffer.byteLength(body)) };
      return rawCall('GET', `/v2/things/search${query}`, headers, body);
    };
    const form = 'application/x-www-form-urlencoded';
    for (const reply of [
      await search(form, 'q=a+b'),
      await search('application/json', '{"q":"a b"}'),
      await search(form, 'x=1', '?q=a+b'),
    ]) {
      expect(reply).toMatchObject({ status: 200, body: { query: { q: 'a b' } } });
    }
    expect(await search(form, 'q=1', '?q=1')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await search('text/plain', 'q=1')).toMatchObject({ status: 415 });
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
