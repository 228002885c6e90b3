import { crc32, deflateSync } from 'node:zlib';
import { pngChunk } from '#testing/sources';

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 6: 4 };

/** A PNG of zeros: a few hundred kilobytes for any number of pixels. `color`: 0 grey, 2 RGB, 6 RGB with alpha. */
export function emptyPng(
  width: number,
  height: number,
  { depth = 1, color = 0, interlaced = false, extra = [] as Buffer[] } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, color, 0, 0, interlaced ? 1 : 0], 8);
  const rowBytes = (pixels: number) => 1 + Math.ceil((pixels * CHANNELS[color]! * depth) / 8);
  const size = (interlaced ? ADAM7 : ['0011']).reduce((sum, pass) => {
    const [x, y, dx, dy] = Array.from(pass, Number);
    const columns = Math.ceil((width - x!) / dx!);
    const rows = Math.ceil((height - y!) / dy!);
    return columns > 0 && rows > 0 ? sum + rows * rowBytes(columns) : sum;
  }, 0);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', deflateSync(Buffer.alloc(size))),
    pngChunk('IEND'),
  ]);
}

/** First column and row of each pass, and the steps to the next ones. */
const ADAM7 = ['0088', '4088', '0448', '2044', '0224', '1022', '0112'];

/** A PNG that says that it is larger than anything. */
export function pngHeader(width: number, height: number): Buffer {
  const png = emptyPng(1, 1);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** Text in a PNG that is a thousand times as long once it is unpacked. */
export function textBomb(megabytes: number): Buffer {
  return pngChunk('zTXt', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(megabytes * 1e6))]));
}

/** A GIF animation of tiny frames. */
export function gifOf(frames: number): Buffer {
  const header = Buffer.from('GIF89a\x08\0\x08\0\x81\0\0', 'latin1');
  const palette = Buffer.from([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]);
  const delay = [0x21, 0xf9, 4, 0, 1, 0, 0, 0];
  const position = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0];
  // One pixel: clear, colour 0, end, in codes of three bits.
  const frame = Buffer.from([...delay, ...position, 2, 2, 0b01_000_100, 0b1, 0]);
  return Buffer.concat([header, palette, ...new Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

/** A WebP animation that repeats `still` as its frames, on a canvas of the size of `still`. */
export function webpOf(frames: number, still: Buffer, { width = 16, height = 16 } = {}): Buffer {
  const size24 = (value: number) => [value & 0xff, (value >> 8) & 0xff, value >> 16];
  const size = [...size24(width - 1), ...size24(height - 1)];
  const extended = riffChunk('VP8X', Buffer.from([2, 0, 0, 0, ...size]));
  const frame = riffChunk(
    'ANMF',
    Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, ...size, 10, 0, 0, 0]), still.subarray(12)]),
  );
  const body = [extended, riffChunk('ANIM', Buffer.alloc(6)), ...new Array<Buffer>(frames).fill(frame)];
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...body]));
}

function riffChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/**
 * A TIFF of zeros with as many directories as asked for, all on the same bytes; the last may point back to the first.
 */
export function tiffOf(pages: number, { width = 8, height = 8, bits = 8, endless = false } = {}): Buffer {
  const strip = deflateSync(Buffer.alloc((height * width * bits * 4) / 8));
  const bitsAt = 8 + strip.length + (strip.length % 2);
  const first = bitsAt + 8;
  const entries: readonly Entry[] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 4, bitsAt],
    [259, 3, 1, 8],
    [262, 3, 1, 2],
    [273, 4, 1, 8],
    [277, 3, 1, 4],
    [278, 4, 1, height],
    [279, 4, 1, strip.length],
    [338, 3, 1, 2],
  ];
  const directoryBytes = 2 + 12 * entries.length + 4;
  const directories = Array.from({ length: pages }, (_, page) => {
    const last = endless ? first : 0;
    return directoryOf(entries, page === pages - 1 ? last : first + (page + 1) * directoryBytes);
  });
  const header = Buffer.from('II*\0\0\0\0\0', 'latin1');
  header.writeUInt32LE(first, 4);
  const depths = Buffer.alloc(8);
  for (let channel = 0; channel < 4; channel++) depths.writeUInt16LE(bits, 2 * channel);
  return Buffer.concat([header, strip, Buffer.alloc(strip.length % 2), depths, ...directories]);
}

