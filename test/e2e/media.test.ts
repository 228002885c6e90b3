import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { isGone } from '../support/expectations.ts';
import { startMediaServer, type MediaServer } from '../support/media-server.ts';
import { aVideo } from '../support/sample-video.ts';
import { itHere, startService, type TestService, type TestUser } from '../support/service.ts';
let server: MediaServer;
let service: TestService;
let ada: TestUser;
let board: string;
beforeAll(async () => {
  server = await startMediaServer();
  service = await startService({
    FETCH_ALLOWED_HOSTS: server.host,
    FETCH_TIMEOUT_SECONDS: '1',
    MAX_MEDIA_BYTES: '2000000',
    SWEEP_INTERVAL_SECONDS: '1',
  });
  ada = await service.signUp();
  const { body } = await call('POST', '/boards', { name: 'Board' });
  board = `/boards/${body.board.id}`;
});
afterAll(async () => {
  await service.stop();
  await server.stop();
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

async function upload(filename: string, bytes: Buffer, pid?: number): Promise<string> {
  const allocated = (await call('POST', '/v2/upload', { filename, pid })).body;
  expect((await fetch(allocated.signed_url, { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(200);
  const finalized = await call('GET', `/v2/finalize_upload?url=${encodeURIComponent(allocated.final_url)}`);
  expect(finalized.status).toBe(200);
  return allocated.final_url;
}

const photo = (width = 1_300, height = 900) =>
  sharp({ create: { width, height, channels: 3, background: '#c53' } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Copyright: 'Hauptstrasse 1' } })
    .jpeg()
    .toBuffer();

describe('a picture at a public URL', () => {
  it('is stored upright, without its metadata, with thumbnails and a placeholder', async () => {
    const url = server.serve(await photo());
    const created = await add({ url });
    expect(created).toMatchObject({ url: null, control_image: null, error: null, thumbnails: [] });
    const done = await settled(created.id);
    expect(done).toMatchObject({
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

describe('other kinds of media', () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="9" height="9"/></svg>';
  const scene = '{"asset":{"version":"2.0"},"scenes":[]}';
  const film = { content_type: 'video/mp4', width: 640, height: 360, duration: expect.closeTo(2, 1) };
  const svg = { content_type: 'image/svg+xml', width: 20, height: 10 };
  const model = { content_type: 'model/gltf+json', width: null };
  it.each<[string, () => Promise<Buffer> | Buffer, object, string[]]>([
    ['a video', () => aVideo({ width: 640, height: 360, seconds: 2 }), film, ['320x180', '640x360']],
    ['a drawing', () => Buffer.from(drawing), svg, ['320x160', '1024x512']],
    ['a model', () => Buffer.from(scene), model, []],
  ])('%s is stored as it is, and shown by thumbnails', async (_, make, facts, thumbnails) => {
    const bytes = await make();
    const { thumbnails: made, ...done } = await processed({ url: server.serve(bytes) });
    expect(done).toMatchObject({ state: 'processed', ...facts });
    expect(made.map(({ width, height }: Record<string, number>) => `${width}x${height}`)).toEqual(thumbnails);
    expect((await bytesAt(done.url)).equals(bytes)).toBe(true);
  });
});

describe('a stored file', () => {
  it('is used without a copy, and outlives its persona on a board', async () => {
    const persona = (await call('POST', '/v2/personas', { name: 'Short-lived' })).body.persona.id;
    const bytes = await photo(60, 40);
    const url = await upload('own.jpg', bytes, persona);
    const done = await processed({ url });
    expect(done).toMatchObject({ state: 'processed', url, width: 40, height: 60 });
    const trained = await call('POST', `/v2/personas/${persona}/trains`, { photo: url, slot: 1 });
    expect(trained.status).toBe(201);
    expect((await call('DELETE', `/v2/personas/${persona}`)).status).toBe(200);
    const { trash } = (await call('GET', '/v2/trash')).body;
    expect((await call('DELETE', `/v2/trash/${trash[0].id}`)).status).toBe(200);
    await eventually(async () => !(await service.database.one('select from personas where id = $1', [persona])));
    expect((await bytesAt(url)).equals(bytes)).toBe(true);

    expect((await call('DELETE', `${board}/media/${done.id}`)).status).toBe(200);
    await untilGone(url);
  });

  it('that is temporary is copied, so that it stays', async () => {
    const bytes = await photo(60, 40);
    const temporary = await upload('x12tmp-photo.jpg', bytes);
    const { state, url } = await processed({ url: temporary });
    expect([state, url === temporary]).toEqual(['processed', false]);
    expect(url).toMatch(/\/photo\.jpg$/);
    expect((await bytesAt(url)).equals(bytes)).toBe(true);
  });
});

describe('deleting', () => {
  it('one of two media leaves the file that both share', async () => {
    const url = await upload('shared.jpg', await photo(60, 40));
    const [one, other] = [await processed({ url }), await processed({ url })];
    await call('DELETE', `${board}/media/${one.id}`);
    await untilGone(one.thumbnails[0].url);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(other.thumbnails[0].url)).status).toBe(200);
  });

  itHere('a media while it waits for its source leaves nothing', async () => {
    const created = await add({ url: server.serve(await photo()), control_image: server.hang() });
    expect((await call('DELETE', `${board}/media/${created.id}`)).status).toBe(200);
    const { database } = service;
    await eventually(async () => {
      const waiting = await database.query(
        `select from jobs where name = 'files.reclaim' or name = 'media.process' and payload ->> 'mediaId' = $1`,
        [String(created.id)],
      );
      return waiting.length === 0;
    });
    const left = await database.query(
      `select id from files f
       where origin = 'import' and not exists (select from media_files where file_id = f.id)`,
    );
    expect(left).toEqual([]);
  });
});

describe('a source that can not be used', () => {
  const brokenPhoto = async () => (await photo()).subarray(0, 5_000);
  const brokenVideo = async () => (await aVideo({ width: 64, height: 64, seconds: 1 })).subarray(0, -9);
  it.each<[string, () => Promise<string> | string, string]>([
    ['redirects inward', () => server.redirect('http://169.254.169.254/latest/meta-data/'), 'url_blocked'],
    ['is not there', () => `http://${server.host}/missing`, 'url_unreachable'],
    ['is too large', () => server.serve(Buffer.alloc(2_000_001)), 'url_too_large'],
    ['is a page', () => server.serve(Buffer.from('<!doctype html><p>no picture')), 'unsupported_file_type'],
    ['is a picture that breaks off', async () => server.serve(await brokenPhoto()), 'not_an_image'],
    ['is a video that breaks off', async () => server.serve(await brokenVideo()), 'unsupported_file_type'],
  ])('fails, once, when it %s', async (_, make, error) => {
    const url = await make();
    const failed = await processed({ url });
    expect(failed).toMatchObject({ state: 'failed', error, url: null, control_image: null, thumbnails: [] });
    expect(server.requestsOf(url)).toBeLessThanOrEqual(1);
  });

  it('is tried again a few times after a failure that may pass, and delays no other import', async () => {
    const url = server.failOnce(await photo(60, 40));
    const hanging = await add({ url: server.hang() });
    const lying = await add({ url: server.breakOff(await photo()) });
    const done = await processed({ url });
    expect(done).toMatchObject({ state: 'processed', width: 40 });
    expect((await media(hanging.id)).state).toBe('created');
    expect((await media(lying.id)).state).toBe('created');
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
