/** @tier test */
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal } from '../support/expectations.ts';
import {
  MAX_BYTES,
  ORIGIN,
  allocate,
  beginPut,
  finalize,
  get,
  pathOf,
  png,
  put,
  rawRequest,
  saved,
  service,
  storedFiles,
} from '../support/upload-stage.ts';
describe('a signed URL', () => {
  it('accepts an object up to the limit, with and without Content-Length', async () => {
    const ticket = await allocate('video.mp4');
    const before = (await storedFiles()).length;
    const announced: Record<string, string> = { 'content-length': String(MAX_BYTES + 1) };
    for (const headers of [announced, { 'transfer-encoding': 'chunked' }]) {
      const response = await rawRequest('PUT', pathOf(ticket.signed_url), headers, Buffer.alloc(MAX_BYTES + 1));
      expect(response.status).toBe(413);
      expect(JSON.parse(response.text)).toMatchObject({ status: false, code: 'too_large' });
      expect((await storedFiles()).length).toBe(before);
    }
    expect((await put(ticket.signed_url, Buffer.alloc(MAX_BYTES))).status).toBe(200);
    expect((await storedFiles()).length).toBe(before + 2);
  });

  it('refuses an object beyond the limit before it has all bytes', async () => {
    const socket = beginPut((await allocate('video.mp4')).signed_url, MAX_BYTES + 1);
    const [response] = await once(socket, 'data');
    socket.destroy();
    expect(String(response)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('is valid for PUT as it was signed only, whatever the headers say', async () => {
    const one = await allocate('one.png');
    expectRefusal(await put(`${one.signed_url}&another=1`, png), 403, 'forbidden');
    for (const name of ['x-amz-copy-source', 'x-amz-acl', 'X-Amz-Meta-Anything']) {
      expectRefusal(await put(one.signed_url, png, { [name]: '/other/object' }), 403, 'forbidden');
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

  it('supports HEAD and conditional requests', async () => {
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
    const response = await get(url, { headers: { range } });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange(png.length));
    expect(response.headers.get('content-length')).toBe(String(part().length));
    expect(response.bytes.equals(part())).toBe(true);
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
    ['many parent folders', /.*/, '/files/..%2f..%2f..%2f..%2fetc%2fpasswd'],
    ['parent folders as they are', /.*/, '/files/../../../../../etc/passwd'],
    ['a NUL character', /$/, '%00'],
    ['two slashes', '/files/', '//files/'],
    ['a slash at the end', /$/, '/'],
    ['another case', '/files/', '/FILES/'],
    ['bytes that are no UTF-8', '/picture.png', '/%ff.png'],
    ['another name', 'picture.png', 'another.png'],
    ['an empty name', 'picture.png', ''],
    ['the staging place', /\/files\/(.*)\/picture.png/, '/storage/staging/$1'],
    ['the data folder', /.*/, '/files/files/00'],
  ])('is not there under %s', async (_, part, instead) => {
    const { status, text } = await rawRequest('GET', new URL(url).pathname.replace(part, instead));
    expect([400, 404]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({ status: false });
    expect(text).not.toContain(service.settings.data.folder);
  });

  it('cannot be written or deleted', async () => {
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
      expect((await fetch(url, { method })).status).toBe(404);
    }
    expect((await get(url)).bytes.equals(png)).toBe(true);
  });
});
