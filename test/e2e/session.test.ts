/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { SignInLinks } from '#identity';
import { callApi, type TestRequest, type TestResponse } from '../support/call-api.ts';
import { runCommand } from '../support/command-line.ts';
import { expectRefusal } from '../support/expectations.ts';
import { itHere } from '../support/service.ts';
import { prepared, untilTestEnds, useService } from '../support/use-service.ts';

const service = useService({}, { worker: false });
const user = prepared(() => service.signUp());

const PATH = '/v2/auth/session';
const own = () => ({ origin: service.baseUrl });
const open = (json: unknown, headers: TestRequest['headers'] = own()) => service.call('POST', PATH, { json, headers });

/** The cookie of a response as browsers send it back. */
function cookieOf({ headers }: TestResponse): string {
  return headers.getSetCookie()[0]!.split(';')[0]!;
}

async function openCookie(): Promise<string> {
  const { email, password } = user;
  return cookieOf(await open({ email, password }));
}

const tokenNames = async () => {
  const { body } = await service.call('GET', '/v2/auth/tokens', { token: user.token });
  return body.tokens.map(({ name }: { name: string }) => name) as string[];
};
const me = (headers: TestRequest['headers'], token?: string) => service.call('GET', '/v2/auth/me', { headers, token });

describe('a session', () => {
  it('is opened by e-mail and password, and its token comes as a cookie that no script can read', async () => {
    const { email, password, id } = user;
    const opened = await open({ email, password });
    const { status, body } = opened;
    const ends = expect.any(String);
    expect([status, body]).toEqual([
      200,
      {
        status: true,
        user: expect.objectContaining({ id, email, name: null }),
        token_id: expect.any(Number),
        token_expires_at: ends,
      },
    ]);
    const [cookie, ...attributes] = opened.headers.getSetCookie()[0]!.split('; ');
    expect(cookie).toMatch(/^x12_session=x12_[A-Za-z0-9_-]{43}$/);
    const expires = `Expires=${new Date(body.token_expires_at).toUTCString()}`;
    expect(attributes.sort()).toEqual([expires, 'HttpOnly', 'Path=/', 'SameSite=Strict']);
    expect(JSON.stringify(body)).not.toContain(cookie!.split('=')[1]);

    const found = await me({ cookie: `other=1; ${cookie}; last=2` });
    expect([found.status, found.body.user.id]).toEqual([200, id]);
  });

  it('is opened by a token, which it does not outlast and which stays valid after it', async () => {
    const json = { name: 'short', expires_in_days: 1 };
    const short = await service.call('POST', '/v2/auth/tokens', { token: user.token, json });
    const opened = await open({ token: short.body.token });
    expect([opened.status, opened.body.token_expires_at]).toEqual([200, short.body.expires_at]);
    const cookie = cookieOf(opened);
    expect((await service.call('DELETE', PATH, { headers: { cookie, ...own() } })).status).toBe(200);
    expect((await me({}, short.body.token)).status).toBe(200);
  });

  it('by password makes tokens that are independent of it', async () => {
    const cookie = await openCookie();
    const headers = { cookie, ...own() };
    const { body } = await service.call('POST', '/v2/auth/tokens', { headers, json: { name: 'lasting' } });
    expect([body.kind, body.expires_at]).toEqual(['api', null]);
    await service.call('DELETE', PATH, { headers });
    expect((await me({}, body.token)).status).toBe(200);
  });

  it('ends with its token: the cookie is removed and no longer counts', async () => {
    const cookie = await openCookie();
    const ended = await service.call('DELETE', PATH, { headers: { cookie, ...own() } });
    expect([ended.status, ended.body]).toEqual([200, { status: true }]);
    expect(ended.headers.getSetCookie()).toEqual([
      'x12_session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict',
    ]);
    expectRefusal(await me({ cookie }), 401, 'unauthenticated', 'auth');
  });

  itHere('is opened by a sign-in link, once, and one of this machine by no proxy', async () => {
    const links = service.api.app.get(SignInLinks, { strict: false });
    const { secret: link } = await links.issue({ userId: user.id, isLocal: true });
    const elsewhere = { ...own(), 'X-Forwarded-For': '203.0.113.7' };
    expectRefusal(await open({ link }, elsewhere), 401, 'unauthenticated', 'auth');
    const opened = await open({ link });
    expect([opened.status, opened.body.user.id]).toEqual([200, user.id]);
    expect((await me({ cookie: cookieOf(opened) })).status).toBe(200);
    expectRefusal(await open({ link }), 401, 'unauthenticated', 'auth');

    const { data, database } = service.settings;
    const env = { DATA_DIR: data.folder, DATABASE_URL: database.url!, PUBLIC_URL: service.baseUrl };
    const { out } = await runCommand(env, 'users', 'sign-in-link', user.email, '--json');
    const [address, printed] = (JSON.parse(out) as { link: string }).link.split('#link=');
    expect(address).toBe(`${service.baseUrl}/console/sign-in`);
    expect((await open({ link: printed }, elsewhere)).body.user.id).toBe(user.id);
  });

  it.each([
    ['a wrong password', { email: 'unknown@example.com', password: 'wrong horse' }, 401, 'unauthenticated', 'auth'],
    ['an unknown token', { token: `x12_${'A'.repeat(43)}` }, 401, 'unauthenticated', 'auth'],
    ['neither', {}, 400, 'validation_failed', 'email'],
    ['an e-mail alone', { email: 'ada@example.com' }, 400, 'validation_failed', 'password'],
    ['both', { email: 'ada@example.com', token: 'x' }, 400, 'validation_failed', 'token'],
    ['a link and a token', { link: 'x', token: 'x' }, 400, 'validation_failed', 'link'],
  ])('is not opened by %s', async (_, json, status, code, field) => {
    const refused = await open(json);
    expectRefusal(refused, status, code, field);
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  it('is slowed down together with log-in', async () => {
    const json = { email: 'guessed@example.com', password: 'wrong horse' };
    for (const path of [PATH, '/v2/auth/login']) {
      for (let times = 0; times < 5; times += 1) {
        expectRefusal(await service.call('POST', path, { json }), 401, 'unauthenticated', 'auth');
      }
    }
    expectRefusal(await open(json), 401, 'unauthenticated', 'auth');
    const slowed = await open(json);
    expectRefusal(slowed, 429, 'rate_limited');
    expect(slowed.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('is opened again by a repeated request: a kept response would have no cookie', async () => {
    const headers = { ...own(), 'idempotency-key': 'open-once' };
    const { email, password } = user;
    for (let times = 0; times < 2; times += 1) {
      const opened = await open({ email, password }, headers);
      expect([opened.status, opened.headers.get('idempotent-replayed')]).toEqual([200, null]);
      expect((await me({ cookie: cookieOf(opened) })).status).toBe(200);
    }
  });

  it('counts by its user for an Idempotency-Key, like their tokens', async () => {
    const headers = { cookie: await openCookie(), ...own(), 'idempotency-key': 'token-once' };
    const make = () => service.call('POST', '/v2/auth/tokens', { json: { name: 'once' }, headers });
    const [first, again] = [await make(), await make()];
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true']);
  });

  it('yields to a bearer token, even an invalid one', async () => {
    const cookie = await openCookie();
    const other = await service.signUp();
    const foreign = { cookie, origin: 'https://evil.example' };
    expect((await me({ cookie }, other.token)).body.user.id).toBe(other.id);
    const json = { name: 'by bearer' };
    const made = await service.call('POST', '/v2/auth/tokens', { json, token: other.token, headers: foreign });
    expect(made.status).toBe(201);
    for (const authorization of ['Bearer wrong', 'Bearer', 'bearer ü']) {
      expect((await callRaw('GET', '/v2/auth/me', { cookie, authorization })).status).toBe(401);
    }
  });

  it('does not count with two cookies, of which one may have been planted', async () => {
    const cookie = await openCookie();
    expectRefusal(await me({ cookie: `${cookie}; ${cookie}` }), 401, 'unauthenticated', 'auth');
  });

  it('follows a generation, until it ends', async () => {
    const headers = { cookie: await openCookie(), ...own() };
    const json = { model: 'local-image', prompt: 'lake', width: 64 };
    const { body } = await service.call('POST', '/v2/generate', { json, headers });
    const url = new URL(`/v2/generations/${body.generation_id}/events`, service.baseUrl);
    const stream = await fetch(url, { headers: { cookie: headers.cookie } });
    expect(stream.status).toBe(200);
    const events = stream.body!.pipeThrough(new TextDecoderStream()).values();
    expect((await events.next()).value).toMatch(/^event: state\n/);
    await service.call('DELETE', PATH, { headers });
    while (!(await events.next()).done);
  });
});

describe('a request by cookie that may change something', () => {
  const similar = () => {
    const { port } = new URL(service.baseUrl);
    return [
      ['a foreign origin', 'https://evil.example'],
      ['null', 'null'],
      ['none', undefined],
      ['an empty one', ''],
      ['another port', `http://127.0.0.1:${Number(port) + 1}`],
      ['no port', 'http://127.0.0.1'],
      ['another scheme', `https://127.0.0.1:${port}`],
      ['a host that starts like it', `${service.baseUrl}.evil.example`],
      ['a host that ends like it', `http://evil.example#127.0.0.1:${port}`],
      ['another name of the host', `http://localhost:${port}`],
      ['a path', `${service.baseUrl}/`],
      ['two', `${service.baseUrl}, https://evil.example`],
    ] as const;
  };

  it('needs the origin of this service', async () => {
    const cookie = await openCookie();
    const make = (origin: string) =>
      service.call('POST', '/v2/auth/tokens', { json: { name: 'made' }, headers: { cookie, origin } });
    expect((await make(service.baseUrl)).status).toBe(201);
  });

  it('is refused with any other, in every type of body, and has no effect', async () => {
    const cookie = await openCookie();
    const before = await tokenNames();
    for (const [name, origin] of similar()) {
      const headers = { cookie, ...(origin === undefined ? {} : { origin }) };
      const refused = await service.call('POST', '/v2/auth/tokens', { json: { name }, headers });
      expect([name, refused.status, refused.body.code]).toEqual([name, 403, 'forbidden']);
    }
    const headers = { cookie, origin: 'null' };
    expectRefusal(await service.call('POST', '/v2/auth/tokens', { form: { name: 'x' }, headers }), 403, 'forbidden');
    expect((await callRaw('PUT', '/v2/personas/1', headers)).status).toBe(403);
    expectRefusal(await service.call('DELETE', PATH, { headers }), 403, 'forbidden');
    const urlencoded = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await callRaw('POST', '/v2/auth/tokens', urlencoded, 'name=x')).status).toBe(403);
    expect(await tokenNames()).toEqual(before);
  });

  it('may be a read from anywhere: no other site can see the response', async () => {
    const found = await me({ cookie: await openCookie(), origin: 'https://evil.example' });
    expect(found.status).toBe(200);
    expect(found.headers.get('access-control-allow-origin')).toBe('*');
    expect(found.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('cannot open a session: a foreign page cannot sign its visitors in as another user', async () => {
    const { email, password } = user;
    // More often than a wrong password may be tried without a wait: a foreign page slows nobody down.
    for (const [name, origin] of similar()) {
      if (origin === undefined) continue;
      const refused = await open({ email, password }, { origin });
      expect([name, refused.status, refused.headers.getSetCookie()]).toEqual([name, 403, []]);
    }
    expect((await open({ email, password }, {})).status).toBe(200);
    expectRefusal(await open({ email, password }, { cookie: await openCookie() }), 403, 'forbidden');
  });
});

it('on https, the cookie is secure and bound to the host', async () => {
  const moved = untilTestEnds(await service.withFilesAt('https://api.example.com'));
  const { email, password } = user;
  const headers = { origin: 'https://api.example.com' };
  const opened = await moved.call('POST', PATH, { json: { email, password }, headers });
  const [cookie, ...attributes] = opened.headers.getSetCookie()[0]!.split('; ');
  expect(cookie).toMatch(/^__Host-x12_session=x12_/);
  expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']));
  expect((await moved.call('GET', '/v2/auth/me', { headers: { cookie: cookie! } })).status).toBe(200);
  const bare = { cookie: cookie!.replace('__Host-', '') };
  expect((await moved.call('GET', '/v2/auth/me', { headers: bare })).status).toBe(401);
  const ended = await moved.call('DELETE', PATH, { headers: { cookie: cookie!, ...headers } });
  expect(ended.headers.getSetCookie()[0]).toMatch(/^__Host-x12_session=; Path=\/; Expires=Thu, 01 Jan 1970.*Secure/);
});

/** Without the checks of the OpenAPI document. */
function callRaw(method: string, path: string, headers: Readonly<Record<string, string>>, body?: string) {
  if (body === undefined) return callApi(new URL(path, service.baseUrl), method, { headers });
  return fetch(new URL(path, service.baseUrl), { method, headers, body });
}