/** A progressive JPEG that goes over all its blocks again and again, at a few bytes each time. */
export function jpegOfScans(scans: number, { width = 5_700, height = 5_700 } = {}): Buffer {
  const segment = (marker: number, ...data: number[]) =>
    Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data]);
  const frame = [8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0];
  const oneCode = (table: number, value: number) => [table, 1, ...new Array<number>(15).fill(0), value];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  // "The next 32,767 blocks are empty", in 15 bits, until all are.
  const runs = `0${'1'.repeat(14)}`.repeat(Math.ceil(blocks / 32_767));
  const bytes = (runs + '1'.repeat(-runs.length & 7)).match(/.{8}/g)!.map((bits) => parseInt(bits, 2));
  const scan = Buffer.concat([
    segment(0xda, 1, 1, 0, 1, 63, 0),
    Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte]))),
  ]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...new Array<number>(64).fill(1)),
    segment(0xc2, ...frame),
    segment(0xc4, ...oneCode(0x00, 0)),
    segment(0xc4, ...oneCode(0x10, 0xe0)),
    segment(0xda, 1, 1, 0, 0, 0, 0),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...new Array<Buffer>(scans).fill(scan),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Content of an SVG that takes 4^depth shapes to draw. */
export function useBomb(depth: number): string {
  const uses = (i: number) => `<use xlink:href="#a${i}"/>`.repeat(4);
  const levels = Array.from({ length: depth }, (_, i) => `<g id="a${i + 1}">${uses(i)}</g>`);
  return `<defs><rect id="a0" width="9" height="9"/>${levels.join('')}</defs><use xlink:href="#a${depth}"/>`;
}

/** Filters on filters, each over far more than can be seen. */
export function filterBomb(steps: number): string {
  const step = '<feGaussianBlur stdDeviation="90"/><feTurbulence baseFrequency="0.9" numOctaves="9"/>';
  const filter = `<filter id="f" x="-9" y="-9" width="19" height="19">${step.repeat(steps)}</filter>`;
  return `${filter}<rect width="2000" height="2000" filter="url(#f)"/>`;
}

type Entry = readonly [tag: number, type: number, count: number, value: number];

/** A directory of a TIFF, or of EXIF, for the position that `next` and the values of its entries reckon with. */
function directoryOf(entries: readonly Entry[], next = 0): Buffer {
  const directory = Buffer.alloc(2 + 12 * entries.length + 4);
  directory.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, type, count, value], index) => {
    const at = 2 + 12 * index;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(value, at + 8);
  });
  directory.writeUInt32LE(next, directory.length - 4);
  return directory;
}

const exifOf = (...directories: Buffer[]) => Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), ...directories]);
const pointersTo = (tag: number, value: number) => new Array<Entry>(5_000).fill([tag, 4, 1, value]);
const EXIF_IFD = 0x8769;
const MAKER_NOTE = 0x927c;

/** EXIF that decoders walk through for ever, or nearly. */
const EXIF_BOMBS: Readonly<Record<string, Buffer>> = {
  'a directory that refers to itself 5,000 times': exifOf(directoryOf(pointersTo(EXIF_IFD, 8))),
  'GPS that refers to its directory 5,000 times': exifOf(directoryOf(pointersTo(0x8825, 8))),
  'a chain of directories without end': exifOf(directoryOf([[EXIF_IFD, 4, 1, 8]], 8)),
  '3,000 nested directories': exifOf(
    ...Array.from({ length: 3_000 }, (_, depth) => directoryOf([[EXIF_IFD, 4, 1, 8 + 18 * (depth + 1)]])),
  ),
  '5,000 entries of all bytes': exifOf(directoryOf(new Array<Entry>(5_000).fill([MAKER_NOTE, 7, 60_000, 8]))),
  'an entry of 4 GB': exifOf(directoryOf([[MAKER_NOTE, 7, 0xffff_ffff, 8]])),
};

