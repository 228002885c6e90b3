/** @tier deep, 5 s, about libs/adapters/images */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Decoder, Demuxer } from 'node-av/api';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { provenanceOf, type Marking } from '#files';
import { temporaryFolder } from '#testing/sources';
import { readMark, stripButMarks, writeMark } from '../../libs/adapters/images/src/marks/marks.ts';
import { HAS_EXIFTOOL, readTags, type Tags } from '../support/exiftool.ts';

const FOLDER = join(import.meta.dirname, 'foreign-files');
const TYPES: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.tif': 'image/tiff',
  '.avif': 'image/avif',
  '.heic': 'image/heic',
  '.mp4': 'video/mp4',
  '.svg': 'image/svg+xml',
};
/** Files that libvips can't read; FFmpeg can. */
const BY_FFMPEG = new Set(['image/heic', 'video/mp4']);
const STRIPPED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/tiff']);

/** All others are marked. */
const KEPT = ['exiftool-captured.jpg', 'magick-captured.png'];
const UNMARKED = ['avifenc-sequence.avif', 'magick-bigtiff.tif'];

const files = readdirSync(FOLDER).flatMap((name) => {
  const type = TYPES[extname(name)];
  if (!type) return [];
  const isSigned = name.startsWith('c2pa');
  const marking: Marking = isSigned || KEPT.includes(name) ? 'kept' : UNMARKED.includes(name) ? 'unmarked' : 'marked';
  return [{ name, path: join(FOLDER, name), type, marking, isSigned }];
});
type ForeignFile = (typeof files)[number];
const cases = (wanted: (file: ForeignFile) => boolean) =>
  files.filter(wanted).map((file) => [file.name, file] as const);

const SOURCES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
const TRAINED = `${SOURCES}trainedAlgorithmicMedia`;
const provenance = provenanceOf({ source: 'trainedAlgorithmicMedia', name: 'Studio', generationId: 12 });

/** Each frame of each picture or video stream of a file. */
async function frames(path: string): Promise<readonly Buffer[]> {
  const found: Buffer[] = [];
  await using demuxer = await Demuxer.open(path, { format: 'mov' });
  for (const stream of demuxer.streams.filter(({ codecpar }) => codecpar.width > 0)) {
    using decoder = await Decoder.create(stream, { context: { threadCount: 1 } });
    for await (const frame of decoder.frames(demuxer.packets(stream.index))) {
      if (frame) found.push(frame.toBuffer());
      frame?.free();
    }
  }
  return found;
}

/** The pixels of a file, and what libvips knows of it beside them. */
async function looks(path: string, type: string) {
  if (BY_FFMPEG.has(type)) return { pixels: Buffer.concat(await frames(path)) };
  const picture = sharp(await readFile(path), { animated: type !== 'image/tiff' });
  const { xmp: _, xmpAsString: __, size: ___, comments: texts, ...metadata } = await picture.metadata();
  const comments = texts?.filter(({ keyword }) => keyword !== 'Raw profile type xmp');
  return { pixels: await picture.raw().toBuffer(), metadata: { ...metadata, comments } };
}

