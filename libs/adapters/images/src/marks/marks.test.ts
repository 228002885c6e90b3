import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { NO_PROVENANCE, provenanceOf, xmpPacketOf } from '#files';
import { pngChunk, temporaryFolder } from '#testing/sources';
import { webpChunk } from '../strip/chunks.ts';
import { aGlb } from '../testing/container-files.ts';
import { photo } from '../testing/photo.ts';
import { boxOf } from './boxes.ts';
import { passedOn, readMark, stripButMarks, writeMark } from './marks.ts';

const TRAINED = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const OF_CAMERA = 'http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture';
const provenance = provenanceOf({ source: 'trainedAlgorithmicMedia', name: 'Studio', generationId: 12 });
const theirs = xmpPacketOf({ ...NO_PROVENANCE, digitalSource: OF_CAMERA, creatorTool: 'Theirs' });
const unmarkedXmp = xmpPacketOf({ ...NO_PROVENANCE, creatorTool: 'Theirs' });
const emptyXmp = xmpPacketOf(NO_PROVENANCE);

const ascii = (text: string) => Buffer.from(text, 'latin1');
const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};
const xmpSegment = (xmp: string) => segment(0xe1, ascii(`http://ns.adobe.com/xap/1.0/\0${xmp}`));
const extendedXmp = (xmp: string) =>
  segment(0xe1, ascii(`http://ns.adobe.com/xmp/extension/\0${'0'.repeat(40)}${xmp}`));
const jumbf = (content: string) =>
  segment(0xeb, ascii(`JP\0\x01\0\0\0\x01\0\0\0\x40jumb\0\0\0\x20jumdc2pa\0${content}`));
