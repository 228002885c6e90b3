export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type Rect = Point & Size;

/** Pixels that are added to each side of a picture. */
export interface Sides {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Side = keyof Sides;

/** Where the picture is on the screen: a point of the picture is at `point * scale + (x, y)`. */
export interface View extends Point {
  readonly scale: number;
}

export const SIDES: readonly Side[] = ['left', 'top', 'right', 'bottom'];
export const NO_SIDES: Sides = { left: 0, top: 0, right: 0, bottom: 0 };

/** The service reads no larger pictures. */
const MOST_PIXELS = 50_000_000;
/** Canvases of browsers are no longer. */
const LONGEST = 16_384;
const SMALLEST_SCALE = 0.02;
const LARGEST_SCALE = 32;
/** A small picture is not enlarged further when it is opened. */
const LARGEST_FIT = 3;
/** Pixels of the screen that stay visible of a picture that is moved away. */
const VISIBLE = 48;

export function toPicture(view: View, { x, y }: Point): Point {
  return { x: (x - view.x) / view.scale, y: (y - view.y) / view.scale };
}

export function toScreen(view: View, { x, y }: Point): Point {
  return { x: x * view.scale + view.x, y: y * view.scale + view.y };
}

/** The picture with the pixels that are added to its sides. The picture itself begins at 0, 0. */
export function frameOf({ width, height }: Size, { left, top, right, bottom }: Sides): Rect {
  return { x: 0 - left, y: 0 - top, width: width + left + right, height: height + top + bottom };
}

export function isExtended(sides: Sides): boolean {
  return SIDES.some((side) => sides[side] > 0);
}

/** Whole, not negative pixels. The sides as before where the frame would be larger than the service reads. */
export function extended(size: Size, before: Sides, change: Partial<Sides>): Sides {
  const wanted = { ...before, ...change };
  const whole = (pixels: number) => (Number.isFinite(pixels) ? Math.max(0, Math.round(pixels)) : 0);
  const sides = {
    left: whole(wanted.left),
    top: whole(wanted.top),
    right: whole(wanted.right),
    bottom: whole(wanted.bottom),
  };
  const { width, height } = frameOf(size, sides);
  return width * height > MOST_PIXELS || Math.max(width, height) > LONGEST ? before : sides;
}

/** The least that makes the picture as wide as this for its height, the same on both sides. */
export function sidesFor({ width, height }: Size, ratio: number): Sides {
  const wider = Math.max(0, Math.round(height * ratio) - width);
  const higher = Math.max(0, Math.round(width / ratio) - height);
  const [left, top] = [Math.floor(wider / 2), Math.floor(higher / 2)];
  return { left, top, right: wider - left, bottom: higher - top };
}

/** The whole rectangle in the middle of the box. */
export function fitted(rect: Rect, box: Size, margin = 24): View {
  const room = { width: Math.max(1, box.width - 2 * margin), height: Math.max(1, box.height - 2 * margin) };
  const scale = inLimits(Math.min(room.width / rect.width, room.height / rect.height, LARGEST_FIT));
  return {
    scale,
    x: box.width / 2 - (rect.x + rect.width / 2) * scale,
    y: box.height / 2 - (rect.y + rect.height / 2) * scale,
  };
}

/** The point of the picture under `at` stays there. */
export function zoomed(view: View, at: Point, factor: number): View {
  const scale = inLimits(view.scale * factor);
  const point = toPicture(view, at);
  return { scale, x: at.x - point.x * scale, y: at.y - point.y * scale };
}

export function panned(view: View, by: Point): View {
  return { ...view, x: view.x + by.x, y: view.y + by.y };
}

/** Two fingers move the picture and zoom it: the points under them follow. */
export function pinched(view: View, before: readonly [Point, Point], after: readonly [Point, Point]): View {
  const [from, to] = [middleOf(before), middleOf(after)];
  const spread = distance(...before);
  const moved = panned(view, { x: to.x - from.x, y: to.y - from.y });
  return spread === 0 ? moved : zoomed(moved, to, distance(...after) / spread);
}

/** The view with a part of the rectangle in sight. */
export function inSight(view: View, rect: Rect, box: Size): View {
  const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);
  const { x, y } = toScreen(view, rect);
  const [width, height] = [rect.width * view.scale, rect.height * view.scale];
  return panned(view, {
    x: between(VISIBLE - width, x, box.width - VISIBLE) - x,
    y: between(VISIBLE - height, y, box.height - VISIBLE) - y,
  });
}

