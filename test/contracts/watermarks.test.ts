/** @tier test */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { SharpPictures } from '#adapters/images';
import { provenanceOf, xmpPacketOf } from '#files';
import { readMark } from '../../libs/adapters/images/src/marks/marks.ts';

const pictures = new SharpPictures();
const folder = await mkdtemp(join(tmpdir(), 'x12-marks-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const GREY = { r: 120, g: 120, b: 120 };
const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: GREY } });

async function marked(bytes: Buffer, text = 'Draft <b>& Ä 漢'): Promise<Buffer> {
  const [file, target] = [join(folder, 'source'), join(folder, 'marked')];
  await writeFile(file, bytes);
  const size = await pictures.mark(file, target, text);
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
