import type { Media } from './api.ts';
import type { Section } from './sections.ts';

const GAP = 6;
const HEADING = 52;
/** Wider and higher pictures are cut in their tile. */
const RATIOS = { least: 0.55, most: 2.4 };

interface Box {
  readonly top: number;
  readonly height: number;
}

export interface HeadingBox extends Box {
  readonly section: Section;
}

export interface TileBox extends Box {
  readonly media: Media;
  readonly left: number;
  readonly width: number;
  /** The number of its row, over all sections. */
  readonly row: number;
}

export interface Layout {
  readonly headings: readonly HeadingBox[];
  readonly tiles: readonly TileBox[];
  readonly height: number;
}

/** Lays tiles out in rows that fill the width, in their order. */
export function layoutOf(sections: readonly Section[], width: number): Layout {
  const headings: HeadingBox[] = [];
  const tiles: TileBox[] = [];
  const wanted = Math.min(230, Math.max(120, width * 0.44));
  let top = 0;
  let row = 0;
  const place = (media: readonly Media[], height: number) => {
    let left = 0;
    for (const each of media) {
      const across = ratioOf(each) * height;
      tiles.push({ media: each, top, left, width: across, height, row });
      left += across + GAP;
    }
    top += height + GAP;
    row++;
  };
  for (const section of sections) {
    if (section.title !== null) {
      headings.push({ section, top, height: HEADING });
      top += HEADING;
    }
    let open: Media[] = [];
    let ratios = 0;
    for (const each of section.media) {
      open.push(each);
      ratios += ratioOf(each);
      const height = (width - GAP * (open.length - 1)) / ratios;
      if (height > wanted) continue;
      place(open, height);
      open = [];
      ratios = 0;
    }
    if (open.length > 0) place(open, Math.min(wanted, (width - GAP * (open.length - 1)) / ratios));
  }
  return { headings, tiles, height: top };
}

function ratioOf({ width, height }: Media): number {
  if (!width || !height) return 1;
  return Math.min(RATIOS.most, Math.max(RATIOS.least, width / height));
}

/** Boxes that are at least partly between two heights. */
export function shownOf<T extends Box>(boxes: readonly T[], from: number, to: number): T[] {
  return boxes.filter(({ top, height }) => top < to && top + height > from);
}

/** The tile that a key goes to, by its index; null for other keys and at an end. */
export function neighbour(tiles: readonly TileBox[], index: number, key: string): number | null {
  const tile = tiles[index];
  if (!tile) return null;
  const at = (wanted: number) => (tiles[wanted] && wanted !== index ? wanted : null);
  switch (key) {
    case 'ArrowLeft':
      return at(index - 1);
    case 'ArrowRight':
      return at(index + 1);
    case 'Home':
      return at(0);
    case 'End':
      return at(tiles.length - 1);
    case 'ArrowUp':
      return nearest(tiles, tile, tile.row - 1);
    case 'ArrowDown':
      return nearest(tiles, tile, tile.row + 1);
    default:
      return null;
  }
}

/** The tile of a row whose middle is nearest to that of a tile. */
function nearest(tiles: readonly TileBox[], { left, width }: TileBox, row: number): number | null {
  const middle = left + width / 2;
  let best: number | null = null;
  let least = Infinity;
  tiles.forEach((each, index) => {
    const distance = Math.abs(each.left + each.width / 2 - middle);
    if (each.row !== row || distance >= least) return;
    least = distance;
    best = index;
  });
  return best;
}