/** XMP of elements in elements. */
function xmpBomb(bytes: number): Buffer {
  return Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/">' + '<a>'.repeat(bytes / 3));
}

/** A colour profile of a tag of that type and content. `tags` are claimed to be there. */
function profileOf(type: string, content: Buffer, { tags = 1 } = {}): Buffer {
  const head = Buffer.alloc(132 + 12);
  head.writeUInt32BE(head.length + 4 + content.length, 0);
  head.write('\x04\x40', 8, 'latin1');
  head.write('mntrRGB XYZ ', 12);
  head.write('acsp', 36);
  head.writeUInt32BE(tags, 128);
  head.write('D2B0', 132);
  head.writeUInt32BE(head.length, 136);
  head.writeUInt32BE(4 + content.length, 140);
  return Buffer.concat([head, Buffer.from(type), content]);
}

/** Calculations that colours have to pass through, all described by the same bytes. */
function calculations(count: number): Buffer {
  const positions = Buffer.alloc(12 + 8 * count);
  positions.writeUInt16BE(3, 4);
  positions.writeUInt16BE(3, 6);
  positions.writeUInt32BE(count, 8);
  const matrix = Buffer.alloc(12 + 12 * 4);
  matrix.write('matf');
  matrix.writeUInt16BE(3, 8);
  matrix.writeUInt16BE(3, 10);
  for (const at of [0, 4, 8]) matrix.writeFloatBE(1, 12 + 4 * at);
  for (let index = 0; index < count; index++) {
    positions.writeUInt32BE(4 + positions.length, 12 + 8 * index);
    positions.writeUInt32BE(matrix.length, 16 + 8 * index);
  }
  return Buffer.concat([positions, matrix]);
}

/** Photoshop's resources, which contain IPTC. */
function iptcBomb(records: number): Buffer {
  const record = Buffer.from('\x1c\x02\x19\0\x01x', 'latin1');
  const head = Buffer.from('8BIM\x04\x04\0\0\0\0\0\0', 'latin1');
  head.writeUInt32BE(record.length * records, 8);
  return Buffer.concat([head, ...new Array<Buffer>(records).fill(record)]);
}

/** Puts application segments into a JPEG, right after its beginning. */
function jpegWith(jpeg: Buffer, marker: number, signature: string, data: readonly Buffer[]): Buffer {
  const segments = data.flatMap((part) => {
    const head = Buffer.from(`\xff${String.fromCharCode(marker)}\0\0${signature}`, 'latin1');
    head.writeUInt16BE(head.length - 2 + part.length, 2);
    return [head, part];
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** A profile as the segments of a JPEG have it, in parts of that length. */
function profileParts(profile: Buffer, bytes = 60_000): Buffer[] {
  const count = Math.ceil(profile.length / bytes);
  return Array.from({ length: count }, (_, part) =>
    Buffer.concat([Buffer.from([(part + 1) & 0xff, count & 0xff]), profile.subarray(part * bytes, (part + 1) * bytes)]),
  );
}

/** A PNG with those chunks before its pixels. */
function pngWith(type: string, data: Buffer, count = 1): Buffer {
  return emptyPng(40, 30, { extra: new Array<Buffer>(count).fill(pngChunk(type, data)) });
}

/** Text, or a profile, that is compressed in a chunk. */
function packed(name: string, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name), deflateSync(bytes)]);
}

const WEBP_FLAGS: Readonly<Record<string, number>> = { ICCP: 0x20, EXIF: 0x08, 'XMP ': 0x04 };

/** A WebP of a still picture of 40 by 30 with those chunks. */
function webpWith(still: Buffer, type: string, data: Buffer, count = 1): Buffer {
  const extended = riffChunk('VP8X', Buffer.from([WEBP_FLAGS[type]!, 0, 0, 0, 39, 0, 0, 29, 0, 0]));
  const chunks = new Array<Buffer>(count).fill(riffChunk(type, data));
  const pixels = still.subarray(12);
  const parts = type === 'ICCP' ? [...chunks, pixels] : [pixels, ...chunks];
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), extended, ...parts]));
}

