/** @tier deep, 25 s, about libs/adapters/images */
import { access, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { SharpPictures } from '#adapters/images';
import { provenanceOf, xmpPacketOf } from '#files';
import { anSvg, temporaryFolder } from '#testing/sources';
import { transformationOf } from '#transformation';
import { readMark } from '../../libs/adapters/images/src/marks/marks.ts';
import {
  emptyPng,
  filterBomb,
  metadataBombs,
  pngHeader,
  textBomb,
} from '../../libs/adapters/images/src/testing/hostile-pictures.ts';
import { photo } from '../../libs/adapters/images/src/testing/photo.ts';

const pictures = new SharpPictures();
const { fileAt, save, list } = temporaryFolder();

async function transform(bytes: Buffer | string, query: string, label?: string) {
  const wanted = transformationOf(new URLSearchParams(query))!;
  return pictures.transform(await save(bytes, 'picture'), fileAt('variant'), wanted, label);
}

/** The variant. libvips remembers what it has read of a path. */
const variant = async () => sharp(await readFile(fileAt('variant')));

/** The variant's facts, and the format that its bytes have. */
async function made(from: Sharp | Buffer | string, query: string) {
  const bytes = typeof from === 'string' || Buffer.isBuffer(from) ? from : await from.png().toBuffer();
  const { contentType, width, height } = await transform(bytes, query);
  const read = await (await variant()).metadata();
  expect([read.width, read.height]).toEqual([width, height]);
  const format = read.format === 'heif' ? read.compression === 'av1' && 'avif' : read.format;
  expect(contentType).toBe(`image/${format}`);
  return `${width}x${height} ${format}`;
}

/** Red, green, blue and alpha of a pixel of the variant, as browsers show it. */
async function pixel(x: number, y: number): Promise<number[]> {
  const { data, info } = await (await variant()).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray(4 * (y * info.width + x), 4 * (y * info.width + x) + 4)];
}

function expectNear(found: readonly number[], expected: readonly number[], by = 6) {
  const distance = Math.max(...expected.map((value, at) => Math.abs(value - found[at]!)));
  expect({ found, isNear: distance <= by }).toEqual({ found, isNear: true });
}

const filled = (background: string, width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 4, background } });
const RED = [200, 50, 50];
const red = filled('rgb(200,50,50)').removeAlpha();

describe('a transformed picture', () => {
  it.each([
    ['w=128&fm=webp', '128x85 webp'],
    ['h=64&fm=avif', '96x64 avif'],
    ['w=128&h=64&fm=jpeg', '96x64 jpeg'],
    ['w=128&h=64&fit=cover&fm=png', '128x64 png'],
    ['w=128&h=128&fit=contain&fm=webp', '128x128 webp'],
    ['w=320&fm=webp', '300x200 webp'],
    ['w=640&h=640&fit=cover&fm=webp', '200x200 webp'],
    ['w=640&h=640&fit=contain&fm=webp', '300x300 webp'],
    ['fm=jpeg', '300x200 jpeg'],
    ['q=50', '300x200 jpeg'],
  ])('is with %s a %s, never enlarged', async (query, expected) => {
    expect(await made(photo(300, 200), query)).toBe(expected);
  });

  it('is upright', async () => {
    const left = {
      input: { create: { width: 150, height: 200, channels: 3 as const, background: '#fff' } },
      left: 0,
      top: 0,
    };
    const sideways = await red.clone().composite([left]).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await made(sideways, 'w=192&fm=png')).toBe('192x288 png');
    // The left half is the upper one.
    expectNear(await pixel(96, 40), [255, 255, 255]);
    expectNear(await pixel(96, 240), RED);
  });

  it.each<[string, () => Promise<Buffer>]>([
    ['Display P3', () => red.clone().withIccProfile('p3').png().toBuffer()],
    ['16 bits', () => red.clone().toColourspace('rgb16').png().toBuffer()],
    ['16 bits in Display P3', () => red.clone().toColourspace('rgb16').withIccProfile('p3').png().toBuffer()],
    ['CMYK', () => red.clone().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 100 }).toBuffer()],
  ])('has the colours of a picture in %s, in sRGB', async (_what, make) => {
    for (const format of ['webp', 'png', 'jpeg', 'avif']) {
      await made(await make(), `w=64&fm=${format}`);
      expectNear(await pixel(20, 20), RED, 14);
      const { space, depth, hasProfile, icc } = await (await variant()).metadata();
      expect({ space, depth }).toEqual({ space: 'srgb', depth: 'uchar' });
      if (hasProfile) expect(icc!.toString('latin1')).toMatch(/s\0R\0G\0B/);
    }
  });

  it.each(['webp', 'avif', 'png'])(
    'keeps its transparency as %s, and what is around it is transparent',
    async (format) => {
      const half = filled('rgba(200,50,50,0.5)');
      await made(half, `w=64&h=64&fit=contain&fm=${format}`);
      expectNear(await pixel(32, 32), [...RED, 128], 8);
      expect((await pixel(32, 0))[3]).toBe(0);
    },
  );

  it('is on white as a JPEG, and white is around it', async () => {
    await made(filled('rgba(0,0,0,0.5)'), 'w=64&h=64&fit=contain&fm=jpeg');
    expectNear(await pixel(32, 32), [128, 128, 128]);
    expectNear(await pixel(32, 0), [255, 255, 255]);
  });

  it('is without a negotiated format a PNG where it is transparent, else a JPEG', async () => {
    expect(await made(filled('rgba(0,0,0,0.5)'), 'w=64')).toBe('64x43 png');
    expect(await made(filled('rgb(0,0,0)'), 'w=64')).toBe('64x43 jpeg');
    expect(await made(red.clone(), 'w=64')).toBe('64x43 jpeg');
  });

  it.each(['gif', 'webp'] as const)('is the first frame of an animated %s', async (format) => {
    const frames = await Promise.all([red, filled('#00f').removeAlpha()].map((each) => each.clone().png().toBuffer()));
    const animated = await sharp(frames, { join: { animated: true } })
      [format]()
      .toBuffer();
    expect(await made(animated, 'w=64&fm=webp')).toBe('64x43 webp');
    expectNear(await pixel(32, 20), RED, 12);
    expect((await (await variant()).metadata()).pages ?? 1).toBe(1);
  });

  it('may be as narrow as one pixel', async () => {
    expect(await made(emptyPng(1, 50_000), 'w=640&fm=webp')).toBe('1x2560 webp');
    expect(await made(emptyPng(50_000, 1), 'w=640&h=640&fit=cover&fm=avif')).toBe('1x1 avif');
  });

  it('has fewer bytes with less quality', async () => {
    const bytes = await photo(600, 400).png().toBuffer();
    for (const format of ['webp', 'avif', 'jpeg']) {
      const sizes: number[] = [];
      for (const quality of [50, 65, 80, 90]) {
        await transform(bytes, `w=320&q=${quality}&fm=${format}`);
        sizes.push((await readFile(fileAt('variant'))).length);
      }
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    }
  });

  it('has no metadata but its provenance', async () => {
    const mark = provenanceOf({ source: 'trainedAlgorithmicMedia', name: 'Studio', generationId: 12 });
    const taken = red.clone().withExif({ IFD0: { Copyright: 'Ada' } });
    const secret = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>';
    const [plain, marked] = await Promise.all(
      [secret, xmpPacketOf(mark)].map((xmp) => taken.clone().withXmp(xmp).jpeg().toBuffer()),
    );
    for (const format of ['webp', 'avif', 'png', 'jpeg']) {
      await transform(plain!, `w=64&fm=${format}`);
      const read = await (await variant()).metadata();
      expect([read.exif, read.xmp]).toEqual([undefined, undefined]);
      await transform(marked!, `w=64&fm=${format}`);
      expect([format, await readMark(fileAt('variant'), `image/${format}`)]).toMatchObject([format, mark]);
    }
  });
});

