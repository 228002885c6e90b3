import { UnreadablePicture, type Range, type Reader } from '../strip/reader.ts';

/** More boxes than films of a day in fragments of a second have. */
const MAX_BOXES = 200_000;

/** A box of ISO/IEC 14496-12. */
export interface Box extends Range {
  readonly type: string;
  /** Start of its content. */
  readonly data: number;
  /** Hexadecimal digits, of the type `uuid`. */
  readonly id: string;
  /** True if its header leaves its length open: it goes on to the end of the file. */
  readonly isOpen: boolean;
}

/** @throws UnreadablePicture when the boxes do not end at `end` */
export function boxesIn(file: Reader, start: number, end: number): readonly Box[] {
  const boxes: Box[] = [];
  for (let at = start; at < end; at = boxes.at(-1)!.end) {
    if (boxes.length === MAX_BOXES) throw new UnreadablePicture('too many boxes');
    boxes.push(boxAt(file, at, end));
  }
  return boxes;
}

function boxAt(file: Reader, start: number, limit: number): Box {
  const head = file.exactly(start, 8);
  const [short, type] = [head.readUInt32BE(), head.toString('latin1', 4)];
  const length = short === 1 ? Number(file.exactly(start + 8, 8).readBigUInt64BE()) : short || limit - start;
  const body = start + (short === 1 ? 16 : 8);
  const data = type === 'uuid' ? body + 16 : body;
  const end = start + length;
  if (end < data || end > limit) throw new UnreadablePicture('a box after the end');
  const id = type === 'uuid' ? file.exactly(body, 16).toString('hex') : '';
  return { type, start, data, end, id, isOpen: short === 0 };
}

export function boxOf(type: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(
    content.reduce((sum, { length }) => sum + length, 8),
    0,
  );
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}