describe('the files of other programs', () => {
  const { fileAt } = temporaryFolder();
  beforeAll(() => {
    // Blocking is for the whole process: suites that ran before in this worker import code that blocks loaders.
    sharp.unblock({ operation: ['VipsForeignLoad'] });
  });

  it('are more than fifty', () => {
    expect(files.length).toBeGreaterThan(50);
  });

  it.each(cases(({ marking }) => marking === 'marked'))('%s: is marked, and looks as before', async (_, file) => {
    const { path, type } = file;
    const target = fileAt('marked');
    expect(await writeMark(path, target, type, provenance)).toBe('marked');
    expect(await readMark(target, type)).toMatchObject({ digitalSource: TRAINED, isInXmp: true, hasSignature: false });
    const [before, after] = [await looks(path, type), await looks(target, type)];
    expect(before.pixels.length).toBeGreaterThan(0);
    expect(after.pixels.equals(before.pixels)).toBe(true);
    expect(after.metadata).toEqual(before.metadata);
    expect(await writeMark(target, fileAt('again'), type, provenance)).toBe('kept');
  });

  it.each(cases(({ marking }) => marking !== 'marked'))('%s: stays as it is', async (_, { path, type, ...file }) => {
    expect(await writeMark(path, fileAt('marked'), type, provenance)).toBe(file.marking);
    const digitalSource = file.isSigned ? TRAINED : file.marking === 'kept' ? `${SOURCES}digitalCapture` : null;
    expect(await readMark(path, type)).toMatchObject({ digitalSource, hasSignature: file.isSigned });
  });

  it.each(cases(({ type }) => STRIPPED.has(type)))('%s: loses its metadata but marks', async (_, file) => {
    const { path, type, marking, isSigned } = file;
    const bare = fileAt('bare');
    const expected = isSigned ? 'kept' : marking === 'kept' ? 'marked' : null;
    expect(await stripButMarks(path, bare, type)).toBe(expected);
    const [before, after] = [await looks(path, type), await looks(bare, type)];
    expect(after.pixels.equals(before.pixels)).toBe(true);
    expect((await readMark(bare, type)).digitalSource).toBe((await readMark(path, type)).digitalSource);
    const { exif = '', iptc, comments } = after.metadata!;
    const isOriented = (after.metadata!.orientation ?? 1) > 1;
    if (!isSigned) expect([exif.length > 0, iptc, comments]).toEqual([isOriented, undefined, undefined]);
  });

  describe('as ExifTool reads them', () => {
    const itReads = HAS_EXIFTOOL ? it : it.skip;

    itReads('have their mark and all that was there before, without a new warning', async () => {
      const marked = files.filter(({ marking }) => marking === 'marked');
      for (const { name, path, type } of marked) await writeMark(path, fileAt(name), type, provenance);
      const paths = marked.flatMap(({ name, path }) => [path, fileAt(name)]);
      const tags = await readTags(paths, ['all#', 'validate']);
      for (const { name, path, type } of marked) {
        const [before, after] = [tags.get(path)!, tags.get(fileAt(name))!];
        expect([name, after]).toEqual([name, expect.objectContaining({ ...lasting(before), ...MARK })]);
        const hasFlag = (Number(after['RIFF:WebP_Flags']) & WEBP_XMP) > 0;
        expect([name, hasFlag]).toEqual([name, type === 'image/webp']);
        expect([name, warningsOf(after)]).toEqual([name, Math.min(warningsOf(after), warningsOf(before))]);
      }
    });

    itReads('have nothing private once they lost their metadata', async () => {
      const stripped = files.filter(({ type, isSigned }) => STRIPPED.has(type) && !isSigned);
      for (const { name, path, type } of stripped) await stripButMarks(path, fileAt(name), type);
      const read = async (paths: readonly string[]) => [...(await readTags(paths, PRIVATE)).values()];
      const before = await read(stripped.map(({ path }) => path));
      expect(new Set(before.flatMap(namesIn)).size).toBeGreaterThan(8);
      expect((await read(stripped.map(({ name }) => fileAt(name)))).flatMap(namesIn)).toEqual([]);
    });
  });
});

const MARK = {
  'XMP-iptcExt:DigitalSourceType': TRAINED,
  'XMP-xmp:CreatorTool': 'Studio',
  'XMP-dc:Identifier': 'generation 12',
};
const WEBP_XMP = 0x04;
const PRIVATE = ['Artist', 'Author', 'Rights', 'Description', 'Comment', 'Title', 'Keywords', 'GPS*', 'ThumbnailImage'];
const namesIn = (tags: Tags) => Object.keys(tags).filter((name) => name !== 'SourceFile');

/** Tags that a mark leaves; those of the container itself and of the file system change. */
function lasting(tags: Tags): Tags {
  const changing =
    /^(?:SourceFile|System:.*|ExifTool:.*|File:FileType.*|RIFF:WebP_Flags|QuickTime:(?:MediaData.*|Free))$/;
  return Object.fromEntries(Object.entries(tags).filter(([name]) => !changing.test(name)));
}

/** ExifTool says how many, or `OK`. */
const warningsOf = (tags: Tags) => Number.parseInt(String(tags['ExifTool:Validate']), 10) || 0;
