/** @tier test */
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { uploaded } from '../support/uploaded.ts';
import { usePictures, useService } from '../support/use-service.ts';
interface Item {
  readonly file_id: number;
  readonly url: string;
  readonly colors: readonly string[];
  readonly tags: readonly string[];
  readonly thumbnails: readonly { readonly url: string; readonly width: number; readonly height: number }[];
}

const server = usePictures();
const service = useService(() => ({ FETCH_ALLOWED_HOSTS: server.host }));
let token: string;
let stranger: string;
beforeAll(async () => {
  [token, stranger] = [(await service.signUp()).token, (await service.signUp()).token];
});

const call = (method: string, path: string, request: TestRequest = {}) =>
  service.call(method, path, { token, ...request });

const drawn = (background: string, stripe: string, format: 'png' | 'jpeg' = 'png') =>
  sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .composite([{ input: { create: { width: 120, height: 300, channels: 3, background: stripe } }, left: 40, top: 0 }])
    .toFormat(format)
    .toBuffer();

const upload = (filename: string, bytes: Buffer, by = token) => uploaded(service, { token: by }, filename, bytes);

async function search(query: Record<string, string | number>, by = token): Promise<Item[]> {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { status, body } = await call('GET', `/v2/library?${text}`, { token: by });
  expect([query, status]).toEqual([query, 200]);
  return body.items;
}

const found = async (query: Record<string, string | number>, by = token) =>
  (await search(query, by)).map(({ url }) => decodeURIComponent(new URL(url).pathname.split('/').at(-1)!));

const itemOf = async (filename: string, by = token): Promise<Item> =>
  (await search({ q: filename }, by)).find(({ url }) => url.endsWith(filename))!;

