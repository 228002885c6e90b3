/** @tier deep, 50 s, about libs/adapters/images */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA } from 'thumbhash';
import { SharpPictures } from '#adapters/images';
import { provenanceOf, xmpPacketOf } from '#files';
import { THUMBNAIL_EDGES } from '#sources';
import { anSvg, pictureDerivativesContract, temporaryFolder } from '#testing/sources';
import { readMark } from '../../libs/adapters/images/src/marks/marks.ts';
import { emptyPng, useBomb } from '../../libs/adapters/images/src/testing/hostile-pictures.ts';
import { photo } from '../../libs/adapters/images/src/testing/photo.ts';
const pictures = new SharpPictures();

pictureDerivativesContract('SharpPictures', () => ({ derivatives: pictures, pictures }));

const SECRET = 'Hauptstrasse 1';
const PACKET = xmpPacketOf(provenanceOf({ source: 'trainedAlgorithmicMedia', name: 'Theirs', generationId: 7 }));

const { fileAt, save, list } = temporaryFolder();

let files = 0;
async function derive(bytes: Buffer) {
  const file = await save(bytes, `picture-${++files}`);
  const original = `${file}-original`;
  const wishes = THUMBNAIL_EDGES.map((edge) => ({ edge, file: `${file}-${edge}` }));
  const made = await pictures.derive(file, { original, thumbnails: wishes });
  const thumbnails = await Promise.all(made.thumbnails.map(({ file }) => readFile(file)));
  return { ...made, bytes: thumbnails, original: await readFile(original) };
}

const plain = (width: number, height: number, background = '#888') =>
  sharp({ create: { width, height, channels: 3, background } });
const pngOf = (picture: Sharp) => picture.png().toBuffer();

/** Four quarters: red, green, blue and white. */
async function testCard(width: number, height: number): Promise<Buffer> {
  const quarter = (background: string) => pngOf(plain(width / 2, height / 2, background));
  const quarters = [
    { input: await quarter('#e02020'), left: 0, top: 0 },
    { input: await quarter('#20c020'), left: width / 2, top: 0 },
    { input: await quarter('#2040e0'), left: 0, top: height / 2 },
  ];
  return pngOf(plain(width, height, '#fff').composite(quarters));
}

/** Changes of an upright picture after which it stands upright once its orientation, from 1, is applied. */
const STORED_AS: readonly ((upright: Sharp) => Sharp)[] = [
  (upright) => upright,
  (upright) => upright.flop(),
  (upright) => upright.rotate(180),
  (upright) => upright.flip(),
  (upright) => upright.rotate(270).flop(),
  (upright) => upright.rotate(270),
  (upright) => upright.rotate(90).flop(),
  (upright) => upright.rotate(90),
];

async function stored(orientation: number, width = 1_200, height = 900): Promise<Sharp> {
  const turned = STORED_AS[orientation - 1]!(sharp(await testCard(width, height)));
  return sharp(await pngOf(turned)).withMetadata({ orientation });
}

