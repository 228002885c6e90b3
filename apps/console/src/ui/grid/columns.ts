/** The position and size of a tile, in CSS pixels from the top left of the layout. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly column: number;
}

export interface Layout {
  /** In the order of the tiles. */
  readonly places: readonly Place[];
  /** Indexes of the tiles of each column, from the top. */
  readonly columns: readonly (readonly number[])[];
  readonly height: number;
}

interface Grid {
  /** CSS pixels. */
  readonly width: number;
  readonly gap: number;
  /** Minimum width of a column. */
  readonly column: number;
}

/** Puts each tile below the shortest column. @param ratios height by width of each tile */
export function layOut(ratios: readonly number[], { width, gap, column: least }: Grid): Layout {
  const count = Math.max(1, Math.floor((width + gap) / (least + gap)));
  const each = Math.max(1, (width - gap * (count - 1)) / count);
  const columns: number[][] = Array.from({ length: count }, () => []);
  const bottoms = columns.map(() => 0);
  const places = ratios.map((ratio, index) => {
    const column = bottoms.indexOf(Math.min(...bottoms));
    const y = bottoms[column]!;
    const height = Math.round(each * ratio);
    bottoms[column] = y + height + gap;
    columns[column]!.push(index);
    return { x: column * (each + gap), y, width: each, height, column };
  });
  return { places, columns, height: Math.max(0, ...bottoms.map((bottom) => bottom - gap)) };
}

/** The layout of the tiles after the first, which are tiles of another kind: indexes begin after them. */
export function withoutFirst(layout: Layout, count: number): Layout {
  if (count === 0) return layout;
  const { places, columns, height } = layout;
  const rest = (indexes: readonly number[]) => indexes.flatMap((index) => (index < count ? [] : [index - count]));
  return { places: places.slice(count), columns: columns.map(rest), height };
}

/** Indexes of the tiles between two vertical positions, in order. */
export function tilesBetween({ places, columns }: Layout, top: number, bottom: number): number[] {
  const found = columns.flatMap((column) => {
    const first = firstWhere(column, (index) => places[index]!.y + places[index]!.height > top);
    const end = firstWhere(column, (index) => places[index]!.y >= bottom);
    return column.slice(first, end);
  });
  return found.sort((one, other) => one - other);
}

export type Direction = 'up' | 'down' | 'left' | 'right';

/** The index of the neighbouring tile: in the same column, or at the same height of the next column. At the border, `index`. */
export function neighbour(layout: Layout, index: number, direction: Direction): number {
  const { places, columns } = layout;
  const { column } = places[index]!;
  if (direction === 'up' || direction === 'down') {
    const own = columns[column]!;
    return own[own.indexOf(index) + (direction === 'up' ? -1 : 1)] ?? index;
  }
  const beside = columns[column + (direction === 'left' ? -1 : 1)] ?? [];
  const middle = middleOf(places[index]!);
  const distance = (other: number) => Math.abs(middleOf(places[other]!) - middle);
  return beside.reduce((best, other) => (best === index || distance(other) < distance(best) ? other : best), index);
}

const middleOf = ({ y, height }: Place) => y + height / 2;

/** Binary search for the first element that fulfils the condition; all later elements fulfil it too. */
function firstWhere(list: readonly number[], holds: (item: number) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
