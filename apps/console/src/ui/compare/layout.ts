import type { StoredMedia } from '../media.ts';

/** The most items that are compared at once. */
export const MOST_COMPARED = 9;

interface Space {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** CSS pixels between items. */
  readonly gap: number;
  /** CSS pixels of the text below an item. */
  readonly caption: number;
}

/** The number of columns in which pictures of a shape are largest. @param ratio width by height */
export function columnsOf(count: number, ratio: number, { width, height, gap, caption }: Space): number {
  const widthIn = (columns: number) => {
    const rows = Math.ceil(count / columns);
    const column = (width - gap * (columns - 1)) / columns;
    const row = (height - gap * (rows - 1)) / rows - caption;
    return Math.min(column, row * ratio);
  };
  const all = Array.from({ length: count }, (_, index) => index + 1);
  return all.reduce((best, each) => (widthIn(each) > widthIn(best) ? each : best));
}

/** The height of all items: no higher than its pictures need. */
export function heightOf(
  count: number,
  columns: number,
  ratio: number,
  { width, height, gap, caption }: Space,
): number {
  const rows = Math.ceil(count / columns);
  const column = (width - gap * (columns - 1)) / columns;
  return Math.min(height, rows * (column / ratio + caption) + gap * (rows - 1));
}

/** The common shape of pictures, width by height; a square where it is unknown. */
export function commonRatio(items: readonly Pick<StoredMedia, 'width' | 'height'>[]): number {
  const known = items.flatMap(({ width, height }) => (width && height ? [width / height] : []));
  return known.length === 0 ? 1 : known.reduce((sum, each) => sum + each) / known.length;
}

/** The ids of `12-15-18`, two to nine different ones; null for other texts. */
export function comparedIn(text: string): readonly number[] | null {
  if (!/^[1-9]\d{0,15}(-[1-9]\d{0,15})+$/.test(text)) return null;
  const ids = [...new Set(text.split('-').map(Number))];
  return ids.length >= 2 && ids.length <= MOST_COMPARED ? ids : null;
}
