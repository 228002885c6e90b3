/** @tier test */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { prepared, useService } from '../support/use-service.ts';
const PLACE = '52,31.0N 13,24.0E';

const noise = (width: number) =>
  sharp({
    create: { width, height: 60, channels: 3, background: 'teal', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });

/** As a camera saves it: it says where it was taken. */
const photo = (encode = (picture: Sharp) => picture.jpeg(), orientation = 1): Promise<Buffer> =>
  encode(
    noise(80)
      .withMetadata({ orientation })
      .withExifMerge({ IFD0: { Copyright: PLACE }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><exif:GPSLatitude>${PLACE}</exif:GPSLatitude></x:xmpmeta>`),
  ).toBuffer();

const pixelsOf = (bytes: Buffer) => sharp(bytes).raw().toBuffer();

describe.each(['keep', 'strip'] as const)('with UPLOAD_METADATA=%s', (rule) => {
  const service = useService({ UPLOAD_METADATA: rule, MAX_MEDIA_BYTES: '200000' }, { worker: false });
  const user = prepared(() => service.signUp());

  /** The response of finalize for a picture. */
  async function send(bytes: Buffer, filename = 'photo.jpg') {
    const { token } = user;
    const { body: ticket } = await service.call('POST', '/v2/upload', { token, form: { filename } });
    await fetch(ticket.signed_url, { method: 'PUT', body: new Uint8Array(bytes) });
    return service.call('GET', `/v2/finalize_upload?url=${encodeURIComponent(ticket.final_url)}`, { token });
  }
  const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

  it('the API shows the rule to callers', async () => {
    const { body } = await service.call('GET', '/v2/auth/me', { token: user.token });
    expect(body.upload_metadata).toBe(rule);
  });

  it.each<[string, (picture: Sharp) => Sharp]>([
    ['photo.jpg', (picture) => picture.jpeg()],
    ['photo.png', (picture) => picture.png()],
    ['photo.webp', (picture) => picture.webp()],
    ['photo.tiff', (picture) => picture.tiff({ compression: 'lzw' })],
    ['x12tmp-photo.jpg', (picture) => picture.jpeg({ progressive: true })],
  ])(`${rule}s the metadata of the file %s, with unchanged pixels`, async (name, encode) => {
    const sent = await photo(encode);
    const { body } = await send(sent, name);
    const saved = await bytesAt(body.url);
    const isKept = [saved.equals(sent), saved.includes(PLACE)];
    expect([body.size, ...isKept]).toEqual([saved.length, rule === 'keep', rule === 'keep']);
    const { exif, xmp } = await sharp(saved).metadata();
    if (rule === 'strip') expect([exif, xmp]).toEqual([undefined, undefined]);
    expect((await pixelsOf(saved)).equals(await pixelsOf(sent))).toBe(true);
  });

  it('shows a photograph upright that was held sideways', async () => {
    const { body } = await send(await photo(undefined, 6));
    const saved = await bytesAt(body.url);
    expect((await sharp(saved).metadata()).autoOrient).toEqual({ width: 60, height: 80 });
    expect(saved.includes(PLACE)).toBe(rule === 'keep');
  });

  it('nothing stays on this machine but the files', async () => {
    const entries = await readdir(service.settings.data.folder, { recursive: true, withFileTypes: true });
    const places = entries.filter((entry) => entry.isFile()).map(({ parentPath }) => parentPath);
    expect(places.filter((place) => /\/(staging|frozen|incoming|tmp\/uploads)(\/|$)/.test(place))).toEqual([]);
  });

  it.each([
    ['that breaks off', async () => (await photo()).subarray(0, -40), 'file_type_mismatch'],
    ['of more bytes than are opened', () => noise(5_000).jpeg({ quality: 100 }).toBuffer(), 'too_large'],
  ])(`a picture %s is ${rule === 'keep' ? 'saved' : 'refused'}`, async (_what, make, code) => {
    const { body } = await send(await make());
    expect(body).toMatchObject(rule === 'keep' ? { status: true } : { status: false, code });
  });
});
