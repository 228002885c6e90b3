/** @tier test */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { SharpPictures } from '#adapters/images';
import { provenanceOf, xmpPacketOf } from '#files';
import type { Overlay } from '#sharing';
import { readMark } from '../../libs/adapters/images/src/marks/marks.ts';

const pictures = new SharpPictures();
const folder = await mkdtemp(join(tmpdir(), 'x12-marks-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const GREY = { r: 120, g: 120, b: 120 };
const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: GREY } });

async function marked(bytes: Buffer, texts: Partial<Overlay> = { watermark: 'Draft <b>& Ä 漢' }): Promise<Buffer> {
  const [file, target] = [join(folder, 'source'), join(folder, 'marked')];
  await writeFile(file, bytes);
  const { contentType, ...size } = await pictures.mark(file, target, { watermark: null, label: null, ...texts });
  expect(contentType).toBe('image/webp');
  const written = await readFile(target);
  expect(await sharp(written).metadata()).toMatchObject({ format: 'webp', ...size });
  return written;
}

/** How far the pixels of each quarter of a picture are from grey, at most. */
async function distances(picture: Buffer): Promise<number[]> {
  const { width, height } = await sharp(picture).metadata();
  const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
  const corners = [0, half.width].flatMap((left) => [0, half.height].map((top) => ({ left, top, ...half })));
  return Promise.all(
    corners.map(async (corner) => {
      const pixels = await sharp(picture).extract(corner).raw().toBuffer();
      return pixels.reduce((most, value) => Math.max(most, Math.abs(value - GREY.r)), 0);
    }),
  );
}

describe('a watermark', () => {
  it.each([
    [800, 600],
    [300, 1500],
  ])('is seen in every part of a picture of %i × %i pixels, 30 %% opaque', async (width, height) => {
    const seen = await distances(await marked(await plain(width, height).png().toBuffer()));
    for (const distance of seen) {
      expect(distance).toBeGreaterThan(20);
      // White at 30 % on grey is 40 away; the encoder adds a little.
      expect(distance).toBeLessThan(75);
    }
  });

  it('is on tiny pictures too, whose size stays', async () => {
    for (const side of [1, 2, 16, 64]) {
      const picture = await marked(await plain(side, side).png().toBuffer());
      expect(await sharp(picture).metadata()).toMatchObject({ width: side, height: side });
      if (side >= 16) expect(Math.max(...(await distances(picture)))).toBeGreaterThan(5);
    }
  });

  it('leaves no metadata, and turns the picture upright', async () => {
    const turned = plain(40, 20)
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Artist: 'Secret Ada' } });
    const picture = await marked(await turned.jpeg().toBuffer());
    expect(await sharp(picture).metadata()).toMatchObject({ width: 20, height: 40 });
    expect((await sharp(picture).metadata()).exif).toBeUndefined();
    expect(picture.includes('Secret Ada')).toBe(false);
  });

  it('leaves the mark of an AI system', async () => {
    const xmp = xmpPacketOf(provenanceOf({ source: 'trainedAlgorithmicMedia', name: 'Theirs', generationId: 7 }));
    await marked(await plain(40, 20).withXmp(xmp).png().toBuffer());
    const mark = await readMark(join(folder, 'marked'), 'image/webp');
    expect(mark).toMatchObject({ creatorTool: 'Theirs', identifier: 'generation 7' });
  });

  it('is not made for what is no picture', async () => {
    await expect(marked(Buffer.from('no picture'))).rejects.toMatchObject({ code: 'not_an_image' });
  });
});

/** The box of the pixels that differ by more than the encoder makes them, and the darkest and lightest of them. */
async function drawnOn(picture: Buffer, background: number) {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const box = { left: info.width, top: info.height, right: -1, bottom: -1, darkest: 255, lightest: 0 };
  for (const [index, value] of data.entries()) {
    if (Math.abs(value - background) <= 30) continue;
    const [x, y] = [index % info.width, Math.floor(index / info.width)];
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
    box.darkest = Math.min(box.darkest, value);
    box.lightest = Math.max(box.lightest, value);
  }
  const [width, height] = [box.right - box.left + 1, box.bottom - box.top + 1];
  return { ...box, width, height, isInCorner: box.right === info.width - 1 && box.bottom === info.height - 1 };
}