/** A GIF with extensions of that label, each of sub-blocks of a byte. */
function gifWith(gif: Buffer, label: number, name: string, { blocks = 1, count = 1 } = {}): Buffer {
  const head = 13 + 3 * 2 ** ((gif[10]! & 7) + 1);
  const signature = name && String.fromCharCode(name.length) + name;
  const start = Buffer.from(`\x21${String.fromCharCode(label)}${signature}`, 'latin1');
  const extension = Buffer.concat([start, Buffer.alloc(2 * blocks, '\x01x'), Buffer.alloc(1)]);
  return Buffer.concat([gif.subarray(0, head), ...new Array<Buffer>(count).fill(extension), gif.subarray(head)]);
}

/** A TIFF of 40 by 30 in one directory with these entries too; `data` comes last, at `AT_DATA`. */
function tiffWith(entries: readonly Entry[], data: Buffer = Buffer.alloc(0), next = 0): Buffer {
  const pixels = Buffer.alloc(40 * 30);
  const needed: Entry[] = [
    [256, 4, 1, 40],
    [257, 4, 1, 30],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 1, 8],
    [277, 3, 1, 1],
    [278, 4, 1, 30],
    [279, 4, 1, pixels.length],
  ];
  const dataAt = 8 + pixels.length + 2 + 12 * (needed.length + entries.length) + 4;
  const placed = entries.map(([tag, type, count, value]): Entry => [
    tag,
    type,
    count,
    value === AT_DATA ? dataAt : value,
  ]);
  const head = exifOf();
  head.writeUInt32LE(8 + pixels.length, 4);
  return Buffer.concat([head, pixels, directoryOf([...needed, ...placed], next), data]);
}

/** The value of an entry of `tiffWith` that stands for the position of the data. */
const AT_DATA = -1;
/** Where `tiffWith` has its directory. */
const TIFF_DIRECTORY = 8 + 40 * 30;

/**
 * Pictures of 40 by 30 whose metadata costs its readers time or memory, by content.
 *
 * @param still a small picture of that size in each format
 */
