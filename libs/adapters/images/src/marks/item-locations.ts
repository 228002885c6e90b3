import type { Range } from '../strip/reader.ts';

interface Extent {
  readonly index: number;
  readonly offset: number;
  readonly length: number;
}

interface Item {
  readonly id: number;
  /** Where it is: 0 in the file, 1 in the table of data, 2 in another item. */
  readonly method: number;
  readonly reference: number;
  readonly base: number;
  readonly extents: readonly Extent[];
}

/** Bytes of each number; 0 where it is left out. */
interface Sizes {
  readonly offset: number;
  readonly length: number;
  readonly base: number;
  readonly index: number;
}

const MAX_ITEMS = 0xffff;

/** The box `iloc`: where the items of a HEIF or AVIF picture are. (ISO/IEC 14496-12, 8.11.3.) */
export class ItemLocations {
  private constructor(
    private readonly head: Buffer,
    private readonly sizes: Sizes,
    private readonly items: readonly Item[],
  ) {}

  /** @param box its content; `null` for tables of an unusual form */
  static read(box: Buffer): ItemLocations | null {
    const version = box[0]!;
    if (version > 1 || box.length < 8) return null;
    const numbers = box.readUInt16BE(4);
    const size = (shift: number) => (numbers >> shift) & 15;
    const sizes = { offset: size(12), length: size(8), base: size(4), index: version === 1 ? size(0) : 0 };
    if (![sizes.offset, sizes.length].every((each) => each === 4 || each === 8)) return null;
    if (![sizes.base, sizes.index].every((each) => each === 0 || each === 4 || each === 8)) return null;
    try {
      return new ItemLocations(box.subarray(0, 6), sizes, itemsIn(box, version, sizes));
    } catch {
      return null;
    }
  }

  get nextId(): number {
    return Math.max(0, ...this.items.map(({ id }) => id)) + 1;
  }

  /** `null` unless the item is in one piece of the file. */
  placeOf(id: number): Range | null {
    const item = this.items.find((each) => each.id === id);
    const [extent, ...more] = item?.extents ?? [];
    if (!item || item.method !== 0 || item.reference !== 0 || !extent || more.length > 0) return null;
    const start = item.base + extent.offset;
    return { start, end: start + extent.length };
  }

  /**
   * The content of the box with a new place of an item, after all that is behind `changed` has moved by `shift`.
   *
   * @returns `null` when something is neither before nor behind it, or a number has no space
   */
  write(
    place: { readonly id: number; readonly start: number; readonly length: number },
    changed: Range,
    shift: number,
  ): Buffer | null {
    const extent = { index: 0, offset: place.start, length: place.length };
    const own: Item = { id: place.id, method: 0, reference: 0, base: 0, extents: [extent] };
    const others = this.items.filter(({ id }) => id !== place.id).map((item) => moved(item, changed, shift));
    if (others.length >= MAX_ITEMS || others.includes(null)) return null;
    const all = [...(others as Item[]), own];
    try {
      const count = Buffer.alloc(2);
      count.writeUInt16BE(all.length);
      return Buffer.concat([this.head, count, ...all.map((item) => this.#written(item))]);
    } catch {
      return null;
    }
  }

  #written({ id, method, reference, base, extents }: Item): Buffer {
    const { sizes } = this;
    const methods = this.head[0] === 1 ? [bytesOf(method, 2)] : [];
    const written = extents.flatMap(({ index, offset, length }) => [
      bytesOf(index, sizes.index),
      bytesOf(offset, sizes.offset),
      bytesOf(length, sizes.length),
    ]);
    const start = [bytesOf(id, 2), ...methods, bytesOf(reference, 2), bytesOf(base, sizes.base)];
    return Buffer.concat([...start, bytesOf(extents.length, 2), ...written]);
  }
}

/** @throws RangeError when the box ends too early */
function itemsIn(box: Buffer, version: number, sizes: Sizes): readonly Item[] {
  let at = 6;
  const next = (length: number): number => {
    const start = at;
    at += length;
    if (length === 8) return Number(box.readBigUInt64BE(start));
    return length === 0 ? 0 : box.readUIntBE(start, length);
  };
  return Array.from({ length: next(2) }, () => {
    const id = next(2);
    const method = version === 1 ? next(2) & 15 : 0;
    const [reference, base] = [next(2), next(sizes.base)];
    const extents = Array.from({ length: next(2) }, () => {
      return { index: next(sizes.index), offset: next(sizes.offset), length: next(sizes.length) };
    });
    return { id, method, reference, base, extents };
  });
}

/** `null` when it has parts on both sides, or one without a length, which goes on to the end. */
function moved(item: Item, changed: Range, shift: number): Item | null {
  if (item.method !== 0) return item;
  if (item.reference !== 0 || item.extents.some(({ length }) => length === 0)) return null;
  const starts = item.extents.map(({ offset }) => item.base + offset);
  if (item.extents.every(({ length }, index) => starts[index]! + length <= changed.start)) return item;
  if (!starts.every((start) => start >= changed.end)) return null;
  if (item.base >= changed.end) return { ...item, base: item.base + shift };
  return { ...item, extents: item.extents.map((extent) => ({ ...extent, offset: extent.offset + shift })) };
}

/** @throws RangeError when the number has no space */
function bytesOf(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (length === 8) bytes.writeBigUInt64BE(BigInt(value));
  else if (length > 0) bytes.writeUIntBE(value, 0, length);
  return bytes;
}
