/** @tier test, 15 s */
import { beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { NO_CUSTOM_DATA } from '#kernel';
import { expectRefusal } from '../support/expectations.ts';
import {
  allocate,
  finalize,
  get,
  makePersona,
  personaId,
  png,
  put,
  saved,
  service,
  storedFiles,
  user,
  type Ticket,
} from '../support/upload-stage.ts';
it('takes a photograph from the client to its public URL', async () => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 };
  const photo = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'white', noise } })
    .jpeg({ quality: 80 })
    .toBuffer();
  expect(photo.length).toBeGreaterThan(3_000_000);

  const before = Date.now();
  const ticket = await allocate('holiday photo.jpg');
  expect(Object.keys(ticket).sort()).toEqual([
    'customer',
    'expires_at',
    'final_url',
    'headers',
    'metadata',
    'signed_url',
    'status',
    'upload_id',
  ]);
  expect(ticket.headers).toMatchObject({ 'Content-Type': 'image/jpeg', 'Cache-Control': 'max-age=315360000' });
  expect(Date.parse(ticket.headers.Expires!)).toBeGreaterThan(Date.now());
  expect(ticket.final_url.endsWith('/holiday%20photo.jpg')).toBe(true);
  const end = Date.parse(ticket.expires_at) - 1_800_000;
  expect([end >= before, end <= Date.now()]).toEqual([true, true]);

  expect((await get(ticket.final_url)).status).toBe(404);
  const sent = await put(ticket.signed_url, photo, ticket.headers);
  expect(sent.status).toBe(200);
  expect((await get(ticket.final_url)).status).toBe(404);

  const { status, body } = await finalize(ticket.final_url);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ...{ status: true, url: ticket.final_url, size: photo.length, content_type: 'image/jpeg', expires_at: null },
      ...NO_CUSTOM_DATA,
    },
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
    for (const parts of ['0', '10001']) expectRefusal(await askFor(parts), 400, 'validation_failed', 'parts');
    const { body } = await askFor('');
    expect(body).toMatchObject({ signed_url: expect.any(String) });
    expect(body).not.toHaveProperty('parts');
  });

  it('is too large when its parts together are, and then no part stays', async () => {
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
});

describe('an allocation is refused', () => {
  const post = (json: object, by = user) => service.call('POST', '/v2/upload', { token: by.token, json });

  it.each([
    ['no name', {}, 400, 'validation_failed', 'filename'],
    ['a path', { filename: '../a.png' }, 400, 'validation_failed', 'filename'],
    ['an unsupported file type', { filename: 'a.png.html' }, 415, 'unsupported_file_type', undefined],
    ['the pid 0', { filename: 'a.png', pid: '0' }, 400, 'validation_failed', 'pid'],
  ])('for %s', async (_, json, status, code, field) => {
    expectRefusal(await post(json), status, code, field);
  });

  it('for a persona that is unknown or of another workspace, which look alike', async () => {
    const outsider = await service.signUp();
    const unknown = await post({ filename: 'a.png', pid: 999_999_999 });
    const foreign = await post({ filename: 'a.png', pid: await makePersona(outsider) });
    expectRefusal(unknown, 404, 'not_found');
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });
});

it('a file is served under its name, normalized and percent-encoded, whatever characters it has', async () => {
  const url = await saved('a?b#c%2Fd a\u0308 100% 🦊.png', png);
  expect(decodeURIComponent(url.split('/').at(-1)!)).toBe('a?b#c%2Fd \u00e4 100% 🦊.png');
  expect((await get(url)).bytes.equals(png)).toBe(true);
  expect((await finalize(url)).status).toBe(200);
});

describe('a finalized upload', () => {
  it('runs no script where it is shown', async () => {
    const { headers } = await get(
      await saved('picture.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
  });

  it('must have the type of its name, or else it is deleted and can be sent again', async () => {
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

  it('must be an upload of the workspace, named by its URL', async () => {
    const { final_url, signed_url } = await allocate('picture.png');
    await put(signed_url, png);
    expectRefusal(await finalize(final_url, service, await service.signUp()), 404, 'not_found');
    for (const url of ['/files/a/b.png', 'file:///etc/passwd']) {
      expectRefusal(await finalize(url), 400, 'validation_failed', 'url');
    }
  });
});

describe("a persona's files", () => {
  const list = (persona: number | string, query = '', by = user) =>
    service.call('GET', `/v2/personas/${persona}/files${query}`, { token: by.token });

  it('are listed newest first', async () => {
    const persona = await makePersona(user);
    for (const filename of ['2.png', 'x12tmp-3.png']) await saved(filename, png, persona);
    const { status, body } = await list(persona);
    expect(status).toBe(200);
    const [temporary, permanent] = body.files;
    expect(body).toMatchObject({ files: { length: 2 }, next_cursor: null });
    expect(temporary).toMatchObject({ filename: 'x12tmp-3.png', temporary: true });
    expect(permanent).toMatchObject({
      id: expect.any(Number),
      filename: '2.png',
      url: expect.stringMatching(/\/files\/[\w-]+\/2\.png$/),
      size: png.length,
      content_type: 'image/png',
      temporary: false,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      expires_at: null,
    });
    expect(Date.parse(temporary.expires_at) - Date.parse(temporary.created_at)).toBe(7_200_000);
    expect((await list(persona, '?temporary=true')).body.files).toMatchObject([{ id: temporary.id }]);
    expect((await list(persona, '?temporary=false')).body.files).toMatchObject([{ id: permanent.id }]);
    expect((await list(persona, '?temporary=perhaps')).status).toBe(400);
  });

  it('are refused for what is no persona', async () => {
    expect((await list('x')).status).toBe(400);
    expect((await list(personaId, '?cursor=x')).status).toBe(400);
  });
});

it('a temporary file may be cached until its time is over', async () => {
  const ticket = await allocate('x12tmp-picture.png');
  expect((await put(ticket.signed_url, png)).status).toBe(200);
  expect((await finalize(ticket.final_url)).status).toBe(200);
  const { status, headers } = await get(ticket.final_url);
  expect([status, headers.get('cache-control')]).toEqual([200, expect.stringMatching(/^public, max-age=\d+$/)]);
  await service.database.query(`update files set expires_at = now() where filename = 'x12tmp-picture.png'`);
  expectRefusal(await finalize(ticket.final_url), 410, 'file_expired');
});