describe('a label', () => {
  const label = 'AI-generated';
  const ground = (grey: number, width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: { r: grey, g: grey, b: grey } } })
      .png()
      .toBuffer();

  it.each([
    [128, 96],
    [640, 480],
    [480, 640],
    [4_000, 3_000],
  ])('is once in the bottom right corner of a picture of %i × %i pixels, and can be read', async (width, height) => {
    const box = await drawnOn(await marked(await ground(255, width, height), { label }), 255);
    expect(box.isInCorner).toBe(true);
    const text = Math.max(12, Math.max(width, height) / 32);
    // One line or two, and its margins.
    expect(box.height).toBeGreaterThan(0.9 * text);
    expect(box.height).toBeLessThan(3.5 * text);
    expect(box.width).toBeLessThan(9 * text);
  });

  it('is white on a dark ground, on light and on dark pictures', async () => {
    const onWhite = await drawnOn(await marked(await ground(255, 640, 480), { label }), 255);
    // A contrast of 7 to 1 needs 89 or less.
    expect(onWhite.darkest).toBeLessThanOrEqual(92);
    const onBlack = await drawnOn(await marked(await ground(0, 640, 480), { label }), 0);
    expect(onBlack.lightest).toBeGreaterThan(240);
    const bytes = await marked(await ground(255, 640, 480), { label });
    const { left, top, width, height } = onWhite;
    const part = await sharp(bytes).extract({ left, top, width, height }).greyscale().raw().toBuffer();
    expect(part.filter((value) => value > 240).length / part.length).toBeGreaterThan(0.1);
  });

  it('fits into pictures of any size', async () => {
    for (const [width, height] of [
      [1, 1],
      [1, 50_000],
      [20_000, 1],
      [30, 400],
      [1_200, 20],
    ] as const) {
      const box = await drawnOn(await marked(await ground(255, width, height), { label: 'L'.repeat(60) }), 255);
      expect([width, height, box.right >= 0]).toEqual([width, height, true]);
    }
  });

  it('is drawn over the watermark in one pass', async () => {
    const bytes = await marked(await ground(120, 640, 480), { watermark: 'Draft', label });
    expect(Math.min(...(await distances(bytes)))).toBeGreaterThan(20);
    expect((await drawnOn(bytes, 120)).lightest).toBeGreaterThan(240);
    const alone = await marked(await ground(120, 640, 480), { watermark: 'Draft' });
    expect((await drawnOn(alone, 120)).lightest).toBeLessThan(200);
  });

  it('is not made of what cannot be seen', async () => {
    await expect(marked(await ground(120, 64, 64), { label: '\u200b' })).rejects.toThrow('cannot');
  });
});

describe('a labelled picture of a download', () => {
  const [source, target] = [join(folder, 'original'), join(folder, 'labelled')];
  const photo = () => plain(640, 480).withExif({ IFD0: { Artist: 'Ada' } });
  const animation = async () => {
    const frames = await Promise.all([16, 32].map((size) => plain(64, 64).extend({ top: size }).png().toBuffer()));
    const equal = await Promise.all(
      frames.map((frame) => sharp(frame).resize(64, 64, { fit: 'fill' }).png().toBuffer()),
    );
    return sharp(equal, { join: { animated: true } });
  };
  const label = async (bytes: Buffer) => {
    await writeFile(source, bytes);
    return pictures.label(source, target, 'AI-generated');
  };

  it.each(['jpeg', 'png', 'webp', 'tiff'] as const)('keeps format, size and provenance as %s', async (format) => {
    const xmp = xmpPacketOf(provenanceOf({ source: 'trainedAlgorithmicMedia', name: 'Theirs', generationId: 7 }));
    const facts = await label(await photo().withXmp(xmp)[format]().toBuffer());
    expect(facts).toEqual({ contentType: `image/${format}`, width: 640, height: 480 });
    const bytes = await readFile(target);
    expect(await sharp(bytes).metadata()).toMatchObject({ format, width: 640, height: 480, hasAlpha: false });
    expect((await drawnOn(bytes, GREY.r)).isInCorner).toBe(true);
    expect(bytes.includes('Ada')).toBe(false);
    expect(await readMark(target, `image/${format}`)).toMatchObject({ identifier: 'generation 7' });
  });

  it('is not made of animations and GIF, which would lose frames or their mark', async () => {
    for (const bytes of [(await animation()).webp(), (await animation()).gif(), plain(64, 64).gif()]) {
      await expect(label(await bytes.toBuffer())).rejects.toMatchObject({ code: 'not_an_image' });
    }
  });
});
