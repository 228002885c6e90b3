/** @tier deep, 70 s, about libs/adapters/images */
import { describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { SourceFailure, type PictureFacts, type SourceFailureCode } from '#sources';
import { anSvg, aPng, picturesContract, temporaryFolder } from '#testing/sources';
import { SharpPictures } from '#adapters/images';
import {
  emptyPng,
  endlessTiffs,
  filterBomb,
  gifOf,
  jpegOfScans,
  metadataBombs,
  pngHeader,
  textBomb,
  tiffOf,
  useBomb,
  webpOf,
} from '../../libs/adapters/images/src/testing/hostile-pictures.ts';
import { photo } from '../../libs/adapters/images/src/testing/photo.ts';
import { childSeconds } from '../support/child-seconds.ts';

const pictures = new SharpPictures();

picturesContract('SharpPictures', () => pictures);

const { fileAt, save, list } = temporaryFolder();
const examine = async (bytes: Buffer | string): Promise<PictureFacts> => pictures.examine(await save(bytes, 'picture'));
const ANY_IMAGE = { contentType: expect.stringMatching(/^image\//) };
const expectRefusal = async (examined: Promise<unknown>, code: SourceFailureCode): Promise<void> => {
  const failure = await examined.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SourceFailure);
  expect(failure).toMatchObject({ code, retryable: false });
};
const expectNoImage = (examined: Promise<unknown>): Promise<void> => expectRefusal(examined, 'not_an_image');

describe('A picture', () => {
  const small = photo(40, 30);
  const animated = async () => {
    const frames = await Promise.all(['a', 'b', 'c'].map((seed) => photo(40, 30, seed).png().toBuffer()));
    return sharp(frames, { join: { animated: true } });
  };

  it.each<[string, string, () => Promise<Buffer>]>([
    ['a JPEG', 'image/jpeg', () => small.clone().jpeg().toBuffer()],
    ['a progressive JPEG', 'image/jpeg', () => small.clone().jpeg({ progressive: true }).toBuffer()],
    ['a JPEG in CMYK', 'image/jpeg', () => small.clone().toColourspace('cmyk').jpeg().toBuffer()],
    ['a PNG', 'image/png', () => small.clone().png().toBuffer()],
    ['an interlaced PNG', 'image/png', () => small.clone().png({ progressive: true }).toBuffer()],
    ['a PNG of 16 bits', 'image/png', () => small.clone().toColourspace('rgb16').png().toBuffer()],
    ['a PNG with a palette', 'image/png', () => small.clone().png({ palette: true }).toBuffer()],
    ['a WebP', 'image/webp', () => small.clone().webp().toBuffer()],
    ['a WebP without loss', 'image/webp', () => small.clone().webp({ lossless: true }).toBuffer()],
    ['an animated WebP', 'image/webp', async () => (await animated()).webp().toBuffer()],
    ['a GIF', 'image/gif', () => small.clone().gif().toBuffer()],
    ['an animated GIF', 'image/gif', async () => (await animated()).gif().toBuffer()],
    ['a TIFF', 'image/tiff', () => small.clone().tiff().toBuffer()],
    ['a tiled TIFF', 'image/tiff', () => small.clone().tiff({ tile: true, compression: 'lzw' }).toBuffer()],
    ['a TIFF in CMYK', 'image/tiff', () => small.clone().toColourspace('cmyk').tiff().toBuffer()],
    ['an SVG', 'image/svg+xml', async () => anSvg({ width: 40, height: 30 })],
  ])('may be %s', async (_what, contentType, make) => {
    await expect(examine(await make())).resolves.toEqual({ contentType, width: 40, height: 30 });
  });

  it('is as wide and high as it looks, not as it is stored, whatever comes after its end', async () => {
    const sideways = await photo(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const page = Buffer.from('<html><script>alert(1)</script></html>');
    for (const bytes of [sideways, Buffer.concat([sideways, page])]) {
      await expect(examine(bytes)).resolves.toEqual({ contentType: 'image/jpeg', width: 30, height: 40 });
    }
  });

  it('of 12 megapixels is read in little time', async () => {
    const bytes = await photo(1_000, 750).resize(4_000, 3_000).jpeg({ quality: 90 }).toBuffer();
    const file = await save(bytes, 'picture');
    const before = await childSeconds();
    await expect(pictures.examine(file)).resolves.toMatchObject({ width: 4_000, height: 3_000 });
    expect((await childSeconds()) - before).toBeLessThan(3);
  });

  it('may have just as many pixels, pages and bytes as allowed', async () => {
    const still = await photo(16, 16).webp().toBuffer();
    const deep = { depth: 16, color: 6 };
    for (const [most, more] of [
      [emptyPng(5_000, 10_000), emptyPng(5_000, 10_001)],
      [emptyPng(5_000, 5_000, deep), emptyPng(5_000, 5_001, deep)],
      [gifOf(2_000), gifOf(2_001)],
      [tiffOf(2_000), tiffOf(2_001)],
      [webpOf(2_000, still), webpOf(2_001, still)],
    ] as const) {
      await expect(examine(most)).resolves.toMatchObject(ANY_IMAGE);
      await expectRefusal(examine(more), 'picture_too_large');
    }
  });
});

describe('A mask', () => {
  const SIZE = { width: 4, height: 2 };
  /** The upper half is white. */
  const mask = (ground: string, size = SIZE) =>
    sharp({ create: { ...size, channels: 4, background: ground } }).composite([
      {
        input: { create: { width: size.width, height: size.height / 2, channels: 3, background: '#fff' } },
        gravity: 'north',
      },
    ]);
  const written = async (bytes: Buffer, form: 'white' | 'black' | 'transparent', size = SIZE) => {
    const { isEmpty } = await pictures.mask(await save(bytes, 'picture'), fileAt('mask'), { ...size, form });
    const read = sharp(fileAt('mask'));
    const { data, info } = await (form === 'transparent' ? read : read.toColourspace('b-w'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { isEmpty, data: [...data], info };
  };

  it.each(['#000', '#0000'])('on the ground %s is written as each vendor takes it', async (ground) => {
    const bytes = await mask(ground).png().toBuffer();
    const half = (upper: number[], lower: number[]) => [...Array(4).fill(upper).flat(), ...Array(4).fill(lower).flat()];
    expect(await written(bytes, 'white')).toMatchObject({
      isEmpty: false,
      data: half([255], [0]),
      info: { channels: 1 },
    });
    expect(await written(bytes, 'black')).toMatchObject({
      isEmpty: false,
      data: half([0], [255]),
      info: { channels: 1 },
    });
    const transparent = await written(bytes, 'transparent');
    expect(transparent).toMatchObject({
      data: half([0, 0, 0, 0], [0, 0, 0, 255]),
      info: { channels: 4, format: 'raw' },
    });
  });

  it('is scaled to the size of its picture', async () => {
    const bytes = await mask('#000', { width: 40, height: 20 }).jpeg().toBuffer();
    expect(await written(bytes, 'white', { width: 8, height: 4 })).toMatchObject({ info: { width: 8, height: 4 } });
  });

  it('is empty unless something is brighter than half', async () => {
    const grey = (value: number) =>
      sharp({ create: { ...SIZE, channels: 3, background: { r: value, g: value, b: value } } })
        .png()
        .toBuffer();
    expect(await written(await grey(127), 'white')).toMatchObject({ isEmpty: true });
    expect(await written(await grey(128), 'white')).toMatchObject({ isEmpty: false });
  });

  it('has the limits of pictures: one of 16,384 × 16,384 pixels is too large', async () => {
    const header = pngHeader(16_384, 16_384);
    await expectRefusal(
      pictures.mask(await save(header, 'picture'), fileAt('mask'), { ...SIZE, form: 'white' }),
      'picture_too_large',
    );
    expect(await list()).toEqual(['picture']);
    const line = await sharp({ create: { width: 16_384, height: 1, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect(await written(line, 'white')).toMatchObject({ isEmpty: false });
  });
});

describe('A picture that is reduced', () => {
  const reduced = async (bytes: Buffer, edge = 100) => {
    const facts = await pictures.reduce(await save(bytes, 'picture'), fileAt('reduced'), edge);
    const { data, info } = await sharp(fileAt('reduced')).raw().toBuffer({ resolveWithObject: true });
    return { facts, data, info, metadata: await sharp(fileAt('reduced')).metadata() };
  };

  it('is upright, without metadata, and as small as wanted', async () => {
    const gps = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };
    const bytes = await photo(400, 300).withExif(gps).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { facts, metadata } = await reduced(bytes);
    expect(facts).toEqual({ contentType: 'image/jpeg', width: 75, height: 100 });
    expect(metadata).toMatchObject({ format: 'jpeg', width: 75, height: 100, space: 'srgb' });
    expect([metadata.exif, metadata.orientation]).toEqual([undefined, undefined]);
  });

  it.each<[string, number, string]>([
    ['with transparency is a PNG', 0.5, 'png'],
    ['with an opaque alpha channel is a JPEG', 1, 'jpeg'],
  ])('%s', async (_what, alpha, format) => {
    const picture = sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 9, g: 9, b: 9, alpha } } });
    const { facts, metadata } = await reduced(await picture.png().toBuffer());
    expect(facts).toMatchObject({ contentType: `image/${format}`, width: 40 });
    expect(metadata.format).toBe(format);
  });

  it.each<[string, (picture: Sharp) => Sharp]>([
    ['in CMYK', (picture) => picture.toColourspace('cmyk').jpeg()],
    ['of 16 bits', (picture) => picture.toColourspace('rgb16').png()],
    ['in grey', (picture) => picture.toColourspace('b-w').png()],
    ['of a GIF', (picture) => picture.gif()],
    ['of a TIFF', (picture) => picture.tiff()],
  ])('%s is a JPEG of 8 bits in sRGB or grey', async (_what, encode) => {
    const { metadata } = await reduced(await encode(photo(200, 100)).toBuffer());
    expect(metadata).toMatchObject({ format: 'jpeg', width: 100, height: 50, depth: 'uchar' });
    expect(['srgb', 'b-w']).toContain(metadata.space);
  });
});

describe('A broken picture', () => {
  const ENCODED: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
    JPEG: (picture) => picture.jpeg(),
    'progressive JPEG': (picture) => picture.jpeg({ progressive: true }),
    PNG: (picture) => picture.png(),
    'interlaced PNG': (picture) => picture.png({ progressive: true }),
    WebP: (picture) => picture.webp(),
    'WebP without loss': (picture) => picture.webp({ lossless: true }),
    GIF: (picture) => picture.gif(),
    TIFF: (picture) => picture.tiff({ compression: 'lzw' }),
  };

  it.each(Object.entries(ENCODED))('is none: a %s that ends too early', async (_what, encode) => {
    const bytes = await encode(photo(300, 200)).toBuffer();
    for (const part of [0.02, 0.5, 0.99]) {
      await expectNoImage(examine(bytes.subarray(0, Math.floor(bytes.length * part))));
    }
  });

  it.each(['PNG', 'GIF', 'TIFF'])('is none: a %s whose bytes were changed', async (format) => {
    const bytes = await ENCODED[format]!(photo(300, 200)).toBuffer();
    for (let at = Math.floor(bytes.length / 2); at < bytes.length / 2 + 40; at++) bytes[at]! ^= 0x5a;
    await expectNoImage(examine(bytes));
  });
});

describe('A hostile file', () => {
  const entities = '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">';
  const fileEntity = '<!ENTITY a SYSTEM "file:///etc/passwd">';
  const svg = (content: string) => anSvg({ width: 100, height: 100, content });

  /** Name, bytes, and the maximum seconds of processor time on an idle machine. */
  const HOSTILE: readonly [string, () => Promise<Buffer | string> | Buffer | string, number][] = [
    ['a script that is a GIF to some', () => 'GIF89a/*\0\0\0\0\0\0*/=1;alert(1)//', 1],
    ['a signature alone: PNG', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 1],
    ['a signature alone: JPEG', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 1],
    ['a signature alone: WebP', () => 'RIFF\0\0\0\0WEBPVP8 ', 1],
    ['a signature alone: TIFF', () => 'II*\0\xff\xff\xff\xff', 1],
    ['a PNG with an SVG in it', () => Buffer.concat([aPng().subarray(0, 8), svg('')]), 1],
    ['a picture in a format that is switched off: PPM', () => 'P6 2 2 255\n' + 'x'.repeat(12), 1],
    ['a PNG of a billion by a billion', () => pngHeader(1e9, 1e9), 1],
    ['a PNG of 2^31 by 1', () => pngHeader(2 ** 31 - 1, 1), 1],
    ['a PNG of no width', () => pngHeader(0, 10), 1],
    ['a PNG of 400 megapixels', () => emptyPng(20_000, 20_000), 1],
    ['an interlaced PNG of 400 MB', () => emptyPng(7_000, 7_000, { depth: 16, color: 6, interlaced: true }), 1],
    ['a progressive JPEG of 300 MB', () => blank(8_000, 6_250).jpeg({ progressive: true }).toBuffer(), 1],
    ['a progressive JPEG of 5,000 scans', () => jpegOfScans(5_000), 6],
    ['a GIF of 100,000 frames', () => gifOf(100_000), 1],
    ['a GIF of more than 50 megapixels', () => blank(7_072, 7_072).gif({ effort: 1 }).toBuffer(), 1],
    ['a WebP of 5,000 frames', async () => webpOf(5_000, await photo(16, 16).webp().toBuffer()), 1],
    // They are counted in a time that grows with their square.
    ['a WebP of 60,000 frames', async () => webpOf(60_000, await photo(16, 16).webp().toBuffer()), 2],
    ['a TIFF of 60,000 pages', () => tiffOf(60_000), 2],
    ['a TIFF without end', () => tiffOf(10, { endless: true }), 1],
    ['a TIFF of 400 MB', () => tiffOf(1, { width: 7_000, height: 7_000, bits: 16 }), 1],
    ['an SVG without a drawing', () => '<svg xmlns="http://www.w3.org/2000/svg"></svg>', 1],
    ['an SVG that ends too early', () => svg('<g><rect width="5"').subarray(0, -10), 1],
    ['an SVG of a million by a million', () => anSvg({ width: 1e6, height: 1e6 }), 1],
    ['an SVG that declares entities', () => `<!DOCTYPE svg [${entities}]>${svg('<text>&b;</text>')}`, 1],
    ['an SVG with a file as entity', () => `<!DOCTYPE svg [${fileEntity}]>${svg('<text>&a;</text>')}`, 1],
    ['an SVG of 17 MB', () => svg(`<!--${'x'.repeat(17 * 1024 * 1024)}--><circle r="9"/>`), 1],
    ['a use bomb in an SVG', () => svg(useBomb(18)), 2],
    ['a filter bomb in an SVG', () => svg(filterBomb(30)), 3],
  ];
  /** Pictures that may be whole. */
  const TOO_LARGE = new Set([
    'a PNG of 400 megapixels',
    'an interlaced PNG of 400 MB',
    'a progressive JPEG of 300 MB',
    'a GIF of more than 50 megapixels',
    'a TIFF of 400 MB',
    'a TIFF of 60,000 pages',
    'a GIF of 100,000 frames',
    'a WebP of 5,000 frames',
    'an SVG of 17 MB',
    'an SVG of a million by a million',
  ]);
  /** Processors that run other programs, too, are slower. */
  const PATIENCE = 2;

  it.each(HOSTILE)('is refused for good, soon: %s', async (what, make, seconds) => {
    const file = await save(await make(), 'picture');
    const before = await childSeconds();
    await expectRefusal(pictures.examine(file), TOO_LARGE.has(what) ? 'picture_too_large' : 'not_an_image');
    const took = (await childSeconds()) - before;
    expect(took).toBeLessThan(seconds * PATIENCE);
  });

  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ['an interlaced PNG of 200 MB', () => emptyPng(7_071, 7_071, { depth: 8, color: 6, interlaced: true })],
    ['a PNG with gigabytes of text', () => emptyPng(8, 8, { extra: Array<Buffer>(20).fill(textBomb(100)) })],
    ['a GIF of 50 megapixels', () => blank(7_071, 7_071).gif({ effort: 1 }).toBuffer()],
    ['a WebP of 50 megapixels', () => blank(8_000, 6_250).webp({ lossless: true }).toBuffer()],
    ['a TIFF of 200 MB in one strip', () => tiffOf(1, { width: 7_071, height: 7_071 })],
  ])('that is within the limits is a picture: %s', async (_what, make) => {
    await expect(examine(await make())).resolves.toMatchObject(ANY_IMAGE);
  });

  it('is a picture where nothing but its metadata is hostile, which no decoder sees', async () => {
    const small = await photo(40, 30).png().toBuffer();
    const still = async (format: 'jpeg' | 'webp' | 'gif') => sharp(small).toFormat(format).toBuffer();
    const bombs = metadataBombs({ jpeg: await still('jpeg'), webp: await still('webp'), gif: await still('gif') });
    const refused: Record<string, unknown> = {};
    for (const [what, bytes] of Object.entries(bombs)) {
      const { width, height } = await examine(bytes).catch((error: Error) => ({
        width: String(error.cause),
        height: 0,
      }));
      if (width !== 40 || height !== 30) refused[what] = width;
    }
    expect(refused).toEqual({});
    for (const bytes of endlessTiffs()) await expectNoImage(examine(bytes));
  });

  it('has a second of processor time for being looked at', async () => {
    const frames = webpOf(100_000, await photo(16, 16).webp().toBuffer());
    const cause = expect.objectContaining({ message: expect.stringMatching(/^1\.\d+ s of CPU/) });
    await expect(examine(frames)).rejects.toMatchObject({ code: 'not_an_image', cause });
  });

  it('spoils nothing for the pictures that come with it', async () => {
    const bomb = await save(svg(useBomb(17)), 'bomb');
    const good = await save(aPng(), 'good');
    const files = [bomb, good, good, bomb, good, good, good, good];
    const examined = await Promise.allSettled(files.map((file) => pictures.examine(file)));
    expect(examined.map(({ status }) => status === 'fulfilled')).toEqual(files.map((file) => file === good));
  });
});

