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

/** Of each pass the first column and row, and the steps to the next ones. */
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
  const entries: readonly (readonly [tag: number, type: number, count: number, value: number])[] = [
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
    const directory = Buffer.alloc(directoryBytes);
    directory.writeUInt16LE(entries.length, 0);
    entries.forEach(([tag, type, count, value], i) => {
      const at = 2 + 12 * i;
      directory.writeUInt16LE(tag, at);
      directory.writeUInt16LE(type, at + 2);
      directory.writeUInt32LE(count, at + 4);
      directory.writeUInt32LE(value, at + 8);
    });
    const last = endless ? first : 0;
    directory.writeUInt32LE(page === pages - 1 ? last : first + (page + 1) * directoryBytes, directoryBytes - 4);
    return directory;
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

/** What an SVG can hold that takes 4^depth shapes to draw. */
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