describe('pictures', () => {
  beforeAll(async () => {
    await upload('red.png', await drawn('#d02020', '#601010'));
    await upload('red-again.jpg', await drawn('#c82818', '#581008', 'jpeg'));
    await upload('blue.png', await drawn('#2040d0', '#e0e0f0'));
    await upload('x12tmp-red.png', await drawn('#d02020', '#601010'));
    await upload('theirs.png', await drawn('#d02020', '#601010'), stranger);
    await eventually(async () => (await search({})).every(({ colors }) => colors.length > 0));
    await eventually(async () => (await itemOf('theirs.png', stranger)).colors.length > 0);
  });

  it('are found by a colour and by likeness after the worker has looked at them', async () => {
    expect((await itemOf('red.png')).colors[0]).toBe('#d62121');
    expect(await found({ color: '#d02020' })).toEqual(['red.png', 'red-again.jpg']);
    expect(await found({ color: '#2040D0' })).toEqual(['blue.png']);
    expect(await found({ color: '#20d020' })).toEqual([]);
    const { file_id: like } = await itemOf('red.png');
    expect(await found({ like })).toEqual(['red-again.jpg']);
    expect(await found({ like, q: 'blue' })).toEqual([]);
  });

  it('have thumbnails, which are found by the URLs of files', async () => {
    const by = (await service.signUp()).token;
    const bytes = await sharp(await drawn('#20a040', '#e0e0f0'))
      .resize(1600, 1200)
      .jpeg()
      .toBuffer();
    await upload('large.jpg', bytes, by);
    await eventually(async () => (await itemOf('large.jpg', by)).colors.length > 0);
    const { url: original, thumbnails } = await itemOf('large.jpg', by);
    expect(thumbnails.map(({ width, height }) => [width, height])).toEqual([
      [320, 240],
      [1024, 768],
    ]);
    for (const { url, width } of thumbnails) {
      const response = await fetch(url);
      expect(response.headers.get('content-type')).toBe('image/webp');
      expect((await sharp(await response.arrayBuffer()).metadata()).width).toBe(width);
    }
    const temporary = await upload('x12tmp-large.jpg', bytes, by);
    const urls = [original, (await itemOf('blue.png')).url, temporary, 'https://example.com/a.png'].join(',');
    const pictures = async (): Promise<Item[]> => {
      const { body } = await call('GET', `/v2/library/thumbnails?${new URLSearchParams({ urls })}`, { token: by });
      return body.files.toSorted((a: Item) => (a.url === original ? -1 : 1));
    };
    await eventually(async () => (await pictures()).every((picture) => picture.thumbnails.length === 2));
    const facts = { content_type: 'image/jpeg', width: 1600, height: 1200, duration: null };
    expect(await pictures()).toEqual([
      { url: original, name: 'large.jpg', ...facts, placeholder: expect.any(String), thumbnails },
      {
        ...{ url: temporary, name: 'large.jpg', ...facts },
        ...{ placeholder: expect.any(String), thumbnails: [expect.anything(), expect.anything()] },
      },
    ]);
    expect(await found({}, by)).toEqual(['large.jpg']);
  });

  it('show what they are', async () => {
    const item = await itemOf('blue.png');
    expect(item).toEqual({
      file_id: item.file_id,
      customer: null,
      metadata: null,
      url: expect.stringMatching(/\/files\/.*\/blue\.png$/),
      name: 'blue.png',
      filename: 'blue.png',
      content_type: 'image/png',
      thumbnails: [expect.objectContaining({ width: 320 }), expect.objectContaining({ width: 400 })],
      placeholder: expect.any(String),
      kind: 'image',
      origin: 'upload',
      width: 400,
      height: 300,
      duration: null,
      prompt: null,
      model: null,
      persona_id: expect.any(Number),
      generation_id: null,
      batch_id: null,
      tags: [],
      rating: 0,
      colors: ['#2142d6', '#e7e7f7'],
      created_at: expect.any(String),
    });
  });

  it('are tagged one by one and many at once, in JSON and in forms', async () => {
    const [red, blue] = [await itemOf('red.png'), await itemOf('blue.png')];
    const ids = `${red.file_id}, ${blue.file_id}`;
    const first = await call('POST', '/v2/library/tag', { form: { file_ids: ids, add: 'Sky, SEA ', rating: 4 } });
    expect(first.body.items).toEqual([red, blue].map(({ file_id }) => ({ file_id, tags: ['sea', 'sky'], rating: 4 })));
    await call('POST', '/v2/library/tag', { json: { file_ids: [red.file_id], remove: ['sky'] } });
    expect(await found({ tag: 'sky,sea' })).toEqual(['blue.png']);
    expect(await found({ rating: 4, sort: 'newest' })).toEqual(['blue.png', 'red.png']);
    const tags = await call('GET', '/v2/tags?prefix=S&limit=1');
    expect(tags.body).toMatchObject({ tags: [{ tag: 'sea', items: 2 }], next_cursor: expect.any(String) });
    const rest = await call('GET', `/v2/tags?prefix=S&limit=1&cursor=${tags.body.next_cursor}`);
    expect(rest.body).toMatchObject({ tags: [{ tag: 'sky', items: 1 }], next_cursor: null });
    const cleared = await call('PUT', `/v2/library/${blue.file_id}`, { form: { tags: '', rating: 0, name: ' Sea ' } });
    expect(cleared.body.item).toMatchObject({ tags: [], rating: 0, name: 'Sea' });
    for (const name of ['', 'x'.repeat(256)]) {
      const refused = await call('PUT', `/v2/library/${blue.file_id}`, { form: { name } });
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['name']]);
    }
    const page = (await call('GET', '/v2/library?limit=2')).body;
    const next = (await call('GET', `/v2/library?cursor=${page.next_cursor}`)).body;
    expect([page.items.length, next.items.length, next.next_cursor]).toEqual([2, 1, null]);
  });
});

