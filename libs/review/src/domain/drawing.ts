import { invalidField } from '#kernel';

/** A line over a picture, or over a frame of a video: an arrow and a box are lines, too. */
export interface Stroke {
  /** `#rrggbb`, in lower case. */
  readonly color: string;
  /** Share of the width of the item, above 0, at most 0.1. */
  readonly width: number;
  /** Shares of the width and the height from the upper left corner, 0 to 1. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

export type Drawing = readonly Stroke[];

export const MAX_STROKES = 200;
/** Size of the JSON text of a drawing. */
export const MAX_DRAWING_BYTES = 20_000;
const MAX_WIDTH = 0.1;

/**
 * A drawing without anything but its strokes; `null` for none.
 *
 * @throws DomainError `validation_failed`
 */
export function drawingOf(given: readonly object[] | null): Drawing | null {
  if (given === null || given.length === 0) return null;
  if (given.length > MAX_STROKES) throw invalidField('drawing', `must have at most ${MAX_STROKES} strokes`);
  const drawing = given.map(strokeOf);
  if (JSON.stringify(drawing).length > MAX_DRAWING_BYTES) {
    throw invalidField('drawing', `must have at most ${MAX_DRAWING_BYTES} bytes`);
  }
  return drawing;
}

function strokeOf(given: object): Stroke {
  const { color, width, points } = given as Readonly<Record<keyof Stroke, unknown>>;
  if (typeof color !== 'string' || !/^#[0-9a-f]{6}$/i.test(color)) {
    throw invalidField('drawing', 'must have strokes of a color such as #c04030');
  }
  if (typeof width !== 'number' || !(width > 0 && width <= MAX_WIDTH)) {
    throw invalidField('drawing', `must have strokes of a width above 0, at most ${MAX_WIDTH}`);
  }
  if (!Array.isArray(points) || points.length === 0 || !points.every(isPoint)) {
    throw invalidField('drawing', 'must have strokes of points [x, y], each from 0 to 1');
  }
  return { color: color.toLowerCase(), width, points };
}

function isPoint(value: unknown): value is readonly [number, number] {
  const isShare = (share: unknown) => typeof share === 'number' && share >= 0 && share <= 1;
  return Array.isArray(value) && value.length === 2 && value.every(isShare);
}
