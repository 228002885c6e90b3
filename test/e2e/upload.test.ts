import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { startService, type TestService, type TestUser } from '../support/service.ts';

jest.setTimeout(30_000);

const MAX_BYTES = 20_000_000;
const ORIGIN = { origin: 'https://app.example.com' };

let service: TestService;
let user: TestUser;
let personaId: number;
let png: Buffer;
beforeAll(async () => {
  service = await startService({ MAX_UPLOAD_BYTES: String(MAX_BYTES) }, { worker: false });
  user = await service.signUp();
  personaId = await makePersona(user);
  png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
});
afterAll(() => service.stop());

async function makePersona(of: TestUser, on = service): Promise<number> {
  const { body } = await on.call('POST', '/v2/personas', { token: of.token, form: { name: 'Ada' } });
  return body.persona.id;
}

interface Ticket {
  readonly upload_id: number;
  readonly signed_url: string;
  readonly final_url: string;
  readonly expires_at: string;
  readonly headers: Record<string, string>;
}

async function allocate(filename: string, on = service, by = user, pid?: number): Promise<Ticket> {
  const { status, body } = await on.call('POST', '/v2/upload', { token: by.token, form: { filename, pid } });
  expect({ status, body }).toMatchObject({ status: 201, body: { status: true } });
  return body;
}

