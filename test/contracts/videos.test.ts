/** @tier deep, 25 s, about libs/adapters/images */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import {
  FF_ENCODER_LIBVPX_VP8,
  FF_ENCODER_LIBVPX_VP9,
  FF_ENCODER_MPEG2VIDEO,
  FF_ENCODER_MPEG4,
} from 'node-av/constants';
import sharp from 'sharp';
import { FfmpegVideos, MagicFileTypes, PictureProcesses, SharpPictures } from '#adapters/images';
import { temporaryFolder, videosContract } from '#testing/sources';
import { readMark } from '../../libs/adapters/images/src/marks/marks.ts';
import { aVideo } from '../support/sample-video.ts';

const videos = new FfmpegVideos(new PictureProcesses());

videosContract('FfmpegVideos', () => videos, aVideo);

const { fileAt, save, list } = temporaryFolder();
const video = await aVideo({ width: 320, height: 180, seconds: 2 });

const preview = async (bytes: Buffer) => {
  const wishes = [64, 160].map((edge) => ({ edge, file: fileAt(`thumbnail-${edge}`) }));
  return (await videos.preview(await save(bytes, 'video'), wishes))!;
};

/** The colour in the middle of each quarter, as a letter, from the top left, row by row. */
const quartersOf = async (file: string): Promise<string> => {
  const { data } = await sharp(file).resize(4, 4, { fit: 'fill' }).raw().toBuffer({ resolveWithObject: true });
  const letter = (x: number, y: number) => {
    const [red, , blue] = data.subarray(3 * (4 * y + x));
    return red! > 150 && blue! < 100 ? 'r' : blue! > 150 && red! < 100 ? 'b' : '?';
  };
  return letter(0, 0) + letter(3, 0) + letter(0, 3) + letter(3, 3);
};

describe('the preview of a video', () => {
  it.each([
    [0, 'rbrb', 320, 180],
    [90, 'rrbb', 180, 320],
    [180, 'brbr', 320, 180],
    [270, 'bbrr', 180, 320],
  ] as const)('is an upright WebP in sRGB when it was filmed at %d degrees', async (turn, quarters, width, height) => {
    const made = await preview(await aVideo({ width: 320, height: 180, seconds: 1, turn }));
    expect([made.width, made.height]).toEqual([width, height]);
    for (const { file, width, height } of made.thumbnails) {
      expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width, height, space: 'srgb' });
      expect(await quartersOf(file)).toBe(quarters);
    }
  });

  it('is not black when only the beginning of the video is', async () => {
    const made = await preview(await aVideo({ width: 320, height: 180, seconds: 6, blackFirst: true }));
    expect(await quartersOf(made.thumbnails[0]!.file)).toBe('rbrb');
  });

  it('may be of an older codec, but not of any', async () => {
    const size = { width: 320, height: 180, seconds: 1 };
    const older = await aVideo({ ...size, encoder: FF_ENCODER_MPEG4 });
    await expect(preview(older)).resolves.toMatchObject({ width: 320 });
    const other = await aVideo({ ...size, encoder: FF_ENCODER_MPEG2VIDEO });
    await expect(preview(other)).rejects.toMatchObject({ code: 'unsupported_file_type' });
  });

  it.each([FF_ENCODER_LIBVPX_VP8, FF_ENCODER_LIBVPX_VP9])(
    'may be of a WebM by %s, but of a whole one',
    async (encoder) => {
      const webm = await aVideo({ width: 320, height: 180, seconds: 1, format: 'webm', encoder });
      expect(await new MagicFileTypes().detect(webm)).toBe('video/webm');
      const made = await preview(webm);
      expect(made).toMatchObject({ width: 320, height: 180, duration: expect.closeTo(1, 1) });
      expect(await quartersOf(made.thumbnails[0]!.file)).toBe('rbrb');
      for (const length of [webm.length - 1, 40, 4]) {
        await expect(preview(webm.subarray(0, length))).rejects.toMatchObject({ code: 'unsupported_file_type' });
      }
    },
  );

  it('may be of a file that has something else after its end', async () => {
    for (const more of ['more', 'rubbish of some length']) {
      await expect(preview(Buffer.concat([video, Buffer.from(more)]))).resolves.toMatchObject({ width: 320 });
    }
  });

  const emptyBox = (type: string) => Buffer.from(`\0\0\0\x08${type}`, 'latin1');
  const head = () => video.subarray(0, video.indexOf('moov') - 4);
  const noise = () => {
    const spoilt = Buffer.from(video);
    for (let at = spoilt.indexOf('moov') + 4; at < spoilt.length; at += 7) spoilt[at]! ^= 0xa5;
    return spoilt;
  };
  it.each<[string, () => Buffer]>([
    ['has a head and nothing else', head],
    ['breaks off in its description', () => video.subarray(0, video.indexOf('moov') + 100)],
    ['has boxes without end', () => Buffer.concat([head(), ...Array<Buffer>(100_000).fill(emptyBox('free'))])],
    ['has an empty description', () => Buffer.concat([head(), emptyBox('moov')])],
    ['is noise', noise],
  ])('is refused for good, with nothing left behind, when the file %s', async (_, make) => {
    await expect(preview(make())).rejects.toMatchObject({ code: 'unsupported_file_type' });
    expect(await list()).toEqual(['video']);
  });

  it('does not believe in sizes that nothing bears out', async () => {
    const lying = Buffer.from(video);
    lying.writeUInt32BE(0xffffffff, lying.indexOf('avc1', lying.indexOf('stsd')) + 28);
    const made = await preview(lying).catch((error: { code: string }) => error);
    expect(made).toMatchObject('code' in made ? { code: 'unsupported_file_type' } : { width: 320, height: 180 });
  });

  it('does not blame the video for a file that is not there', async () => {
    await expect(videos.preview(fileAt('missing'), [])).rejects.not.toHaveProperty('code');
  });
});

