import { APPLICATION, gifBlocks } from '../strip/gif.ts';
import type { Range, Reader } from '../strip/reader.ts';
import { manifestAt, MAX_PACKETS, packetAt, type Packet, type Scan } from './scan.ts';

const HEAD = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
/** Whichever byte of the packet a decoder takes for the length of a block, it ends at the last byte of this. */
const TRAILER = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]);

/** Blocks of a GIF. (XMP part 3, 1.1.2; C2PA, A.3.) */
export function scanGif(file: Reader): Scan {
  const packets: (Packet & Range)[] = [];
  let signature: string | null = null;
  let place: number | undefined;
  for (const { label, start, end } of gifBlocks(file)) {
    const name = label === APPLICATION ? file.upTo(start + 3, 11).toString('latin1') : '';
    if (name === 'XMP DataXMP' && packets.length < MAX_PACKETS) {
      const length = end - start - HEAD.length - TRAILER.length;
      packets.push({ ...packetAt(file, start + HEAD.length, Math.max(0, length)), start, end });
    } else if (name.startsWith('C2PA_GIF')) signature ??= manifestAt(file, start + 14, end - start - 14);
    // Programs expect the number of loops, an extension too, before the first frame.
    if (label !== APPLICATION) place ??= start;
  }
  const { start, end } = packets[0] ?? { start: place!, end: place! };
  return {
    packets,
    signature,
    hasPosition: false,
    put: (packet) => [
      Buffer.from('GIF89a'),
      { start: 6, end: start },
      Buffer.concat([HEAD, packet, TRAILER]),
      { start: end, end: Infinity },
    ],
  };
}