async function put(url: string, bytes: Buffer | string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'PUT', body: new Uint8Array(Buffer.from(bytes)), headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

const finalize = (url: string, on = service, by = user) =>
  on.call('GET', `/v2/finalize_upload?url=${encodeURIComponent(url)}`, { token: by.token });

async function get(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** As no well-behaved client would: the path exactly as it is written here. */
function rawRequest(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Starts a PUT to a signed URL that announces so many bytes, and sends none. */
function beginPut(url: string, length: number): Socket {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(`PUT ${pathOf(url)} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  return socket;
}

async function storedFiles(on = service, folder = ''): Promise<string[]> {
  const root = join(on.settings.data.files, folder);
  await mkdir(root, { recursive: true });
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function saved(filename: string, bytes: Buffer | string, pid?: number, on = service, by = user): Promise<string> {
  const ticket = await allocate(filename, on, by, pid);
  expect((await put(ticket.signed_url, bytes)).status).toBe(200);
  const { status, body } = await finalize(ticket.final_url, on, by);
  expect({ status, body }).toMatchObject({ status: 200, body: { url: ticket.final_url } });
  return body.url;
}

it('takes a photograph from the client to its public URL', async () => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 };
  const photo = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'white', noise } })
    .jpeg({ quality: 80 })
    .toBuffer();
  expect(photo.length).toBeGreaterThan(3_000_000);

  const ticket = await allocate('holiday photo.jpg');
  expect(Object.keys(ticket).sort()).toEqual(
    ['expires_at', 'final_url', 'headers', 'signed_url', 'status', 'upload_id'].sort(),
  );
  expect(ticket.headers).toMatchObject({ 'Content-Type': 'image/jpeg', 'Cache-Control': 'max-age=315360000' });
  expect(Date.parse(ticket.headers.Expires!)).toBeGreaterThan(Date.now());
  expect(ticket.final_url.endsWith('/holiday%20photo.jpg')).toBe(true);
  const lifetime = Date.parse(ticket.expires_at) - Date.now();
  expect(lifetime).toBeGreaterThan(3_590_000);
  expect(lifetime).toBeLessThanOrEqual(3_600_000);

  expect((await get(ticket.final_url)).status).toBe(404);
  const sent = await put(ticket.signed_url, photo, ticket.headers);
  expect(sent.status).toBe(200);
  expect((await get(ticket.final_url)).status).toBe(404);

  const { status, body } = await finalize(ticket.final_url);
  expect({ status, body }).toEqual({
    status: 200,
    body: { status: true, url: ticket.final_url, size: photo.length, content_type: 'image/jpeg', expires_at: null },
  });
  const file = await get(ticket.final_url);
  expect(file.status).toBe(200);
  expect(file.bytes.equals(photo)).toBe(true);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(photo.length),
    'cache-control': 'public, max-age=315360000, immutable',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
  });
  expect(file.headers.has('set-cookie')).toBe(false);
  expect(file.headers.has('expires')).toBe(false);

  expect((await put(ticket.signed_url, png)).status).toBe(200);
  expect((await finalize(ticket.final_url)).body).toEqual(body);
  expect((await get(ticket.final_url)).bytes.equals(photo)).toBe(true);
});

describe('an upload in parts', () => {
  const PART = 5 * 1024 ** 2;
  const askFor = (parts: number | string) =>
    service.call('POST', '/v2/upload', { token: user.token, form: { filename: 'a.png', parts } });
  const allocateParts = async (parts: number) => {
    const { status, body } = await askFor(parts);
    expect({ status, body }).toMatchObject({ status: 201, body: { status: true, signed_url: null } });
    return body as { final_url: string; parts: { part_number: number; signed_url: string }[] };
  };
  let before: string[];
  beforeEach(async () => {
    before = await storedFiles(service, 'staging');
  });

  it('is put together by finalize, once all parts are there', async () => {
    const large = Buffer.concat([png, Buffer.alloc(2 * PART, 'what follows the picture')]);
    const { parts, final_url } = await allocateParts(3);
    expect(parts.map(({ part_number }) => part_number)).toEqual([1, 2, 3]);
    const send = async (number: number) => {
      const piece = large.subarray((number - 1) * PART, number * PART);
      expect((await put(parts[number - 1]!.signed_url, piece)).status).toBe(200);
    };
    await Promise.all([3, 1].map(send));
    const early = await finalize(final_url);
    expect(early).toMatchObject({ status: 409, body: { code: 'not_uploaded' } });
    expect(early.body.message).toMatch(/part 2 of 3/);
    await send(2);
    const calls = await Promise.all(Array.from({ length: 5 }, () => finalize(final_url)));
    for (const { status, body } of calls) {
      expect({ status, body }).toMatchObject({ status: 200, body: { size: large.length } });
    }
    expect((await get(final_url)).bytes.equals(large)).toBe(true);
    expect(await storedFiles(service, 'staging')).toEqual(before);
  });

  it('may be in one part, and no more than 10,000', async () => {
    for (const parts of [1, 10_000]) expect((await allocateParts(parts)).parts).toHaveLength(parts);
    for (const parts of ['0', '-1', '10001', '1.5', 'x'])
      expectRefusal(await askFor(parts), 400, 'validation_failed', 'parts');
    const { body } = await askFor('');
    expect(body).toMatchObject({ signed_url: expect.any(String) });
    expect(body).not.toHaveProperty('parts');
  });

  it('is too large when its parts together are, and then nothing of it stays', async () => {
    const { parts, final_url } = await allocateParts(4);
    for (const { signed_url } of parts) await put(signed_url, Buffer.alloc(PART, 'x'));
    expect(await finalize(final_url)).toMatchObject({ status: 413, body: { code: 'too_large' } });
    expect(await storedFiles(service, 'staging')).toEqual(before);
  });
});

describe('several uploads at once', () => {
  const postMany = (request: object, on = service, by = user) =>
    on.call('POST', '/v2/uploads', { token: by.token, ...request });

  it('are allocated in one call, of any content type, each as a call of its own would', async () => {
    const files = [{ filename: 'one.png' }, { filename: 'two.png', pid: personaId }, { filename: 'b.mp4', parts: 2 }];
    for (const request of [{ json: { files } }, { form: { files: JSON.stringify(files) } }]) {
      const { status, body } = await postMany(request);
      expect({ status, names: body.uploads.map((each: Ticket) => each.final_url.split('/').at(-1)) }).toEqual({
        status: 201,
        names: ['one.png', 'two.png', 'b.mp4'],
      });
      expect(body.uploads[2].parts).toHaveLength(2);
      const [, { signed_url, final_url }] = body.uploads;
      expect((await put(signed_url, png)).status).toBe(200);
      expect((await finalize(final_url)).body).toMatchObject({ url: final_url, content_type: 'image/png' });
    }
  });

  it.each([
    [{ files: [] }, 'files must be a list of 1 to 100 objects'],
    [{ files: Array.from({ length: 101 }, () => ({ filename: 'a.png' })) }, 'files must be a list of 1 to 100 objects'],
    [{ files: 'a.png' }, 'files must be a list of 1 to 100 objects'],
    [{}, 'files is required'],
    [{ files: [{ filename: 'a.png' }, 'b.png'] }, 'files[1] must be an object'],
    [{ files: [{ filename: 'a.png' }, {}] }, 'files[1].filename is required'],
    [{ files: [{ filename: 'a.png', pid: { constructor: 1 } }] }, 'files[0].pid must be a positive integer'],
  ])('are all refused: %j', async (json, message) => {
    const { status, body } = await postMany({ json });
    expect([status, body.code, body.message]).toEqual([400, 'validation_failed', message]);
  });

  it('are all refused when one is of a persona of another workspace', async () => {
    const foreign = await makePersona(await service.signUp());
    const { status, body } = await postMany({
      json: { files: [{ filename: 'a.png' }, { filename: 'b.png', pid: foreign }] },
    });
    expect([status, body.message]).toEqual([404, 'files[1]: no such persona']);
    expect(
      (await postMany({ json: { files: Array.from({ length: 100 }, () => ({ filename: 'a.png' })) } })).status,
    ).toBe(201);
  });
});

describe('an allocation is refused', () => {
  const post = (json: object, by = user) => service.call('POST', '/v2/upload', { token: by.token, json });

  it.each([
    ['no name', {}, 400, 'validation_failed', 'filename'],
    ['a path', { filename: '../a.png' }, 400, 'validation_failed', 'filename'],
    ['a NUL character', { filename: 'a\0.png' }, 400, 'validation_failed', 'filename'],
    ['an unsupported file type', { filename: 'a.png.html' }, 415, 'unsupported_file_type', undefined],
    ['the pid 0', { filename: 'a.png', pid: '0' }, 400, 'validation_failed', 'pid'],
    ['a pid of 54 bits', { filename: 'a.png', pid: '9007199254740993' }, 400, 'validation_failed', 'pid'],
  ])('for %s', async (_, json, status, code, field) => {
    expectRefusal(await post(json), status, code, field);
  });

  it('for a persona that is unknown or of another workspace, which look alike', async () => {
    const stranger = await service.signUp();
    const unknown = await post({ filename: 'a.png', pid: 999_999_999 });
    const foreign = await post({ filename: 'a.png', pid: await makePersona(stranger) });
    expectRefusal(unknown, 404, 'not_found');
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });
});

it.each([
  ['POST', '/v2/upload'],
  ['GET', '/v2/finalize_upload'],
  ['GET', '/v2/personas/1/files'],
])('%s %s needs a token', async (method, path) => {
  expect((await service.call(method, path)).status).toBe(401);
});

it('a file is served under its name, normalized and percent-encoded, whatever characters it has', async () => {
  const url = await saved('a?b#c%2Fd a\u0308 100% 🦊.png', png);
  expect(decodeURIComponent(url.split('/').at(-1)!)).toBe('a?b#c%2Fd \u00e4 100% 🦊.png');
  expect((await get(url)).bytes.equals(png)).toBe(true);
  expect((await finalize(url)).status).toBe(200);
});

describe('what is finalized', () => {
  it.each([
    [
      'picture.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'image/svg+xml',
      { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
    ],
    ['model.gltf', '{"asset":{"version":"2.0"}}', 'model/gltf+json', { 'content-disposition': 'attachment' }],
  ])('runs no script where it is shown: %s', async (filename, content, type, expected) => {
    const { headers } = await get(await saved(filename, content));
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      ...expected,
    });
  });

  it('must be what the name says: it is refused and deleted, and can be sent again', async () => {
    const before = (await storedFiles()).length;
    const ticket = await allocate('picture.png');
    const refused = async (status: number, code: string) =>
      expectRefusal(await finalize(ticket.final_url), status, code);
    await refused(409, 'not_uploaded');
    for (const content of ['<html><script>alert(1)</script></html>', '']) {
      await put(ticket.signed_url, content);
      await refused(400, 'file_type_mismatch');
      await refused(409, 'not_uploaded');
      expect((await get(ticket.final_url)).status).toBe(404);
    }
    expect((await storedFiles()).length).toBe(before);
    await put(ticket.signed_url, png);
    expect((await finalize(ticket.final_url)).status).toBe(200);
  });

  it('must be an upload of the workspace, named by its URL: unknown and foreign ones look alike', async () => {
    const { final_url, signed_url } = await allocate('picture.png');
    await put(signed_url, png);
    const stranger = await service.signUp();
    const foreign = () => finalize(final_url, service, stranger);
    const first = await foreign();
    expectRefusal(first, 404, 'not_found');
    const unknown = await finalize(final_url.replace(/files\/[^/]+/, 'files/unknown'), service, stranger);
    for (const { status, body } of [unknown, await finalize(signed_url)]) {
      expect(status).toBe(404);
      expect({ ...body, request_id: '' }).toEqual({ ...first.body, request_id: '' });
    }
    expect((await finalize(final_url)).status).toBe(200);
    expect((await foreign()).status).toBe(404);
    for (const url of ['/files/a/b.png', 'file:///etc/passwd']) {
      expectRefusal(await finalize(url), 400, 'validation_failed', 'url');
    }
  });
});

describe('a signed URL', () => {
  it('takes an object as large as is allowed, and not a byte more, told or untold', async () => {
    const ticket = await allocate('video.mp4');
    const before = (await storedFiles()).length;
    const told: Record<string, string> = { 'content-length': String(MAX_BYTES + 1) };
    for (const headers of [told, { 'transfer-encoding': 'chunked' }]) {
      const answer = await rawRequest('PUT', pathOf(ticket.signed_url), headers, Buffer.alloc(MAX_BYTES + 1));
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toMatchObject({ status: false, code: 'too_large' });
      expect((await storedFiles()).length).toBe(before);
    }
    expect((await put(ticket.signed_url, Buffer.alloc(MAX_BYTES))).status).toBe(200);
    expect((await storedFiles()).length).toBe(before + 2);
  });

  it('tells about the limit before it has all the bytes', async () => {
    const socket = beginPut((await allocate('video.mp4')).signed_url, MAX_BYTES + 1);
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('leaves nothing of an upload that breaks off', async () => {
    const ticket = await allocate('picture.png');
    const before = (await storedFiles()).length;
    const socket = beginPut(ticket.signed_url, 1_000_000);
    socket.write(Buffer.alloc(500_000));
    await eventually(async () => (await storedFiles()).length === before + 1);
    socket.destroy();
    await eventually(async () => (await storedFiles()).length === before);
    expect((await finalize(ticket.final_url)).body.code).toBe('not_uploaded');
  });

  it('is good for its own key and limit only, for PUT only, and takes no order by a header', async () => {
    const [one, other] = [await allocate('one.png'), await allocate('other.png')];
    const { origin, pathname } = new URL(one.signed_url);
    const urls = [
      origin + pathname,
      one.signed_url.replace(/max_bytes=\d+/, `max_bytes=${MAX_BYTES * 2}`),
      `${one.signed_url}&another=1`,
      other.signed_url.replace(new URL(other.signed_url).pathname, pathname),
      one.signed_url.replace(/staging\/[^?]+/, 'staging/another'),
    ];
    for (const url of urls) expectRefusal(await put(url, png), 403, 'forbidden');
    for (const name of ['x-amz-copy-source', 'x-amz-acl', 'X-Amz-Meta-Anything']) {
      const response = await put(one.signed_url, png, { [name]: '/other/object' });
      expectRefusal(response, 403, 'forbidden');
    }
    expect((await put(one.signed_url, png)).status).toBe(200);
    for (const method of ['GET', 'HEAD', 'DELETE', 'POST', 'PATCH']) {
      expect((await fetch(one.signed_url, { method })).status).toBe(404);
    }
  });

  it.each(['application/json', 'multipart/form-data; boundary=x'])('takes the content type %s', async (type) => {
    const ticket = await allocate('picture.png');
    expect((await put(ticket.signed_url, png, { 'content-type': type })).status).toBe(200);
    await finalize(ticket.final_url);
    const file = await get(ticket.final_url);
    expect([file.headers.get('content-type'), file.bytes.equals(png)]).toEqual(['image/png', true]);
  });

  it('can be used from the pages of other origins, refusals included', async () => {
    const ticket = await allocate('picture.png');
    const preflight = await fetch(ticket.signed_url, {
      method: 'OPTIONS',
      headers: {
        ...ORIGIN,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'cache-control,content-type,expires',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/content-type/);
    for (const url of [ticket.signed_url, `${ticket.signed_url}x`]) {
      expect((await put(url, png, ORIGIN)).headers.get('access-control-allow-origin')).toBe('*');
    }
  });
});

describe('a public file', () => {
  let url: string;
  beforeAll(async () => {
    url = await saved('picture.png', png);
  });

  it('is told about by HEAD, and not sent again to who has it', async () => {
    const head = await get(url, { method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'content-length': String(png.length),
      'content-type': 'image/png',
    });
    const etag = (await get(url)).headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers, bytes } = await get(url, { headers: { 'if-none-match': known } });
      expect({ known, status, bytes: bytes.length }).toEqual({ known, status: 304, bytes: 0 });
      expect(headers.get('etag')).toBe(etag);
      expect(headers.get('cache-control')).toContain('immutable');
    }
    expect((await get(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it.each([
    ['bytes=2-9', 206, (size: number) => `bytes 2-9/${size}`, () => png.subarray(2, 10)],
    ['bytes=1000000-', 416, (size: number) => `bytes */${size}`, () => Buffer.alloc(0)],
    ['bytes=0-1,4-5', 200, () => null, () => png],
  ])('is sent as the range %s asks', async (range, status, contentRange, part) => {
    const answer = await get(url, { headers: { range } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-range')).toBe(contentRange(png.length));
    expect(answer.headers.get('content-length')).toBe(String(part().length));
    expect(answer.bytes.equals(part())).toBe(true);
  });

  it('can be used from the pages of other origins', async () => {
    const { headers } = await get(url, { headers: ORIGIN });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('Content-Range');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { ...ORIGIN, 'access-control-request-method': 'GET' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('survives readers that go away in the middle', async () => {
    const bytes = Buffer.concat([png, Buffer.alloc(10_000_000)]);
    const large = await saved('large.png', bytes);
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const abort = new AbortController();
        const response = await fetch(large, { signal: abort.signal });
        await response.body!.getReader().read();
        abort.abort();
      }),
    );
    expect((await get(large)).bytes.equals(bytes)).toBe(true);
  });

  it.each([
    ['the parent folder', '/picture.png', '/../picture.png'],
    ['a coded parent folder', '/picture.png', '/%2e%2e%2fpicture.png'],
    ['a coded parent folder of another system', '/picture.png', '/..%5cpicture.png'],
    ['many parent folders', /.*/, '/files/..%2f..%2f..%2f..%2fetc%2fpasswd'],
    ['parent folders as they are', /.*/, '/files/../../../../../etc/passwd'],
    ['parent folders as name', '/picture.png', '/..'],
    ['a NUL character', /$/, '%00'],
    ['a NUL character as name', '/picture.png', '/%00.png'],
    ['two slashes', '/files/', '//files/'],
    ['two slashes inside', '/files/', '/files//'],
    ['a slash at the end', /$/, '/'],
    ['another case', '/files/', '/FILES/'],
    ['half a code', '/picture.png', '/picture%2.png'],
    ['bytes that are no UTF-8', '/picture.png', '/%ff.png'],
    ['another name', 'picture.png', 'another.png'],
    ['no name', '/picture.png', ''],
    ['an empty name', 'picture.png', ''],
    ['the staging place', /\/files\/(.*)\/picture.png/, '/storage/staging/$1'],
    ['the frozen place', '/files/', '/frozen/'],
    ['the data folder', /.*/, '/files/files/00'],
  ])('is not there under %s', async (_, part, instead) => {
    const { status, text } = await rawRequest('GET', new URL(url).pathname.replace(part, instead));
    expect([400, 404]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({ status: false });
    expect(text).not.toContain(service.settings.data.folder);
  });

  it('can not be written or deleted', async () => {
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
      expect((await fetch(url, { method })).status).toBe(404);
    }
    expect((await get(url)).bytes.equals(png)).toBe(true);
  });
});

describe("a persona's files", () => {
  const list = (persona: number | string, query = '', by = user) =>
    service.call('GET', `/v2/personas/${persona}/files${query}`, { token: by.token });

  it('are listed in pages, newest first', async () => {
    const persona = await makePersona(user);
    for (const filename of ['2.png', 'x12tmp-3.png']) await saved(filename, png, persona);
    const { status, body } = await list(persona);
    expect(status).toBe(200);
    const [temporary, permanent] = body.files;
    expect(body).toMatchObject({ files: { length: 2 }, next_cursor: null });
    expect(temporary).toMatchObject({ filename: 'x12tmp-3.png', temporary: true });
    expect(permanent).toEqual({
      id: expect.any(Number),
      filename: '2.png',
      url: expect.stringMatching(/\/files\/[\w-]+\/2\.png$/),
      size: png.length,
      content_type: 'image/png',
      temporary: false,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      expires_at: null,
    });
    expect(Date.parse(temporary.expires_at) - Date.parse(temporary.created_at)).toBe(43_200_000);

    const first = await list(persona, '?limit=1');
    expect(first.body.files).toEqual(body.files.slice(0, 1));
    const second = await list(persona, `?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body).toEqual({ status: true, files: body.files.slice(1), next_cursor: null });
    expect((await list(persona, '?temporary=true')).body.files).toEqual([temporary]);
    expect((await list(persona, '?temporary=false')).body.files).toEqual([permanent]);
    expect((await list(persona, '?temporary=perhaps')).status).toBe(400);
  });

  it('are refused for a persona that is unknown, foreign, or no persona at all', async () => {
    expectRefusal(await list(999_999_999), 404, 'not_found');
    expectRefusal(await list(personaId, '', await service.signUp()), 404, 'not_found');
    expect((await list('x')).status).toBe(400);
    expect((await list(personaId, '?cursor=x')).status).toBe(400);
  });
});

