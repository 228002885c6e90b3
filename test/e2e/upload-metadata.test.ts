import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { startService, type TestService, type TestUser } from '../support/service.ts';
const PLACE = '52,31.0N 13,24.0E';
const MAX_MEDIA_BYTES = 200_000;

const FORMATS: readonly [string, (picture: Sharp) => Sharp][] = [
  ['photo.jpg', (picture) => picture.jpeg()],
  ['photo.png', (picture) => picture.png()],
  ['photo.webp', (picture) => picture.webp()],
  ['photo.tiff', (picture) => picture.tiff({ compression: 'lzw' })],
  ['x12tmp-photo.jpg', (picture) => picture.jpeg({ progressive: true })],
];

const noise = (width: number) =>
  sharp({
    create: { width, height: 60, channels: 3, background: 'teal', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });

/** As a camera saves it: it says where it was taken. */
const photo = (encode: (picture: Sharp) => Sharp, orientation = 1): Promise<Buffer> =>
  encode(
    noise(80)
      .withMetadata({ orientation })
      .withExifMerge({ IFD0: { Copyright: PLACE }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><exif:GPSLatitude>${PLACE}</exif:GPSLatitude></x:xmpmeta>`),
  ).toBuffer();

const pixelsOf = (bytes: Buffer) => sharp(bytes).raw().toBuffer();

async function send(service: TestService, { token }: TestUser, filename: string, bytes: Buffer) {
  const { body: ticket } = await service.call('POST', '/v2/upload', { token, form: { filename } });
  await fetch(ticket.signed_url, { method: 'PUT', body: new Uint8Array(bytes) });
  const url = `/v2/finalize_upload?url=${encodeURIComponent(ticket.final_url)}`;
  return () => service.call('GET', url, { token });
}

describe.each(['keep', 'strip'] as const)('with UPLOAD_METADATA=%s', (rule) => {
  let service: TestService;
  let user: TestUser;
  beforeAll(async () => {
    const settings = { UPLOAD_METADATA: rule, MAX_MEDIA_BYTES: String(MAX_MEDIA_BYTES) };
    service = await startService(settings, { worker: false });
    user = await service.signUp();
  });
  afterAll(() => service.stop());

  it('the API shows the rule to callers', async () => {
    const { body } = await service.call('GET', '/v2/auth/me', { token: user.token });
    expect(body.upload_metadata).toBe(rule);
  });

  it.each(FORMATS)(`${rule}s the metadata of the file %s, with unchanged pixels`, async (name, encode) => {
    const sent = await photo(encode);
    expect(sent.includes(PLACE)).toBe(true);
    const finalize = await send(service, user, name, sent);
    const { status, body } = await finalize();
    expect({ status, size: body.size }).toMatchObject({ status: 200 });
    const response = await fetch(body.url);
    const saved = Buffer.from(await response.arrayBuffer());
    expect(saved.equals(sent)).toBe(rule === 'keep');
    expect(saved.includes(PLACE)).toBe(rule === 'keep');
    const { exif, xmp } = await sharp(saved).metadata();
    if (rule === 'strip') expect([exif, xmp]).toEqual([undefined, undefined]);
    expect((await pixelsOf(saved)).equals(await pixelsOf(sent))).toBe(true);
    expect([body.size, response.headers.get('content-length')]).toEqual([saved.length, String(saved.length)]);
    expect(response.headers.get('content-type')).toBe(body.content_type);
    const again = await finalize();
    expect(again.body).toEqual(body);
    expect((await fetch(body.url, { method: 'HEAD' })).headers.get('etag')).toBe(response.headers.get('etag'));
  });

  it('a photograph that was held sideways is still shown upright', async () => {
    const sent = await photo((picture) => picture.jpeg(), 6);
    const { body } = await (await send(service, user, 'sideways.jpg', sent))();
    const saved = Buffer.from(await (await fetch(body.url)).arrayBuffer());
    expect((await sharp(saved).metadata()).autoOrient).toEqual({ width: 60, height: 80 });
    expect(saved.includes(PLACE)).toBe(rule === 'keep');
  });

  it('nothing stays on this machine but the files', async () => {
    const entries = await readdir(service.settings.data.folder, { recursive: true, withFileTypes: true });
    const places = entries.filter((entry) => entry.isFile()).map(({ parentPath }) => parentPath);
    expect(places.filter((place) => /\/(staging|frozen|incoming|tmp\/uploads)(\/|$)/.test(place))).toEqual([]);
  });

  it.each([
    ['that breaks off', async () => (await photo((picture) => picture.jpeg())).subarray(0, -40), 'file_type_mismatch'],
    ['of more bytes than are opened', () => noise(5_000).jpeg({ quality: 100 }).toBuffer(), 'too_large'],
  ])(`a picture %s is ${rule === 'keep' ? 'saved' : 'refused'}`, async (_what, make, code) => {
    const sent = await make();
    const { status, body } = await (await send(service, user, 'photo.jpg', sent))();
    if (rule === 'keep') expect({ status, size: body.size }).toEqual({ status: 200, size: sent.length });
    else expect(body).toMatchObject({ status: false, code });
  });
});