const itxt = (xmp: string) => pngChunk('iTXt', ascii(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`));
const extension = (name: string, data: string) =>
  ascii(`\x21\xff\x0b${name}${String.fromCharCode(data.length)}${data}\0`);
const rawProfile = (length: number) =>
  pngChunk('tEXt', ascii(`Raw profile type xmp\0\nxmp\n ${length}\n${ascii(unmarkedXmp).toString('hex')}\n`));
/** Puts something behind the first bytes of a file. */
const within = (bytes: Buffer, at: number, ...added: readonly Buffer[]) =>
  Buffer.concat([bytes.subarray(0, at), ...added, bytes.subarray(at)]);
/** Behind the header of a PNG. */
const HEADER = 33;

describe('a mark', () => {
  const { fileAt, save, list } = temporaryFolder();
  const bytesOf: Record<'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif', Buffer> = {} as never;
  beforeAll(async () => {
    sharp.unblock({ operation: ['VipsForeignLoad'] });
    const formats = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const;
    for (const format of formats) bytesOf[format] = await photo(40, 30).toFormat(format).toBuffer();
  });

  async function mark(bytes: Buffer, type: string) {
    const target = fileAt('marked');
    const marking = await writeMark(await save(bytes, 'file'), target, type, provenance);
    const isWritten = (await list()).includes('marked');
    expect(isWritten).toBe(marking === 'marked');
    return { marking, bytes: isWritten ? await readFile(target) : null, found: await readMark(fileAt('file'), type) };
  }

  it('is the only thing that changes: without its segment the file is the same', async () => {
    const { bytes } = await mark(bytesOf.png, 'image/png');
    const added = bytes!.length - bytesOf.png.length;
    const at = bytes!.indexOf('iTXt') - 4;
    expect(Buffer.concat([bytes!.subarray(0, at), bytes!.subarray(at + added)]).equals(bytesOf.png)).toBe(true);
  });

  it.each<[string, string, () => Buffer]>([
    ['a JPEG', 'image/jpeg', () => within(bytesOf.jpeg, 2, xmpSegment(theirs))],
    ['a PNG', 'image/png', () => within(bytesOf.png, HEADER, itxt(theirs))],
  ])('of others in %s is kept, and read', async (_, type, make) => {
    const { marking, found } = await mark(make(), type);
    expect([marking, found]).toMatchObject(['kept', { digitalSource: OF_CAMERA, creatorTool: 'Theirs' }]);
  });

  it.each<[string, string, () => Buffer]>([
    ['a JPEG', 'image/jpeg', () => within(bytesOf.jpeg, 2, jumbf(TRAINED))],
    ['a PNG', 'image/png', () => within(bytesOf.png, HEADER, pngChunk('caBX', ascii(`jumb${TRAINED}`)))],
    ['a WebP', 'image/webp', () => extended(bytesOf.webp, webpChunk('C2PA', ascii(`${TRAINED} `)))],
    [
      'a GIF',
      'image/gif',
      () => within(bytesOf.gif, bytesOf.gif.indexOf('\x21\xf9'), extension('C2PA_GIF\x01\0\0', TRAINED)),
    ],
    ['an AVIF', 'image/avif', () => Buffer.concat([bytesOf.avif, c2paBox()])],
    ['an MP4', 'video/mp4', () => Buffer.concat([boxOf('ftyp', ascii('isom\0\0\0\0')), c2paBox(), boxOf('moov')])],
    [
      'an SVG',
      'image/svg+xml',
      () =>
        ascii(
          `<svg xmlns="http://www.w3.org/2000/svg"><metadata><c2pa:manifest>${TRAINED}</c2pa:manifest></metadata></svg>`,
        ),
    ],
  ])('is not added to %s that carries a signature, whose source is read', async (_, type, make) => {
    const { marking, found } = await mark(make(), type);
    expect([marking, found]).toMatchObject(['kept', { digitalSource: TRAINED, hasSignature: true }]);
  });

  const c2paBox = () => boxOf('uuid', Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex'), ascii(TRAINED));

  it('of others in extended XMP of a JPEG is found', async () => {
    const { marking } = await mark(within(bytesOf.jpeg, 2, xmpSegment(unmarkedXmp), extendedXmp(theirs)), 'image/jpeg');
    expect(marking).toBe('kept');
  });

  it.each<[string, string, () => Buffer]>([
    ['two packets', 'image/jpeg', () => within(bytesOf.jpeg, 2, xmpSegment(unmarkedXmp), xmpSegment(unmarkedXmp))],
    ['two packets', 'image/png', () => within(bytesOf.png, HEADER, itxt(unmarkedXmp), itxt(unmarkedXmp))],
    ['extended XMP alone', 'image/jpeg', () => within(bytesOf.jpeg, 2, extendedXmp(emptyXmp))],
    [
      'the creator in extended XMP',
      'image/jpeg',
      () => within(bytesOf.jpeg, 2, xmpSegment(emptyXmp), extendedXmp(unmarkedXmp)),
    ],
    [
      'a raw profile that is not whole',
      'image/png',
      () => within(bytesOf.png, HEADER, rawProfile(unmarkedXmp.length + 1)),
    ],
    ['a packet without a place', 'image/png', () => within(bytesOf.png, HEADER, itxt('<x:xmpmeta/>'))],
    [
      'a packet that would be too long',
      'image/jpeg',
      () => within(bytesOf.jpeg, 2, xmpSegment(unmarkedXmp + ' '.repeat(65_500 - unmarkedXmp.length))),
    ],
    ['a packet over 1 MB', 'image/png', () => within(bytesOf.png, HEADER, itxt(unmarkedXmp + ' '.repeat(1024 * 1024)))],
    [
      'packed text that is not whole',
      'image/png',
      () => within(bytesOf.png, HEADER, pngChunk('iTXt', ascii('XML:com.adobe.xmp\0\x01\0\0\0x\x9c'))),
    ],
    ['nothing of its type', 'image/png', () => bytesOf.jpeg],
    ['nothing of its type', 'image/jpeg', () => bytesOf.png],
    ['nothing at all', 'image/webp', () => Buffer.alloc(0)],
    ['a type without marks', 'video/webm', () => bytesOf.png],
    ['text after the drawing alone', 'image/svg+xml', () => ascii('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    [
      'a model with extras of another form',
      'model/gltf-binary',
      () => aGlb({ asset: { version: '2.0', extras: 'a fox' } }),
    ],
    ['a model that is not whole', 'model/gltf-binary', () => aGlb({ asset: { version: '2.0' } }).subarray(0, -4)],
    [
      'a model without JSON',
      'model/gltf-binary',
      () => {
        const glb = aGlb({ asset: {} });
        glb[20] = 0x5b;
        return glb;
      },
    ],
    ['a box beyond the end', 'video/mp4', () => Buffer.concat([boxOf('ftyp'), Buffer.from('7fffffff6d646174', 'hex')])],
    [
      'a box of a huge length',
      'video/mp4',
      () => Buffer.concat([boxOf('ftyp'), Buffer.from('000000016d646174ffffffffffffffff', 'hex')]),
    ],
    [
      'a box that is too short',
      'video/mp4',
      () => Buffer.concat([boxOf('ftyp'), Buffer.from('000000046d646174', 'hex')]),
    ],
    [
      'bytes behind its boxes',
      'video/mp4',
      () => Buffer.concat([boxOf('ftyp'), boxOf('moov'), Buffer.from([0, 0, 1])]),
    ],
    [
      'a chunk of a huge length',
      'image/png',
      () => within(bytesOf.png, HEADER, Buffer.from('7fffffff69545874', 'hex')),
    ],
    ['a directory of BigTIFF', 'image/tiff', () => Buffer.from('49492b000800000010000000000000000000', 'hex')],
    ['a directory beyond the end', 'image/tiff', () => Buffer.from('49492a00ffffff00'.padEnd(64, '0'), 'hex')],
  ])('is not written into a file with %s (%s)', async (_, type, make) => {
    expect((await mark(make(), type)).marking).toBe('unmarked');
  });

  it('is not written into any file that breaks off, or what is written is no less whole', async () => {
    const types = {
      jpeg: 'image/jpeg',
      png: 'image/png',
      webp: 'image/webp',
      gif: 'image/gif',
      tiff: 'image/tiff',
      avif: 'image/avif',
    };
    for (const [format, type] of Object.entries(types)) {
      const whole = bytesOf[format as keyof typeof bytesOf];
      for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 60)) {
        const part = whole.subarray(0, length);
        const { marking, bytes } = await mark(part, type);
        if (marking === 'marked') expect(bytes!.length).toBeGreaterThan(part.length);
      }
    }
  });

  it('leaves what follows the end of a PNG, and loses nothing of other XMP, packed or not', async () => {
    const after = Buffer.concat([bytesOf.png, ascii('more')]);
    expect((await mark(after, 'image/png')).bytes!.subarray(-4).toString()).toBe('more');
    const packed = (await import('node:zlib')).deflateSync(unmarkedXmp);
    const chunk = pngChunk('iTXt', Buffer.concat([ascii('XML:com.adobe.xmp\0\x01\0en\0\0'), packed]));
    const { bytes } = await mark(within(bytesOf.png, HEADER, chunk), 'image/png');
    await save(bytes!, 'both');
    expect(await readMark(fileAt('both'), 'image/png')).toMatchObject({
      digitalSource: TRAINED,
      creatorTool: 'Theirs',
    });
    expect((await sharp(bytes!).metadata()).xmp!.toString().match(/rdf:RDF/g)).toHaveLength(2);
  });

  it('follows an open box of an MP4, which gets its length; XMP before it leaves free space', async () => {
    const xmp = boxOf('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), ascii(unmarkedXmp));
    for (const before of [[], [xmp]]) {
      const head = [boxOf('ftyp', ascii('isom\0\0\0\0')), ...before, boxOf('moov')];
      const open = Buffer.concat([...head, Buffer.from('000000006d646174', 'hex'), ascii('frames')]);
      const { marking, bytes } = await mark(open, 'video/mp4');
      expect([marking, bytes!.readUInt32BE(open.length - 14)]).toEqual(['marked', 14]);
      expect(bytes!.toString('latin1').match(/uuid|free/g)).toEqual(before.length > 0 ? ['free', 'uuid'] : ['uuid']);
    }
  });

  it('is passed on as it was read, and nothing is passed on of a file without one', async () => {
    const packet = await passedOn(await save(within(bytesOf.jpeg, 2, xmpSegment(theirs)), 'file'), 'image/jpeg');
    expect(packet).toContain(OF_CAMERA);
    expect(
      await passedOn(await save(within(bytesOf.jpeg, 2, xmpSegment(unmarkedXmp)), 'file'), 'image/jpeg'),
    ).toBeNull();
  });

  describe('of a picture that loses its metadata', () => {
    const SECRET = 'Hauptstrasse 1';
    const exif = { IFD0: { Copyright: SECRET } };
    const GPS = { ...exif, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } };
    const formats = [
      ['jpeg', 2],
      ['png', HEADER],
    ] as const;
    const signed = async (format: 'jpeg' | 'png', place: number, tags: object) => {
      const bytes = await photo(40, 30)
        .withExif(tags as never)
        .toFormat(format)
        .toBuffer();
      const signature = format === 'jpeg' ? jumbf(TRAINED) : pngChunk('caBX', ascii(`jumb${TRAINED}`));
      return within(bytes, place, signature);
    };
    async function strip(bytes: Buffer, type: string) {
      const marking = await stripButMarks(await save(bytes, 'file'), fileAt('bare'), type);
      return { marking, bytes: await readFile(fileAt('bare')), found: await readMark(fileAt('bare'), type) };
    }

    it.each(formats.map(([format]) => format))('%s: stays, without the rest of its XMP', async (format) => {
      const xmp = theirs.replace('<rdf:Description ', `<rdf:Description xmlns:d="d:" d:rights="${SECRET}" `);
      const bytes = await photo(40, 30).withExif(exif).withXmp(xmp).toFormat(format).toBuffer();
      const { marking, bytes: bare, found } = await strip(bytes, `image/${format}`);
      expect([marking, bare.includes(SECRET)]).toEqual(['marked', false]);
      expect(found).toMatchObject({ digitalSource: OF_CAMERA, creatorTool: 'Theirs', hasSignature: false });
    });

    it.each(formats)(
      '%s: with its signature the picture stays whole, unless it has a position',
      async (format, place) => {
        const whole = await signed(format, place, exif);
        const kept = await strip(whole, `image/${format}`);
        expect([kept.marking, kept.bytes.equals(whole)]).toEqual(['kept', true]);
        const { marking, bytes, found } = await strip(await signed(format, place, GPS), `image/${format}`);
        expect([marking, bytes.includes(SECRET)]).toEqual(['signature_dropped', false]);
        expect(found).toMatchObject({ digitalSource: TRAINED, hasSignature: false });
      },
    );

    it('is none where there was none', async () => {
      expect(await strip(bytesOf.jpeg, 'image/jpeg')).toMatchObject({ marking: null, found: NO_PROVENANCE });
    });
  });
});

function extended(webp: Buffer, chunk: Buffer): Buffer {
  const header = Buffer.from('0000000027000000001d0000'.slice(0, 20), 'hex');
  const file = Buffer.concat([webp.subarray(0, 12), webpChunk('VP8X', header), webp.subarray(12), chunk]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}