describe('a label on a transformed picture', () => {
  const CORNER = { left: 560, top: 460, width: 80, height: 20 };
  const REST = { left: 0, top: 0, width: 640, height: 400 };
  const means = () =>
    Promise.all(
      [CORNER, REST].map(async (region) => {
        const part = await (await variant()).extract(region).png().toBuffer();
        return (await sharp(part).stats()).channels[0]!.mean;
      }),
    );

  it.each<[string, string]>([
    ['webp', 'inside'],
    ['avif', 'inside'],
    ['jpeg', 'contain'],
    ['png', 'cover'],
  ])('is drawn after it is resized, in its bottom right corner, as %s and %s', async (format, fit) => {
    for (const from of [photo(2_000, 1_500), photo(2_000, 1_500).greyscale().toColourspace('b-w')]) {
      const bytes = await from.png().toBuffer();
      const query = `w=640&h=480&fit=${fit}&fm=${format}`;
      await transform(bytes, query);
      const plain = await means();
      await transform(bytes, query, 'AI-generated');
      expect(await (await variant()).metadata()).toMatchObject({ width: 640, height: 480, hasAlpha: false });
      const labelled = await means();
      expect(Math.abs(labelled[0]! - plain[0]!)).toBeGreaterThan(10);
      expect(Math.abs(labelled[1]! - plain[1]!)).toBeLessThan(2);
    }
  });

  it('leaves a transparent picture its transparency', async () => {
    const clear = await filled('rgba(200,50,50,0)', 600, 400).png().toBuffer();
    await transform(clear, 'fm=png', 'AI-generated');
    expect((await pixel(10, 10))[3]).toBe(0);
    // Its ground.
    expectNear(await pixel(599, 399), [0, 0, 0, 166]);
  });
});

describe('a picture that can not be transformed', () => {
  const expectFailure = async (bytes: Buffer | string, code: string) => {
    const call = transform(bytes, 'w=64&fm=webp');
    await expect(call).rejects.toMatchObject({ name: 'SourceFailure', code, retryable: false });
    await expect(access(fileAt('variant'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await list()).toEqual(['picture']);
  };

  it('has too many pixels', async () => {
    for (const bytes of [emptyPng(5_000, 10_001), pngHeader(60_000, 60_000), pngHeader(1, 60_000_000)]) {
      await expectFailure(bytes, 'picture_too_large');
    }
  });

  it('is none, is cut off, or is a drawing', async () => {
    const whole = await photo(300, 200).jpeg().toBuffer();
    const others = [whole.subarray(0, 400), '<html></html>', anSvg(), filterBomb(20), ''];
    for (const bytes of others) await expectFailure(bytes, 'not_an_image');
  });
});

describe('the metadata of a picture', () => {
  it('do not keep it from being transformed, whatever they are', async () => {
    const still = (format: 'jpeg' | 'webp' | 'gif') => photo(40, 30)[format]().toBuffer();
    const bombs = metadataBombs({ jpeg: await still('jpeg'), webp: await still('webp'), gif: await still('gif') });
    const text = { 'a PNG with text': emptyPng(40, 30, { extra: [textBomb(64)] }) };
    const refused: Record<string, unknown> = {};
    for (const [what, bytes] of Object.entries({ ...bombs, ...text })) {
      const { width, height } = await transform(bytes, 'w=64&fm=webp');
      if (width !== 40 || height !== 30) refused[what] = [width, height];
    }
    expect(refused).toEqual({});
  });
});
