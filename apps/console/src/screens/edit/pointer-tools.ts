import type { PointerEvent } from 'react';
import type { Mark } from './drawing.ts';
import {
  clipped,
  frameOf,
  panned,
  pinched,
  type Point,
  pulled,
  type Rect,
  rectBetween,
  type Side,
  type Sides,
  sidesAt,
  type Size,
  toPicture,
  type View,
} from './geometry.ts';
import { rectOn } from './mask-canvas.ts';
import { type Command, commandOf, strokeOutline } from './outlines.ts';
import type { Tool } from './tools.ts';

/** The circumstances of a pointer: the tool and the picture below it. */
export interface PointerContext {
  readonly tool: Tool;
  /** True if marks erase. */
  readonly isErasing: boolean;
  /** Diameter of the brush, in pixels of the picture. */
  readonly brush: number;
  readonly size: Size;
  readonly sides: Sides;
  /** True if the space bar is held, which moves the picture. */
  readonly isMoving: boolean;
  readonly view: View;
}

/** The effects of a pointer. */
export interface Effects {
  /** Moves or zooms the picture. */
  see(view: View): void;
  /** Shows a mark under way, computed when the frame is drawn; null for none. */
  draw(live: (() => Command | null) | null): void;
  mark(mark: Mark): void;
  pull(change: Partial<Sides>): void;
  /** The picture was clicked to choose the object there. */
  choose(point: Point): void;
}

/** Pixels of the screen around an edge within which it is held. */
const REACH = { mouse: 12, touch: 28 };
/** Pixels of the screen: nearer points change nothing that one sees. */
const NEXT_POINT = 1.5;
/** The button of a pen's eraser. */
const ERASER = 32;

type Marking = {
  readonly kind: 'mark';
  readonly isErasing: boolean;
  readonly isPen: boolean;
  readonly points: number[];
};

type Work =
  | { readonly kind: 'move'; last: Point }
  | { readonly kind: 'pinch' }
  | { readonly kind: 'pull'; readonly held: readonly Side[]; readonly from: Point; readonly sides: Sides }
  | { readonly kind: 'choose' }
  | Marking;

/** Turns the events of pointers into marks and movements: one finger draws, two move the picture. */
export class PointerTools {
  readonly #pointers = new Map<number, Point>();
  #work: Work | null = null;

  constructor(
    private readonly place: () => PointerContext,
    private readonly effects: Effects,
  ) {}

