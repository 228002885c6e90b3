/** @tier deep, 20 s, about libs/adapters/images libs/files */
import { readFile } from 'node:fs/promises';
import { FF_ENCODER_LIBVPX_VP8 } from 'node-av/constants';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { provenanceOf } from '#files';
import { temporaryFolder } from '#testing/sources';
import { readMark, writeMark } from '../../libs/adapters/images/src/marks/marks.ts';
import { containerFiles, type ContainerFile } from '../../libs/adapters/images/src/testing/container-files.ts';
import { readFrame } from '../../libs/adapters/images/src/video/read-frame.ts';
import { HAS_EXIFTOOL, readTags } from '../support/exiftool.ts';
import { aVideo } from '../support/sample-video.ts';

const URI = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const provenance = provenanceOf({ source: 'trainedAlgorithmicMedia', name: 'Studio & Söhne', generationId: 12 });
const files = await containerFiles();
const READ = {
  'XMP-iptcExt:DigitalSourceType': expect.stringMatching(/^Trained Algorithmic Media|trainedAlgorithmicMedia$/),
  'XMP-xmp:CreatorTool': 'Studio & Söhne',
  'XMP-dc:Identifier': 'generation 12',
};
const isPicture = ({ type }: ContainerFile) => type.startsWith('image/');

describe('marks in real files', () => {
  const { fileAt, save, list } = temporaryFolder();
  beforeAll(() => {
    // Blocking is for the whole process: suites that ran before in this worker import code that blocks loaders.
    sharp.unblock({ operation: ['VipsForeignLoad'] });
  });

  async function marked({ type, bytes }: ContainerFile, name = 'file') {
    const [file, target] = [await save(bytes, name), fileAt(`${name}-marked`)];
    const marking = await writeMark(file, target, type, provenance);
    return { marking, target };
  }
  const pixels = async (bytes: Buffer, type: string) => {
    const { data, info } = await sharp(bytes, { animated: type !== 'image/tiff' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, channels: info.channels };
  };

  it('cover more than sixty files', () => {
    expect(files.length).toBeGreaterThanOrEqual(60);
  });

  it.each(files.map((file) => [file.name, file] as const))('%s: is marked, and looks as before', async (_, file) => {
    const { marking, target } = await marked(file);
    expect(marking).toBe('marked');
    const bytes = await readFile(target);
    expect(await readMark(target, file.type)).toMatchObject({ digitalSource: URI, hasSignature: false });
    if (isPicture(file)) {
      const [before, after] = [await pixels(file.bytes, file.type), await pixels(bytes, file.type)];
      expect(after.data.equals(before.data)).toBe(true);
      expect({ ...after, data: null }).toEqual({ ...before, data: null });
      const [was, is] = [await sharp(file.bytes).metadata(), await sharp(bytes).metadata()];
      expect({ ...is, xmp: null, xmpAsString: null, size: null }).toEqual({
        ...was,
        xmp: null,
        xmpAsString: null,
        size: null,
      });
    }
    // A marked file stays as it is.
    expect(await writeMark(target, fileAt('again'), file.type, provenance)).toBe('kept');
  });

  (HAS_EXIFTOOL ? it : it.skip)(
    'are read by ExifTool in all files but models, with what was there before',
    async () => {
      const written = [];
      for (const [index, file] of files.filter(isPicture).entries()) {
        written.push({ name: file.name, path: fileAt(`file-${index}`), ...(await marked(file, `file-${index}`)) });
      }
      const asked = ['XMP-iptcExt:all', 'XMP-xmp:all', 'XMP-dc:all', 'Warning', 'Error'];
      const tags = await readTags([...written.map(({ target }) => target), ...written.map(({ path }) => path)], asked);
      for (const { name, target, path } of written) {
        const [before, after] = [tags.get(path), tags.get(target)];
        expect([name, after]).toEqual([name, expect.objectContaining(READ)]);
        const [problems, former] = [after, before].map((read) => [
          read?.['ExifTool:Warning'],
          read?.['ExifTool:Error'],
        ]);
        expect([name, problems, after?.['XMP-dc:Subject']]).toEqual([name, former, before?.['XMP-dc:Subject']]);
      }
    },
  );

  describe('videos', () => {
    it.each([
      ['with its index first', '+faststart'],
      ['with its index last', null],
      ['of fragments', '+frag_keyframe+empty_moov'],
      ['of fragments with an index of them', '+frag_keyframe'],
    ])('%s: is marked, and plays as before', async (_, movflags) => {
      const bytes = await aVideo({ width: 64, height: 32, seconds: 2, movflags });
      const { marking, target } = await marked({ name: 'video', type: 'video/mp4', bytes });
      expect(marking).toBe('marked');
      const [before, after] = [await readFrame(fileAt('file'), 'mov'), await readFrame(target, 'mov')];
      expect(after).toEqual(before);
      const index = bytes.lastIndexOf('mfra') - 4;
      const written = await readFile(target);
      expect(written.includes(bytes.subarray(0, index))).toBe(true);
      // Programs find it from the end.
      if (movflags === '+frag_keyframe')
        expect(written.subarray(index - bytes.length).equals(bytes.subarray(index))).toBe(true);
      if (HAS_EXIFTOOL) expect((await readTags([target], ['XMP:all'])).get(target)).toMatchObject(READ);
      expect(await writeMark(target, fileAt('again'), 'video/mp4', provenance)).toBe('kept');
    });

    it('in WebM take no mark', async () => {
      const bytes = await aVideo({ width: 64, height: 32, seconds: 1, format: 'webm', encoder: FF_ENCODER_LIBVPX_VP8 });
      expect((await marked({ name: 'video', type: 'video/webm', bytes })).marking).toBe('unmarked');
      expect(await list()).toEqual(['file']);
    });
  });
});
