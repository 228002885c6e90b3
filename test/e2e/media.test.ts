/** @tier test, 18 s */
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { isGone } from '../support/expectations.ts';
import { startMediaServer } from '../support/media-server.ts';
import { prepared, useService } from '../support/use-service.ts';
const server = prepared(startMediaServer);
const service = useService(() => ({ FETCH_ALLOWED_HOSTS: server.host, MAX_MEDIA_BYTES: '2000000' }));
const ada = prepared(() => service.signUp());
let board: string;
beforeAll(async () => {
  const { body } = await call('POST', '/boards', { name: 'Board' });
  board = `/boards/${body.board.id}`;
});

const call = (method: string, path: string, form?: TestRequest['form']) =>
  service.call(method, path, { token: ada.token, form });

const media = async (id: number) =>
  (await call('GET', `${board}/media`)).body.media.find((each: { id: number }) => each.id === id);
const settled = async (id: number) => {
  await eventually(async () => (await media(id)).state !== 'created');
  return media(id);
};
async function add(form: TestRequest['form']) {
  const { status, body } = await call('POST', `${board}/media`, form);
  expect([status, body.media?.state]).toEqual([201, 'created']);
  return body.media;
}
const processed = async (form: TestRequest['form']) => settled((await add(form)).id);
const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
const untilGone = (url: string) => eventually(() => isGone(url));

const photo = (width = 1_300, height = 900) =>
  sharp({ create: { width, height, channels: 3, background: '#c53' } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Copyright: 'Hauptstrasse 1' } })
    .jpeg()
    .toBuffer();

describe('a picture at a public URL', () => {
  it('is stored upright, without its metadata, with thumbnails and a placeholder', async () => {
    const url = server.serve(await photo());
    const name = url.split('/').at(-1);
    const created = await add({ url });
    expect(created).toMatchObject({ name, url: null, control_image: null, error: null, thumbnails: [] });
    const done = await settled(created.id);
    expect(done).toMatchObject({
      name,
      state: 'processed',
      error: null,
      control_image: null,
      width: 900,
      height: 1_300,
      duration: null,
      content_type: 'image/jpeg',
      placeholder: expect.stringMatching(/^[\w+/]{20,}=*$/),
      thumbnails: [
        { url: expect.any(String), width: 222, height: 320 },
        { url: expect.any(String), width: 709, height: 1_024 },
      ],
    });
    const renamed = await call('PUT', `${board}/media/${created.id}`, { name: 'Lake at dawn' });
    expect([renamed.status, renamed.body.media]).toEqual([200, { ...done, name: 'Lake at dawn' }]);
    expect(await media(created.id)).toEqual(renamed.body.media);
    const original = await bytesAt(done.url);
    expect(original.includes('Hauptstrasse')).toBe(false);
    expect(await sharp(original).metadata()).toMatchObject({ format: 'jpeg', width: 900, height: 1_300 });
    for (const { url, width, height } of done.thumbnails) {
      const response = await fetch(url);
      expect(response.headers.get('content-type')).toBe('image/webp');
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height });
    }
  });

  it('may come with a control image, and takes everything with it when it is deleted', async () => {
    const control = server.serve(await photo(40, 30));
    const both = await processed({ url: server.serve(await photo()), control_image: control });
    expect(both).toMatchObject({ state: 'processed', width: 900 });
    const found = await sharp(await bytesAt(both.control_image)).metadata();
    expect(found).toMatchObject({ width: 30, height: 40 });
    const urls = [both.url, both.control_image, ...both.thumbnails.map((each: { url: string }) => each.url)];
    for (const each of urls) expect((await fetch(each)).status).toBe(200);
    expect((await call('DELETE', `${board}/media/${both.id}`)).status).toBe(200);
    for (const each of urls) await untilGone(each);
  });
});

describe('a source that cannot be used', () => {
  it('is larger than MAX_MEDIA_BYTES, for example', async () => {
    const failed = await processed({ url: server.serve(Buffer.alloc(2_000_001)) });
    expect(failed).toMatchObject({ state: 'failed', error: 'url_too_large', url: null, thumbnails: [] });
  });

  it('can be given another try by the user, once it has failed', async () => {
    const url = `http://${server.host}/later`;
    const failed = await processed({ url });
    expect(failed).toMatchObject({ state: 'failed', error: 'url_unreachable' });
    server.serveAt('/later', await photo(60, 40));
    const retried = await call('POST', `${board}/media/${failed.id}/retry`);
    expect(retried).toMatchObject({ status: 200, body: { media: { state: 'created', error: null } } });
    expect(await settled(failed.id)).toMatchObject({ state: 'processed', error: null, width: 40 });
    expect((await call('POST', `${board}/media/${failed.id}/retry`)).body.code).toBe('conflict');
  });
});