  down(event: PointerEvent): void {
    const { currentTarget, pointerId } = event;
    currentTarget.setPointerCapture(pointerId);
    const at = pointOf(event.nativeEvent, currentTarget);
    this.#pointers.set(pointerId, at);
    if (this.#pointers.size === 1) return this.#begin(event, at);
    // The first finger began no mark.
    this.effects.draw(null);
    this.#work = this.#pointers.size === 2 ? { kind: 'pinch' } : null;
  }

  move(event: PointerEvent): void {
    const { currentTarget, pointerId, nativeEvent } = event;
    const before = this.#pointers.get(pointerId);
    if (!before || !this.#work) return;
    const at = pointOf(nativeEvent, currentTarget);
    const { view } = this.place();
    const pair = [...this.#pointers.values()];
    this.#pointers.set(pointerId, at);
    const work = this.#work;
    if (work.kind === 'pinch') {
      this.effects.see(pinched(view, pairOf(pair), pairOf([...this.#pointers.values()])));
    } else if (work.kind === 'move') {
      this.effects.see(panned(view, { x: at.x - work.last.x, y: at.y - work.last.y }));
      work.last = at;
    } else if (work.kind === 'pull') {
      const by = { x: (at.x - work.from.x) / view.scale, y: (at.y - work.from.y) / view.scale };
      this.effects.pull(pulled(work.sides, work.held, by));
    } else if (work.kind === 'mark') {
      const sampled = nativeEvent.getCoalescedEvents?.() ?? [];
      for (const each of sampled.length > 0 ? sampled : [nativeEvent]) this.#extend(work.points, each, currentTarget);
      this.#show(work);
    }
  }

  up(event: PointerEvent): void {
    const at = this.#pointers.get(event.pointerId);
    this.#pointers.delete(event.pointerId);
    const work = this.#work;
    if (!at || !work) return;
    // The last of two fingers to be lifted draws nothing.
    this.#work = null;
    if (event.type === 'pointercancel') return this.effects.draw(null);
    if (work.kind === 'choose') this.effects.choose(toPicture(this.place().view, at));
    if (work.kind !== 'mark') return;
    const mark = this.#markOf(work);
    if (mark) this.effects.mark(mark);
    else this.effects.draw(null);
  }

  #begin(event: PointerEvent, at: Point): void {
    const { tool, isErasing, isMoving, view, size, sides } = this.place();
    const reach = event.pointerType === 'touch' ? REACH.touch : REACH.mouse;
    const held = tool === 'extend' ? sidesAt(rectOn(view, frameOf(size, sides)), at, reach) : [];
    if (isMoving || event.button === 1 || (tool === 'extend' && held.length === 0)) {
      this.#work = { kind: 'move', last: at };
    } else if (event.button !== 0 && (event.buttons & ERASER) === 0) {
      this.#work = null;
    } else if (tool === 'extend') {
      this.#work = { kind: 'pull', held, from: at, sides };
    } else if (tool === 'object') {
      this.#work = { kind: 'choose' };
    } else {
      const isPen = event.pointerType === 'pen';
      const erases = isErasing || (event.buttons & ERASER) > 0;
      const work: Marking = { kind: 'mark', isErasing: erases, isPen, points: [] };
      this.#extend(work.points, event.nativeEvent, event.currentTarget);
      this.#work = work;
      this.#show(work);
    }
  }

  #extend(points: number[], event: globalThis.PointerEvent, target: Element): void {
    const { view } = this.place();
    const { x, y } = toPicture(view, pointOf(event, target));
    const far = Math.hypot(x - (points.at(-3) ?? -Infinity), y - (points.at(-2) ?? -Infinity));
    if (far * view.scale >= NEXT_POINT) points.push(tenths(x), tenths(y), Math.round(event.pressure * 100) / 100);
  }

  #show(work: Marking): void {
    this.effects.draw(() => this.#liveCommand(work));
  }

  #liveCommand(work: Marking): Command | null {
    const { tool, brush } = this.place();
    const { isErasing, isPen, points } = work;
    if (tool !== 'brush' && tool !== 'eraser') {
      const mark = this.#markOf(work);
      return mark ? (commandOf(mark)[0] ?? null) : null;
    }
    const stroke = { kind: 'stroke', size: brush, isErasing, isPen, points } as const;
    return { op: isErasing ? 'erase' : 'fill', outline: strokeOutline(stroke, false), isSmooth: true };
  }

  #markOf({ isErasing, isPen, points }: Marking): Mark | null {
    const { tool, brush, size, sides } = this.place();
    if (tool === 'rectangle') {
      const rect = clipped(cornersOf(points), frameOf(size, sides));
      return rect && { kind: 'rectangle', isErasing, rect };
    }
    if (tool === 'lasso') {
      const pairs = points.filter((_, at) => at % 3 < 2);
      return pairs.length < 6 ? null : { kind: 'lasso', isErasing, points: pairs };
    }
    return { kind: 'stroke', size: brush, isErasing, isPen, points: [...points] };
  }
}

/** From the first point to the last. */
function cornersOf(points: readonly number[]): Rect {
  return rectBetween({ x: points[0]!, y: points[1]! }, { x: points.at(-3)!, y: points.at(-2)! });
}

function pairOf(points: readonly Point[]): readonly [Point, Point] {
  return [points[0]!, points[1]!];
}

function pointOf({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }, target: Element): Point {
  const { left, top } = target.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
