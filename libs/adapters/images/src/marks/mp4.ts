import type { Piece, Reader } from '../strip/reader.ts';
import { boxesIn, boxOf, type Box } from './boxes.ts';
import { manifestAt, MAX_PACKETS, packetAt, type Scan } from './scan.ts';

const XMP = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
export const C2PA = 'd8fec3d61b0e483c92975828877ec481';
const MAX_SHORT = 0xffff_ffff;

/**
 * Boxes of an MP4. Its mark is the last box, so that no offset of a frame changes; only the index of fragments stays
 * behind it, which programs find from the end. XMP that stands elsewhere moves there.
 * (ISO/IEC 14496-12; XMP part 3, 1.2.6; C2PA, A.4.)
 */
export function scanMp4(file: Reader, size: number): Scan {
  const boxes = boxesIn(file, 0, size);
  const xmp = boxes.filter(({ id }) => id === XMP.toString('hex'));
  const signed = boxes.find(({ id }) => id === C2PA);
  const behind = boxes.at(-1)?.type === 'mfra' ? boxes.at(-1)! : null;
  const last = boxes.at(behind ? -2 : -1);
  return {
    packets: xmp.slice(0, MAX_PACKETS).map(({ data, end }) => packetAt(file, data, end - data)),
    signature: signed ? manifestAt(file, signed.data, signed.end - signed.data) : null,
    hasPosition: false,
    put: (packet) => {
      const [own] = xmp;
      const box = boxOf('uuid', XMP, packet);
      const rest = { start: behind?.start ?? size, end: Infinity };
      if (own && own === last) return [{ start: 0, end: own.start }, box, rest];
      const before = own ? freed(own) : [];
      const from = own ? own.start + 8 : 0;
      if (!last?.isOpen) return [...before, { start: from, end: rest.start }, box, rest];
      const whole = closed(last, from);
      return whole && [...before, ...whole, box];
    },
  };
}

/** The file up to the type of a box, which becomes that of free space: the boxes behind it keep their places. */
function freed({ start }: Box): readonly Piece[] {
  return [{ start: 0, end: start + 4 }, Buffer.from('free')];
}

/** The rest of the file, whose last box gets its length, so that another one may follow. */
function closed({ start, end }: Box, from: number): readonly Piece[] | null {
  if (end - start > MAX_SHORT) return null;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(end - start);
  return [{ start: from, end: start }, length, { start: start + 4, end: Infinity }];
}