describe('in time', () => {
  let brief: TestService;
  let someone: TestUser;
  beforeAll(async () => {
    brief = await startService({
      TEMP_FILE_TTL_SECONDS: '2',
      UPLOAD_URL_TTL_SECONDS: '2',
      SWEEP_INTERVAL_SECONDS: '1',
    });
    someone = await brief.signUp();
  });
  afterAll(() => brief.stop());

  it('a signed URL stops working, and a temporary file is gone, and then swept', async () => {
    await makePersona(someone, brief);
    const ticket = await allocate('x12tmp-picture.png', brief, someone);
    expect((await put(ticket.signed_url, png)).status).toBe(200);
    await sleep(Date.parse(ticket.expires_at) - Date.now());
    expectRefusal(await put(ticket.signed_url, png), 403, 'forbidden');
    expect((await finalize(ticket.final_url, brief, someone)).status).toBe(200);
    const finalizedAt = Date.now();
    const file = await get(ticket.final_url);
    expect(file.status).toBe(200);
    expect(file.headers.get('cache-control')).toMatch(/^public, max-age=[01]$/);
    expect(Date.parse(file.headers.get('expires')!)).toBeLessThanOrEqual(finalizedAt + 2000);

    await sleep(2100);
    const isOver = async () => {
      expect((await get(ticket.final_url)).status).toBe(404);
      expectRefusal(await finalize(ticket.final_url, brief, someone), 410, 'file_expired');
    };
    await isOver();
    await untilFilesAreObjects();
    await isOver();
  });

  it('the files of a deleted persona are gone', async () => {
    const persona = await makePersona(someone, brief);
    const url = await saved('one.png', png, persona, brief, someone);
    expect((await get(url)).status).toBe(200);
    await brief.call('DELETE', `/v2/personas/${persona}`, { token: someone.token });
    expect((await finalize(url, brief, someone)).status).toBe(404);
    await eventually(async () => (await get(url)).status === 404);
    await untilFilesAreObjects();
  });

  /** Two files on the disk for each that is recorded. */
  const untilFilesAreObjects = () =>
    eventually(async () => {
      const rows = await brief.database.query('select id from files where expires_at is null');
      return (await storedFiles(brief, 'files')).length === 2 * rows.length;
    });
});

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