export function metadataBombs({ jpeg, webp, gif }: Readonly<Record<'jpeg' | 'webp' | 'gif', Buffer>>) {
  const bombs: Record<string, Buffer> = {};
  for (const [what, exif] of Object.entries(EXIF_BOMBS)) {
    bombs[`a JPEG with EXIF: ${what}`] = jpegWith(jpeg, 0xe1, 'Exif\0\0', [exif]);
    bombs[`a PNG with EXIF: ${what}`] = pngWith('eXIf', exif);
    bombs[`a WebP with EXIF: ${what}`] = webpWith(webp, 'EXIF', exif);
  }
  const loop = EXIF_BOMBS['a directory that refers to itself 5,000 times']!;
  const xmp = xmpBomb(60_000);
  const large = xmpBomb(20_000_000);
  const endless = profileOf('mpet', calculations(50_000));
  const profiles = {
    'calculations without end': endless,
    'a million tags': profileOf('text', Buffer.alloc(60_000), { tags: 1_000_000 }),
    '15 MB': profileOf('text', Buffer.alloc(15_000_000)),
  };
  for (const [what, profile] of Object.entries(profiles)) {
    bombs[`a JPEG with a profile: ${what}`] = jpegWith(jpeg, 0xe2, 'ICC_PROFILE\0', profileParts(profile));
    bombs[`a PNG with a profile: ${what}`] = pngWith('iCCP', packed('p\0\0', profile));
    bombs[`a WebP with a profile: ${what}`] = webpWith(webp, 'ICCP', profile);
    bombs[`a TIFF with a profile: ${what}`] = tiffWith([[34_675, 7, profile.length, AT_DATA]], profile);
  }
  const flood = (data: Buffer) => new Array<Buffer>(5_000).fill(data);
  const unpacked = Buffer.alloc(100_000_000);
  return {
    ...bombs,
    'a JPEG with 5,000 segments of EXIF': jpegWith(jpeg, 0xe1, 'Exif\0\0', flood(loop.subarray(0, 6_000))),
    'a JPEG with XMP of elements in elements': jpegWith(jpeg, 0xe1, 'http://ns.adobe.com/xap/1.0/\0', [xmp]),
    'a JPEG with 30 MB of extended XMP': jpegWith(
      jpeg,
      0xe1,
      'http://ns.adobe.com/xmp/extension/\0',
      flood(xmp.subarray(0, 6_000)),
    ),
    'a JPEG with 5,000 profiles': jpegWith(jpeg, 0xe2, 'ICC_PROFILE\0', flood(profileParts(endless, 6_000)[0]!)),
    'a JPEG with 30 MB of IPTC': jpegWith(jpeg, 0xed, 'Photoshop 3.0\0', flood(iptcBomb(1_000))),
    'a JPEG with 30 MB of comments': jpegWith(jpeg, 0xfe, '', flood(Buffer.alloc(6_000))),
    'a JPEG with 20 MB between two segments': Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.alloc(20_000_000, 0xff),
      jpeg.subarray(2),
    ]),
    'a PNG with 5 packed texts of 100 MB': pngWith('zTXt', packed('x\0\0', unpacked), 5),
    'a PNG with 5 packed texts of 100 MB in Unicode': pngWith('iTXt', packed('x\0\x01\0\0\0', unpacked), 5),
    'a PNG with 5 packed profiles of 100 MB': pngWith('iCCP', packed('p\0\0', unpacked), 5),
    'a PNG with XMP of elements in elements': pngWith(
      'iTXt',
      Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), large]),
    ),
    'a PNG with 400,000 texts': pngWith('tEXt', Buffer.from('x\0x'), 400_000),
    'a PNG with 5,000 palettes': pngWith('sPLT', Buffer.from('x\0\x08rgba\0\0'), 5_000),
    'a WebP with XMP of elements in elements': webpWith(webp, 'XMP ', large),
    'a WebP with 400,000 chunks of XMP': webpWith(webp, 'XMP ', Buffer.alloc(2), 400_000),
    'a WebP with 400 chunks of EXIF': webpWith(webp, 'EXIF', loop, 400),
    'a GIF with 400,000 application extensions': gifWith(gif, 0xff, 'NETSCAPE2.0', { count: 400_000 }),
    'a GIF with 20 MB of XMP in blocks of a byte': gifWith(gif, 0xff, 'XMP DataXMP', { blocks: 10_000_000 }),
    'a GIF with 20 MB of comment in blocks of a byte': gifWith(gif, 0xfe, '', { blocks: 10_000_000 }),
    'a TIFF whose EXIF refers to itself 5,000 times': tiffWith(
      [[EXIF_IFD, 4, 1, AT_DATA]],
      directoryOf(pointersTo(EXIF_IFD, TIFF_DIRECTORY)),
    ),
    'a TIFF with 5,000 pictures in pictures': tiffWith(
      [[330, 4, 5_000, AT_DATA]],
      Buffer.alloc(20_000, TIFF_DIRECTORY),
    ),
    'a TIFF with XMP of elements in elements': tiffWith([[700, 1, large.length, AT_DATA]], large),
    'a TIFF with 6 MB of IPTC': tiffWith([[33_723, 7, 6_000_000, AT_DATA]], iptcBomb(1_000_000)),
    "a TIFF with 6 MB of Photoshop's resources": tiffWith([[34_377, 7, 6_000_000, AT_DATA]], iptcBomb(1_000_000)),
    'a TIFF with 20,000 entries of 1 MB': tiffWith(
      Array.from({ length: 20_000 }, (_, tag): Entry => [40_000 + tag, 7, 1_000_000, AT_DATA]),
      Buffer.alloc(1_000_000),
    ),
  };
}

/** TIFFs whose directories never end: with one, and with two that follow each other. */
export function endlessTiffs(): readonly Buffer[] {
  const second = directoryOf([[254, 4, 1, 0]], TIFF_DIRECTORY);
  const length = tiffWith([]).length;
  return [tiffWith([], undefined, TIFF_DIRECTORY), tiffWith([], second, length)];
}
