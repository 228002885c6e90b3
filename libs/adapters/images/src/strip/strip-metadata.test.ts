import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { temporaryFolder } from '#testing/sources';
import { UnreadablePicture } from './reader.ts';
import { stripMetadata } from './strip-metadata.ts';

const SECRET = 'Hauptstrasse 1';

describe('stripping metadata', () => {
  const { fileAt, save } = temporaryFolder();
  beforeAll(() => {
    // Blocking is for the whole process: suites that ran before in this worker import code that blocks loaders.
    sharp.unblock({ operation: ['VipsForeignLoad'] });
  });

  const noise = (width: number, height: number, sigma: number) =>
    ({ width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma } }) as const;
  const picture = (): Sharp =>
    sharp({ create: noise(64, 48, 60) })
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: SECRET }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`);

  async function stripped(bytes: Buffer, contentType: string): Promise<Buffer> {
    const target = fileAt('target');
    await stripMetadata(await save(bytes, 'source'), target, contentType);
    return readFile(target);
  }

  async function samePixels(one: Buffer, other: Buffer): Promise<boolean> {
    return (await sharp(one).raw().toBuffer()).equals(await sharp(other).raw().toBuffer());
  }

  const FORMATS: [string, string, (from: Sharp) => Sharp][] = [
    ['a baseline JPEG', 'image/jpeg', (from) => from.jpeg()],
    ['a progressive JPEG', 'image/jpeg', (from) => from.jpeg({ progressive: true })],
    ['a PNG', 'image/png', (from) => from.png()],
    ['a lossy WebP', 'image/webp', (from) => from.webp()],
    ['a lossless WebP', 'image/webp', (from) => from.webp({ lossless: true })],
  ];

  it.each(FORMATS)(
    'takes EXIF, GPS, XMP and what follows its end off %s, and leaves pixels and colour profile',
    async (_, type, encode) => {
      const bytes = await encode(picture()).toBuffer();
      expect(bytes.includes(SECRET)).toBe(true);
      const clean = await stripped(bytes, type);
      const about = await sharp(clean).metadata();
      expect([about.exif, about.xmp, about.iptc]).toEqual([undefined, undefined, undefined]);
      expect(about.icc).toBeDefined();
      expect(clean.includes(SECRET)).toBe(false);
      expect(await samePixels(clean, bytes)).toBe(true);
      const withMore = Buffer.concat([bytes, bytes, Buffer.from(SECRET)]);
      expect((await stripped(withMore, type)).equals(clean)).toBe(true);
    },
  );

  it('keeps the frames and the loop of an animated GIF, and drops its comment', async () => {
    const frame = (background: string) => sharp({ create: { width: 16, height: 16, channels: 3, background } }).png();
    const frames = [await frame('#f00').toBuffer(), await frame('#00f').toBuffer()];
    const animated = await sharp(frames, { join: { animated: true } })
      .gif({ loop: 3 })
      .toBuffer();
    const comment = Buffer.from(`\x21\xfe${String.fromCharCode(SECRET.length)}${SECRET}\0`, 'latin1');
    const head = 13 + 3 * 2 ** ((animated[10]! & 7) + 1);
    const bytes = Buffer.concat([animated.subarray(0, head), comment, animated.subarray(head)]);
    const clean = await stripped(bytes, 'image/gif');
    expect(clean.equals(animated)).toBe(true);
    expect((await stripped(bytes.subarray(0, -1), 'image/gif')).equals(animated)).toBe(true);
    expect(await sharp(clean).metadata()).toMatchObject({ pages: 2, loop: 3 });
  });

  it('reads long pictures block by block, restart markers and stuffed bytes included', async () => {
    const large = sharp({ create: noise(900, 900, 90) }).withExif({ IFD0: { Copyright: SECRET } });
    const bytes = await large.jpeg({ quality: 100 }).toBuffer();
    expect(bytes.length).toBeGreaterThan(1_000_000);
    const clean = await stripped(bytes, 'image/jpeg');
    expect(await samePixels(clean, bytes)).toBe(true);
    expect(clean.length).toBeLessThan(bytes.length);
  });

  it.each(FORMATS)('refuses %s that breaks off', async (_, type, encode) => {
    const bytes = await encode(picture()).toBuffer();
    for (const length of [0, 1, 5, 11, 20, bytes.length >> 1, bytes.length - 3]) {
      await expect(stripped(bytes.subarray(0, length), type)).rejects.toThrow(UnreadablePicture);
    }
  });

  it.each([...FORMATS, ['a TIFF', 'image/tiff', (from: Sharp) => from.tiff()] as const])(
    'leaves of the EXIF of %s the orientation alone',
    async (_, type, encode) => {
      const turned = await encode(picture().withMetadata({ orientation: 6 })).toBuffer();
      const clean = await stripped(turned, type);
      const { orientation, icc, xmp, autoOrient } = await sharp(clean).metadata();
      expect([orientation, icc === undefined, xmp]).toEqual([6, false, undefined]);
      expect(autoOrient).toEqual({ width: 48, height: 64 });
      expect(await samePixels(clean, turned)).toBe(true);
    },
  );
});