describe('An SVG', () => {
  const alphaOf = async (svgBytes: Buffer | string): Promise<number> => {
    const target = fileAt('drawn.png');
    await pictures.rasterise(await save(svgBytes, 'picture'), target);
    const { channels } = await sharp(target).ensureAlpha().stats();
    return channels[3]!.mean;
  };

  it('may have the document type that many programs write', async () => {
    const doctype =
      '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
    await expect(examine(doctype + anSvg().toString())).resolves.toMatchObject({ width: 8, height: 4 });
  });

  it('is drawn from its shapes, not enlarged from pixels', async () => {
    const target = fileAt('sharp.png');
    const circle = anSvg({ width: 10, height: 10, content: '<circle cx="5" cy="5" r="5"/>' });
    const drawn = await pictures.rasterise(await save(circle, 'picture'), target);
    expect(drawn).toEqual({ contentType: 'image/png', width: 2_048, height: 2_048 });
    const { data } = await sharp(target).extractChannel('alpha').raw().toBuffer({ resolveWithObject: true });
    const blurred = data.filter((alpha) => alpha > 0 && alpha < 255).length;
    expect(blurred / data.length).toBeLessThan(0.005);
  });

  it('shows nothing of the files around it', async () => {
    const neighbour = await save(aPng({ width: 50, height: 50 }), 'neighbour.png');
    const embedded = `data:image/png;base64,${aPng({ width: 50, height: 50 }).toString('base64')}`;
    const showing = (href: string) =>
      anSvg({ width: 50, height: 50, content: `<image xlink:href="${href}" width="50" height="50"/>` });
    expect(await alphaOf(showing(embedded))).toBeGreaterThan(250);
    for (const href of ['neighbour.png', `file://${neighbour}`, neighbour]) {
      expect(await alphaOf(showing(href))).toBe(0);
    }
  });

  it('that cannot be drawn leaves no file', async () => {
    const bomb = await save(anSvg({ width: 100, height: 100, content: useBomb(17) }), 'bomb');
    await expectNoImage(pictures.rasterise(bomb, fileAt('never')));
    expect(await list()).toEqual(['bomb']);
  });
});

function blank(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#345' } });
}
