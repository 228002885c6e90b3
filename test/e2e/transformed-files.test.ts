/** @tier test */
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { GRID, type PictureTransforms } from '#transformation';
import { pictureTransforms } from '#wiring';
import { photo } from '../../libs/adapters/images/src/testing/photo.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { itHere } from '../support/service.ts';
import { anSvg } from '#testing/sources';
import { get, ORIGIN, png, saved, service, user } from '../support/upload-stage.ts';

const BROWSER = 'image/avif,image/webp,image/png,*/*;q=0.8';

/** A response to a GET of the file with these options. */
async function ask(url: string, query: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await get(`${url}?${query}`, { headers, method });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { ...response, body: isJson ? JSON.parse(response.bytes.toString()) : null };
}

const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata();
  return `${width}x${height} ${format}`;
};

describe('a picture with options in its URL', () => {
  let url: string;
  beforeAll(async () => {
    url = await saved('photo.jpg', await photo(600, 400).jpeg().toBuffer());
  });

  it('is served as they say, for any page and for ever', async () => {
    const { status, headers, bytes } = await ask(url, 'w=300&fm=webp', ORIGIN);
    expect([status, await sizeOf(bytes)]).toEqual([200, '320x213 webp']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=315360000, immutable',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
    expect(headers.get('vary') ?? '').not.toContain('Accept');
    // Other options of the same step, and parameters that are none.
    expect((await ask(url, 'fm=webp&w=193&expires=1&x=y')).headers.get('etag')).toBe(headers.get('etag'));
  });

  it('has with `label` the text of the operator, and takes no other', async () => {
    const [plain, labelled] = [await ask(url, 'w=300&fm=png'), await ask(url, 'w=300&fm=png&label=true')];
    expect(await sizeOf(labelled.bytes)).toBe(await sizeOf(plain.bytes));
    expect(labelled.bytes.equals(plain.bytes)).toBe(false);
    expect((await ask(url, 'label=1&w=300&fm=png')).headers.get('etag')).toBe(labelled.headers.get('etag'));
    expectRefusal(await ask(url, 'w=300&label=Mine'), 400, 'validation_failed', 'label');
  });

  it('supports HEAD, conditional requests and ranges', async () => {
    const { headers, bytes } = await ask(url, 'w=64&fm=jpeg');
    const etag = headers.get('etag')!;
    const head = await ask(url, 'w=64&fm=jpeg', {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers.get('content-length')]).toEqual([
      200,
      0,
      String(bytes.length),
    ]);
    const known = await ask(url, 'w=64&fm=jpeg', { 'if-none-match': etag });
    expect([known.status, known.bytes.length, known.headers.get('etag')]).toEqual([304, 0, etag]);
    const part = await ask(url, 'w=64&fm=jpeg', { range: 'bytes=2-9' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-9/${bytes.length}`]);
    expect(part.bytes.equals(bytes.subarray(2, 10))).toBe(true);
    // A HEAD makes what nobody has asked for before.
    const made = await ask(url, 'w=128&fm=jpeg', {}, 'HEAD');
    expect(made.headers.get('content-type')).toBe('image/jpeg');
  });

  it.each([
    [BROWSER, 'image/avif', '128x85 heif'],
    ['image/webp,*/*', 'image/webp', '128x85 webp'],
    ['*/*', 'image/jpeg', '128x85 jpeg'],
  ])('is for Accept: %s a picture of %s', async (accept, type, expected) => {
    for (const query of ['w=128', 'w=128&fm=auto']) {
      const { headers, bytes } = await ask(url, query, { accept });
      expect([headers.get('content-type'), headers.get('vary'), await sizeOf(bytes)]).toEqual([
        type,
        'Accept',
        expected,
      ]);
    }
  });

  it.each(['w=0', 'w=2561', 'w=abc', 'w=64&w=128', 'h=-1', 'q=101', 'fit=stretch', 'fm=gif'])(
    'is refused with %s',
    async (query) => {
      expectRefusal(await ask(url, query), 400, 'validation_failed', query.split('=')[0]);
    },
  );

  it('is one of few, however many URLs there are', async () => {
    const before = await count();
    for (let at = 1; at <= 150; at++)
      expect((await ask(url, `w=${at}&q=${at % 50 || 1}&z=${at}&fm=webp`)).status).toBe(200);
    expect((await count()) - before).toBe(3);
  });

  it('is no longer there once the picture is deleted', async () => {
    const other = await saved('gone.png', png);
    expect((await ask(other, 'w=64')).status).toBe(200);
    const { body } = await service.call('GET', '/v2/library', { token: user.token });
    const item = body.items.find(({ url: of }: { url: string }) => of === other);
    expect((await service.call('DELETE', `/v2/library/${item.file_id}`, { token: user.token })).status).toBe(200);
    for (const query of ['w=64', 'w=128']) expectRefusal(await ask(other, query), 404, 'not_found');
  });

  it('ends with a temporary file', async () => {
    const temporary = await saved('x12tmp-a.png', png);
    const original = (await get(temporary)).headers;
    const { headers, status } = await ask(temporary, 'w=64');
    expect(status).toBe(200);
    expect(headers.get('expires')).toBe(original.get('expires'));
    expect(headers.get('cache-control')).not.toContain('immutable');
  });

  const count = async () => {
    const [row] = await service.database.query<{ count: number }>('select count(*)::integer from file_variants');
    return row!.count;
  };
});

describe('a file with options in its URL', () => {
  it.each<[string, Buffer | string]>([
    ['drawing.svg', anSvg()],
    ['model.gltf', '{"asset": {"version": "2.0"}}'],
    ['damaged.png', png.subarray(0, 60)],
  ])('is refused if it is %s', async (name, bytes) => {
    const url = await saved(name, bytes);
    expectRefusal(await ask(url, 'w=64'), 400, 'validation_failed', 'request');
    expect((await get(url)).status).toBe(200);
  });

  it('is not found if there is none', async () => {
    expectRefusal(await ask(`${service.baseUrl}/files/nobody/a.png`, 'w=64'), 404, 'not_found');
  });
});

describe('while pictures are being transformed', () => {
  itHere('one too many is refused for a moment, and other requests are answered', async () => {
    const url = await saved('busy.png', png);
    const transforms = service.api.app.get<PictureTransforms>(pictureTransforms, { strict: false });
    const { transform } = transforms;
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    transforms.transform = async (...order) => {
      begun++;
      await held;
      return transform.apply(transforms, order);
    };
    // Two are made, sixteen wait.
    const urls = ['jpeg', 'webp'].flatMap((format) => GRID.map((height) => `h=${height}&fm=${format}`));
    const refused: Awaited<ReturnType<typeof ask>>[] = [];
    const asked = urls.map(async (query) => {
      const response = await ask(url, query);
      if (response.status === 503) refused.push(response);
      return response.status;
    });
    await eventually(() => refused.length === urls.length - 18);
    for (const each of refused) {
      expectRefusal(each, 503, 'unavailable');
      expect(Number(each.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await get(url)).status).toBe(200);
    expect((await service.call('GET', '/v2/auth/me', { token: user.token })).status).toBe(200);
    // A call that has a place reads the picture before it transforms it.
    await eventually(() => begun >= 2);
    expect(begun).toBe(2);
    release();
    expect((await Promise.all(asked)).filter((status) => status === 200)).toHaveLength(18);
    transforms.transform = transform;
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(/^x12_variants_total\{outcome="refused"\} [1-9]/m);
    expect(metrics).toMatch(/^x12_variants_total\{outcome="made"\} [1-9]/m);
  });
});
