import type { Pad, Point, Stroke, Tool } from './strokes.ts';

export const TOOLS: readonly Tool[] = ['pen', 'arrow', 'box'];

/** The limits of the service. */
const MAX_STROKES = 200;
const MAX_BYTES = 20_000;
const WIDTH = 0.006;
/** Shares of the width of the item: deviations of a line from its simplified line, until the drawing fits. */
const TOLERANCES = [0.001, 0.003, 0.009];
/** Share of the width of the item: sides of the head of a long arrow, and the smallest arrow or box. */
const HEAD = 0.045;
const SMALLEST = 0.01;
/** Angle between an arrow and the sides of its head. */
const SPREAD = Math.PI / 7;

/**
 * The drawing with another line.
 *
 * @param path of the pointer
 * @param ratio of the width of the item to its height
 * @returns the same drawing if the path is too short for an arrow or a box; null if the drawing is full
 */
export function withPath(
  drawing: readonly Stroke[],
  path: readonly Point[],
  pen: { readonly tool: Tool; readonly color: string },
  ratio: number,
): readonly Stroke[] | null {
  const square = path.map(([x, y]): Point => [x, y / ratio]);
  if (pen.tool !== 'pen' && distance(square[0]!, square.at(-1)!) < SMALLEST) return drawing;
  for (const tolerance of TOLERANCES) {
    const line = LINES[pen.tool](square, tolerance);
    const points = line.map(([x, y]): Point => [rounded(x), rounded(y * ratio)]);
    const next = [...drawing, { color: pen.color, width: WIDTH, points }];
    if (fits(next)) return next;
  }
  return null;
}

/** Reports whether the service takes a drawing. */
export function fits(drawing: readonly Stroke[]): boolean {
  return drawing.length <= MAX_STROKES && JSON.stringify(drawing).length <= MAX_BYTES;
}

/** The place of a point of the window in an item that is contained in a box, as shares; outside the item too. */
export function placeIn(
  box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
  ratio: number,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): Point {
  const width = Math.min(box.width, box.height * ratio);
  const across = clientX - box.left - (box.width - width) / 2;
  const down = clientY - box.top - (box.height - width / ratio) / 2;
  return [across / width, (down / width) * ratio];
}

export const undone = (drawing: readonly Stroke[], pad: Pad) => ({
  drawing: drawing.slice(0, -1),
  pad: { ...pad, isFull: false },
});
export const cancelled = ({ before }: Pad) => ({ ...before, pad: null });
/** Nothing drawn leaves the comment where it was. */
export const ended = (drawing: readonly Stroke[], { before }: Pad) =>
  drawing.length > 0 ? { pad: null } : { pad: null, time: before.drawing.length > 0 ? null : before.time };

/** The lines of the tools, where both axes have one unit. */
const LINES: Readonly<Record<Tool, (path: readonly Point[], tolerance: number) => readonly Point[]>> = {
  // A dot is a line to itself.
  pen: (path, tolerance) => (path.length === 1 ? [path[0]!, path[0]!] : simplified(path, tolerance)),
  arrow(path) {
    const [[x, y], tip] = [path[0]!, path.at(-1)!];
    const angle = Math.atan2(tip[1] - y, tip[0] - x);
    const length = Math.min(HEAD, distance([x, y], tip) / 2);
    const side = (by: number): Point => [
      tip[0] - length * Math.cos(angle + by),
      tip[1] - length * Math.sin(angle + by),
    ];
    return [[x, y], tip, side(SPREAD), tip, side(-SPREAD)];
  },
  box(path) {
    const [[left, top], [right, bottom]] = [path[0]!, path.at(-1)!];
    return [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [left, top],
    ];
  },
};

/** Keeps the points without which the line would deviate by more than the tolerance (Ramer, Douglas and Peucker). */
function simplified(path: readonly Point[], tolerance: number): readonly Point[] {
  const [first, last] = [path[0]!, path.at(-1)!];
  const offs = path.map((point) => offLine(point, first, last));
  const most = Math.max(...offs);
  if (path.length < 3 || most <= tolerance) return [first, last];
  const at = offs.indexOf(most);
  return [...simplified(path.slice(0, at + 1), tolerance).slice(0, -1), ...simplified(path.slice(at), tolerance)];
}

/** The distance of a point from the line between two others. */
function offLine(point: Point, from: Point, to: Point): number {
  const length = distance(from, to);
  if (length === 0) return distance(point, from);
  const along = ((point[0] - from[0]) * (to[0] - from[0]) + (point[1] - from[1]) * (to[1] - from[1])) / length ** 2;
  const share = Math.min(1, Math.max(0, along));
  return distance(point, [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
}

const distance = (one: Point, other: Point) => Math.hypot(one[0] - other[0], one[1] - other[1]);
const rounded = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 10_000;