it('deleted items are gone at once, and come back from one entry of the trash', async () => {
  const { token: own } = await service.signUp();
  await upload('one.png', await drawn('#d02020', '#601010'), own);
  await upload('two.png', await drawn('#2040d0', '#e0e0f0'), own);
  const items = (await search({ sort: 'oldest' }, own)).map(({ file_id, url }) => ({ file_id, url }));
  const ids = items.map(({ file_id }) => file_id);
  const json = { file_ids: [...ids, 999_999] };
  const { status, body } = await call('POST', '/v2/library/delete', { token: own, json });
  expect([status, body]).toEqual([200, { status: true, file_ids: ids, trash_id: expect.any(Number) }]);
  expect(await found({}, own)).toEqual([]);
  for (const { url } of items) expect((await fetch(url)).status).toBe(404);
  const { trash } = (await call('GET', '/v2/trash', { token: own })).body;
  expect(trash).toMatchObject([{ id: body.trash_id, kind: 'item', item_id: ids[0], name: 'one.png', count: 2 }]);
  expect((await call('POST', `/v2/trash/${body.trash_id}/restore`, { token: own })).status).toBe(200);
  expect(await found({ sort: 'oldest' }, own)).toEqual(['one.png', 'two.png']);
  await eventually(async () => (await fetch(items[0]!.url)).status === 200);
  const again = await call('POST', '/v2/library/delete', { token: own, json: { file_ids: [999_999] } });
  expect(again.body).toMatchObject({ file_ids: [], trash_id: null });
  const one = await call('DELETE', `/v2/library/${ids[0]}`, { token: own });
  expect(one.body).toMatchObject({ file_ids: [ids[0]] });
  expectRefusal(await call('DELETE', `/v2/library/${ids[0]}`, { token: own }), 404, 'not_found');
  const tooMany = { file_ids: Array.from({ length: 501 }, (_, index) => index + 1) };
  const refused = await call('POST', '/v2/library/delete', { token: own, json: tooMany });
  expectRefusal(refused, 400, 'validation_failed', 'file_ids');
});

describe('a search', () => {
  it.each([
    ['q', 'x'.repeat(10_001)],
    ['color', '#12345'],
    ['kind', 'picture'],
    ['rating', '6'],
    ['like', '0'],
    ['tag', 'x'.repeat(200)],
    ['after', '2026-02-31'],
    ['sort', 'random'],
    ['sort', 'relevance'],
    ['limit', '201'],
    ['cursor', Buffer.from('newest:1:2:3').toString('base64url')],
    ['cursor', Buffer.from('newest:9999999999999999:1').toString('base64url')],
    ['cursor', Buffer.from('rating:1:1:1').toString('base64url')],
  ])('refuses %s %.40s', async (field, value) => {
    const { status, body } = await call('GET', `/v2/library?${new URLSearchParams({ [field]: value })}`);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  it('refuses too many ids', async () => {
    const file_ids = Array.from({ length: 501 }, (_, index) => index + 1);
    expectRefusal(await call('POST', '/v2/library/tag', { json: { file_ids } }), 400, 'validation_failed', 'file_ids');
  });

  it('is saved by name, listed, changed and deleted', async () => {
    const json = {
      name: 'Best',
      q: 'fox',
      tag: ['Sea'],
      after: '2026-01-02',
      kind: ['image'],
      sort: 'rating',
      source: 'generated',
    };
    const { status, body } = await call('POST', '/v2/searches', { json });
    expect(status).toBe(201);
    const { search: saved } = body;
    const filter = {
      q: 'fox',
      tag: ['sea'],
      after: '2026-01-02T00:00:00.000Z',
      kind: ['image'],
      sort: 'rating',
      source: 'generated',
    };
    expect(saved).toMatchObject({ name: 'Best', filter });
    expectRefusal(await call('POST', '/v2/searches', { json }), 409, 'conflict');
    const path = `/v2/searches/${saved.id}`;
    const renamed = await call('PUT', path, { form: { name: 'Better' } });
    expect(renamed.body.search).toMatchObject({ name: 'Better', filter });
    const changed = await call('PUT', path, { json: { rating: 4 } });
    expect(changed.body.search).toMatchObject({ name: 'Better', filter: { rating: 4 } });
    expect((await call('GET', '/v2/searches')).body.searches).toEqual([changed.body.search]);
    expect((await call('GET', '/v2/searches', { token: stranger })).body.searches).toEqual([]);
    await call('POST', '/v2/searches', { json: { name: 'Zoo' } });
    const page = (await call('GET', '/v2/searches?limit=1')).body;
    expect((await call('GET', `/v2/searches?cursor=${page.next_cursor}`)).body).toMatchObject({
      ...{ searches: [{ name: 'Zoo' }], next_cursor: null },
    });
    for (const cursor of ['Alps', Buffer.from('a\0').toString('base64url')]) {
      expectRefusal(await call('GET', `/v2/searches?cursor=${cursor}`), 400, 'validation_failed', 'cursor');
    }
    expect((await call('DELETE', path)).status).toBe(200);
    expectRefusal(await call('DELETE', path), 404, 'not_found');
  });
});