/** The sides of a rectangle that a point is near: two at a corner. */
export function sidesAt({ x, y, width, height }: Rect, point: Point, reach: number): readonly Side[] {
  const isNear = (one: number, other: number) => Math.abs(one - other) <= reach;
  const isBetween = (least: number, value: number, most: number) => value >= least - reach && value <= most + reach;
  const besides = isBetween(y, point.y, y + height);
  const above = isBetween(x, point.x, x + width);
  return [
    ...(besides && isNear(point.x, x) ? (['left'] as const) : []),
    ...(above && isNear(point.y, y) ? (['top'] as const) : []),
    ...(besides && isNear(point.x, x + width) ? (['right'] as const) : []),
    ...(above && isNear(point.y, y + height) ? (['bottom'] as const) : []),
  ];
}

/** The sides that a pointer pulls outwards, or back. @param by pixels of the picture */
export function pulled(sides: Sides, held: readonly Side[], by: Point): Partial<Sides> {
  const outwards: Sides = { left: -by.x, top: -by.y, right: by.x, bottom: by.y };
  return Object.fromEntries(held.map((side) => [side, sides[side] + outwards[side]]));
}

export function rectBetween(one: Point, other: Point): Rect {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return { x, y, width: Math.abs(other.x - one.x), height: Math.abs(other.y - one.y) };
}

/** The part of the rectangle that is within the bounds, in whole pixels; null if nothing is. */
export function clipped(rect: Rect, bounds: Rect): Rect | null {
  const x = Math.max(Math.round(rect.x), bounds.x);
  const y = Math.max(Math.round(rect.y), bounds.y);
  const width = Math.min(Math.round(rect.x + rect.width), bounds.x + bounds.width) - x;
  const height = Math.min(Math.round(rect.y + rect.height), bounds.y + bounds.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Moves a rectangle, or its right and lower edges, and keeps it within the bounds. */
export function nudged(rect: Rect, by: Point, bounds: Rect, part: 'all' | 'size' = 'all'): Rect {
  const between = (least: number, value: number, most: number) => Math.min(Math.max(Math.round(value), least), most);
  if (part === 'size') {
    const width = between(1, rect.width + by.x, bounds.x + bounds.width - rect.x);
    return { ...rect, width, height: between(1, rect.height + by.y, bounds.y + bounds.height - rect.y) };
  }
  return {
    ...rect,
    x: between(bounds.x, rect.x + by.x, bounds.x + bounds.width - rect.width),
    y: between(bounds.y, rect.y + by.y, bounds.y + bounds.height - rect.height),
  };
}

/** A quarter of each side, in the middle: where a rectangle by keys begins. */
export function middlePart({ x, y, width, height }: Rect): Rect {
  const quarter = { width: Math.max(1, Math.round(width / 4)), height: Math.max(1, Math.round(height / 4)) };
  const [left, top] = [Math.round(x + (width - quarter.width) / 2), Math.round(y + (height - quarter.height) / 2)];
  return { x: left, y: top, ...quarter };
}

function inLimits(scale: number): number {
  return Math.min(Math.max(scale, SMALLEST_SCALE), LARGEST_SCALE);
}

function middleOf([one, other]: readonly [Point, Point]): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(other.x - one.x, other.y - one.y);
}