/** The mean difference of two pictures of one size, 0 to 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((bytes) => pngOf(sharp(bytes).removeAlpha())));
  const differing = sharp(a).composite([{ input: b!, blend: 'difference' }]);
  const [red, green, blue] = (await sharp(await pngOf(differing)).stats()).channels;
  return (red!.mean + green!.mean + blue!.mean) / 3;
}

describe('all eight orientations', () => {
  it.each<[string, (picture: Sharp) => Sharp]>([
    ['JPEG', (picture) => picture.jpeg({ quality: 95 })],
    ['PNG', (picture) => picture.png()],
    ['WebP', (picture) => picture.webp({ quality: 95 })],
    ['TIFF', (picture) => picture.tiff({ compression: 'lzw' })],
  ])('of a %s come to the same upright picture', async (_, encode) => {
    const upright = await testCard(1_200, 900);
    const expected = await Promise.all(THUMBNAIL_EDGES.map((edge) => pngOf(sharp(upright).resize(edge))));
    for (let orientation = 1; orientation <= 8; orientation++) {
      const made = await derive(await encode(await stored(orientation)).toBuffer());
      expect([made.width, made.height]).toEqual([1_200, 900]);
      expect(made.thumbnails).toMatchObject([
        { width: 320, height: 240 },
        { width: 1024, height: 768 },
      ]);
      for (const [at, bytes] of made.bytes.entries()) {
        expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', space: 'srgb' });
        expect(await difference(bytes, expected[at]!)).toBeLessThan(2);
      }
      const original = await sharp(made.original).metadata();
      expect([original.width, original.height, original.orientation ?? 1]).toEqual([1_200, 900, 1]);
      expect(await difference(made.original, upright)).toBeLessThan(2);
    }
  });
});

describe('metadata', () => {
  const withSecrets = (picture: Sharp) =>
    picture
      .withIccProfile('p3')
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`)
      .withExifMerge({ IFD0: { Copyright: SECRET }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } });

  it.each<[string, number, (picture: Sharp) => Sharp]>([
    ['an upright JPEG', 1, (picture) => picture.jpeg()],
    ['a JPEG that has to be turned', 6, (picture) => picture.jpeg()],
    ['a PNG that has to be turned', 3, (picture) => picture.png()],
    ['a WebP that has to be turned', 8, (picture) => picture.webp()],
    ['an upright TIFF', 1, (picture) => picture.tiff()],
    ['a TIFF that has to be turned', 5, (picture) => picture.tiff()],
  ])('of %s is gone, and its colour profile is not', async (_, orientation, encode) => {
    const bytes = await encode(withSecrets(await stored(orientation, 320, 240))).toBuffer();
    expect(bytes.includes(SECRET)).toBe(true);
    const { original, bytes: thumbnails } = await derive(bytes);
    for (const clean of [original, ...thumbnails]) {
      expect(clean.includes(SECRET)).toBe(false);
      const { exif, xmp, iptc, orientation = 1 } = await sharp(clean).metadata();
      expect({ exif, xmp, iptc, orientation }).toEqual({ orientation: 1 });
    }
    const [before, after] = [await sharp(bytes).metadata(), await sharp(original).metadata()];
    expect(after.format).toBe(before.format);
    expect(after.icc).toEqual(before.icc);
    // Nothing else is to change.
    if (orientation === 1 && before.format === 'jpeg') expect(await difference(original, bytes)).toBe(0);
    for (const thumbnail of thumbnails) expect((await sharp(thumbnail).metadata()).icc).toBeUndefined();
  });
});

describe('a mark', () => {
  it.each([
    ['stands upright', 1],
    ['has to be turned', 6],
  ])('of a picture that %s is in its thumbnails and its original, which has no other metadata', async (_, side) => {
    const source = (await stored(side)).withExifMerge({ IFD0: { Copyright: SECRET } }).withXmp(PACKET);
    const made = await derive(await source.jpeg().toBuffer());
    expect([made.marking, made.original.includes(SECRET)]).toEqual(['marked', false]);
    const written = [{ file: fileAt(`picture-${files}-original`), type: 'image/jpeg' }];
    for (const { file } of made.thumbnails) written.push({ file, type: 'image/webp' });
    for (const { file, type } of written) {
      expect(await readMark(file, type)).toMatchObject({ creatorTool: 'Theirs', identifier: 'generation 7' });
    }
  });

  it('is in no thumbnail of a picture without one', async () => {
    const { bytes, marking } = await derive(await (await stored(1)).jpeg().toBuffer());
    expect(marking).toBeNull();
    for (const thumbnail of bytes) expect(await sharp(thumbnail).metadata()).not.toHaveProperty('xmp');
  });
});

describe('colours', () => {
  const RED = [230, 40, 20] as const;
  const red = () => plain(400, 300, `rgb(${RED})`);
  const middleOf = async (bytes: Buffer): Promise<number[]> => [
    ...(await sharp(bytes).extract({ left: 5, top: 5, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
  ];
  const expectRed = (color: number[], tolerance: number) =>
    RED.forEach((value, at) => expect(Math.abs(color[at]! - value)).toBeLessThan(tolerance));
  const SIDEWAYS = { orientation: 6 };
  const cmyk = (picture: Sharp) => picture.toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 98 });
  it.each<[string, number, () => Sharp]>([
    ['in sRGB', 4, () => red().jpeg()],
    ['in Display P3', 4, () => red().withIccProfile('p3').png()],
    ['in Display P3, to be turned', 4, () => red().withMetadata(SIDEWAYS).withIccProfile('p3').jpeg({ quality: 98 })],
    ['in Display P3 with 16 bits', 4, () => red().toColourspace('rgb16').withIccProfile('p3').png()],
    ['in CMYK', 14, () => cmyk(red())],
    ['in CMYK, to be turned', 14, () => cmyk(red().withMetadata(SIDEWAYS))],
  ])('%s look the same in thumbnails and in the original', async (_, tolerance, make) => {
    const source = await make().toBuffer();
    const { bytes, original } = await derive(source);
    for (const thumbnail of bytes) expectRed(await middleOf(thumbnail), tolerance);
    const about = await sharp(original).metadata();
    expect(about).toMatchObject({ space: (await sharp(source).metadata()).space });
    expectRed(await middleOf(await pngOf(sharp(original).withIccProfile('srgb'))), tolerance);
  });

  it('without colour stay grey', async () => {
    const { bytes } = await derive(await plain(400, 300, '#777').toColourspace('b-w').jpeg().toBuffer());
    const [red, green, blue] = await middleOf(bytes[0]!);
    expect([green, blue]).toEqual([red, red]);
  });

  it('that are not there stay transparent', async () => {
    const { bytes, placeholder } = await derive(await pngOf(red().ensureAlpha(0)));
    for (const thumbnail of bytes) {
      const { channels } = await sharp(thumbnail).stats();
      expect(channels[3]!.max).toBe(0);
    }
    expect(thumbHashToAverageRGBA(Buffer.from(placeholder, 'base64')).a).toBeLessThan(0.1);
  });
});

it('the placeholder has the colour and the shape of the picture', async () => {
  const { placeholder } = await derive(await plain(400, 200, '#e02020').jpeg().toBuffer());
  const hash = Buffer.from(placeholder, 'base64');
  const { r, g, b } = thumbHashToAverageRGBA(hash);
  expect([r > 0.8, Math.max(g, b) < 0.25]).toEqual([true, true]);
  expect(thumbHashToApproximateAspectRatio(hash)).toBeGreaterThan(1.5);
});

it.each(['gif', 'webp'] as const)('an animated %s keeps its frames, and is shown by its first', async (format) => {
  const frames = ['#e02020', '#2040e0'].map((background) => pngOf(plain(400, 300, background)));
  const animation = sharp(await Promise.all(frames), { join: { animated: true } }).toFormat(format);
  const made = await derive(await animation.toBuffer());
  expect(await sharp(made.original).metadata()).toMatchObject({ format, pages: 2 });
  expect([made.width, made.height]).toEqual([400, 300]);
  expect(await sharp(made.bytes[0]).metadata()).toMatchObject({ width: 320, height: 240 });
  const { channels } = await sharp(made.bytes[0]).stats();
  expect(channels[0]!.mean).toBeGreaterThan(200);
});

it.each([
  [1, 1, '1×1'],
  [320, 320, '320×320'],
  [321, 1, '320×1 321×1'],
  [1, 10_000, '1×320 1×1024'],
  [1_025, 1_024, '320×320 1024×1023'],
])('a picture of %d × %d is made as small as is asked, never larger, and never twice', async (width, height, sizes) => {
  const made = await derive(await pngOf(plain(width, height)));
  expect([made.width, made.height]).toEqual([width, height]);
  expect(made.thumbnails.map(({ width, height }) => `${width}×${height}`).join(' ')).toBe(sizes);
});

it('a drawing is drawn for its thumbnails, transparent where there is nothing', async () => {
  const circle = anSvg({ width: 10, height: 5, content: '<circle cx="5" cy="2.5" r="2.5" fill="red"/>' });
  const file = await save(circle, 'drawing');
  const target = fileAt('drawing-1024');
  const made = await pictures.derive(file, { original: null, thumbnails: [{ edge: 1024, file: target }] });
  expect(made).toMatchObject({ contentType: 'image/svg+xml', width: 10, height: 5 });
  expect(made.thumbnails).toMatchObject([{ width: 1024, height: 512 }]);
  const { data, info } = await sharp(target).raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(4);
  expect(data[3]).toBe(0);
  expect(data[4 * (256 * 1024 + 512) + 3]).toBe(255);
});

it('a picture of 48 megapixels, as phones take them, is turned and made small', async () => {
  const sideways = plain(8_000, 6_000, '#536').withMetadata({ orientation: 6 });
  const made = await derive(await sideways.jpeg().toBuffer());
  expect([made.width, made.height]).toEqual([6_000, 8_000]);
  expect(await sharp(made.original).metadata()).toMatchObject({ width: 6_000, height: 8_000 });
});

describe('a target folder that cannot be written', () => {
  const nowhere = fileAt('no-folder/file');
  it.each([
    ['a thumbnail', { original: null, thumbnails: [{ edge: 320, file: nowhere }] }],
    ['the upright original', { original: nowhere, thumbnails: [] }],
  ])('does not make a picture unreadable: %s', async (_, targets) => {
    const file = await save(await (await stored(6)).jpeg().toBuffer(), 'turned');
    await expect(pictures.derive(file, targets)).rejects.toThrow(/^cannot derive: /);
  });
});

describe('a hostile picture', () => {
  const svg = (content: string) => anSvg({ width: 100, height: 100, content });
  it.each<[string, () => Buffer | Promise<Buffer>, code?: string]>([
    ['a PNG of one pixel row too many', () => emptyPng(5_000, 10_001), 'picture_too_large'],
    ['a use bomb in SVG', () => svg(useBomb(17))],
    ['an AVIF', () => Buffer.from('\0\0\0\x20ftypavif\0\0\0\0avifmif1miaf', 'latin1')],
    ['a JPEG that breaks off', () => brokenOff(1)],
    ['a JPEG to be turned that breaks off', () => brokenOff(6)],
  ])('is refused for good, and nothing is left of it: %s', async (_, make, code = 'not_an_image') => {
    await expect(derive(await make())).rejects.toMatchObject({ code, retryable: false });
    expect(await list()).toEqual([`picture-${files}`]);
  });
});

async function brokenOff(orientation: number): Promise<Buffer> {
  return (await photo(300, 200).withMetadata({ orientation }).jpeg().toBuffer()).subarray(0, -2_000);
}