describe('a clip of a video', () => {
  const NO_TEXT = { watermark: null, label: null };
  const clip = async (bytes: Buffer, watermark: string | null = null) => {
    const target = fileAt('clip');
    return (
      (await videos.clip(await save(bytes, 'video'), target, { watermark, label: null })) && (await readFile(target))
    );
  };
  it.each(['mp4', 'webm'] as const)('has the mark of the video, or of its thumbnail: %s', async (format) => {
    const encoder = format === 'webm' ? { encoder: FF_ENCODER_LIBVPX_VP8 } : {};
    const file = await save(await aVideo({ width: 64, height: 32, seconds: 1, format, ...encoder }), 'plain');
    const marked = {
      file: fileAt('video'),
      mark: { source: 'trainedAlgorithmicMedia', name: 'x', generationId: 7 },
    } as const;
    const marking = await new SharpPictures().writeMark(file, `video/${format}`, marked);
    expect(marking).toBe(format === 'mp4' ? 'marked' : 'unmarked');
    const targets = [{ edge: 16, file: fileAt('poster') }];
    await videos.preview(file, targets, marking === 'marked' ? undefined : marked.mark);
    await videos.clip(marking === 'marked' ? marked.file : file, fileAt('clip'), NO_TEXT, fileAt('poster'));
    expect(await readMark(fileAt('clip'), 'video/mp4')).toMatchObject({ identifier: 'generation 7' });
  });

  const posterOf = async (bytes: Buffer) => {
    const made = await preview(bytes);
    return {
      ...made,
      pixels: await sharp(await readFile(made.thumbnails[1]!.file))
        .raw()
        .toBuffer(),
    };
  };

  it.each([
    [0, 'rbrb', 960, 540],
    [90, 'rrbb', 540, 960],
    [180, 'brbr', 960, 540],
    [270, 'bbrr', 540, 960],
  ] as const)(
    'is upright, with at most 960 pixels, when it was filmed at %d degrees',
    async (turn, quarters, ...size) => {
      const made = await clip(await aVideo({ width: 1_920, height: 1_080, seconds: 1, turn }));
      const poster = await posterOf(made as Buffer);
      expect(poster).toMatchObject({ width: size[0], height: size[1], duration: expect.closeTo(1, 1) });
      expect(await quartersOf(poster.thumbnails[0]!.file)).toBe(quarters);
    },
  );

  it('is as long as the video, which may be a WebM, and is not enlarged', async () => {
    const webm = await aVideo({ width: 324, height: 184, seconds: 3, format: 'webm', encoder: FF_ENCODER_LIBVPX_VP9 });
    const poster = await posterOf((await clip(webm)) as Buffer);
    expect(poster).toMatchObject({ width: 324, height: 184, duration: expect.closeTo(3, 1) });
  });

  it('has the text over it, whatever the text is', async () => {
    const large = await aVideo({ width: 960, height: 540, seconds: 1 });
    const plain = await posterOf((await clip(large)) as Buffer);
    for (const text of ['Draft', `'[in];movie=/etc/passwd:%{x}\\`]) {
      const marked = await posterOf((await clip(large, text)) as Buffer);
      const changed = marked.pixels.filter((value, at) => Math.abs(value - plain.pixels[at]!) > 10).length;
      expect(changed / plain.pixels.length).toBeGreaterThan(0.02);
    }
    expect(await list()).not.toContain('clip-mark.png');
  });

  it('is refused for good, with nothing left behind, for a file that breaks off', async () => {
    await expect(clip(video.subarray(0, -3), 'Draft')).rejects.toMatchObject({
      code: 'not_an_image',
      retryable: false,
    });
    expect(await list()).toEqual(['video']);
  });
});
