import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import { createStore, type Store } from '../../state/index.ts';
import { moved, type Point, type View, WHOLE, zoomed } from './view.ts';

/** The share that a notch of the wheel zooms. */
const WHEEL = 0.0016;
/** How often a double click and a key magnify. */
const DOUBLE_CLICK = 3;
export const KEY_FACTOR = 1.4;

/** The attribute of the elements that show a picture each. Children take the view from the variables of the wall. */
export const FRAME = 'data-frame';

/**
 * Zooms and moves all pictures of a wall in step: by the wheel, by one pointer or two, and by a double click. The pictures
 * follow by style sheet variables of the wall, without being rendered again.
 */
export function useZoom(wall: RefObject<HTMLElement | null>) {
  const view = useMemo(() => createStore<View>(WHOLE), []);
  const pointers = useMemo(() => new PointerZoom(view), [view]);
  useEffect(() => {
    const element = wall.current!;
    const show = () => {
      const { scale, x, y } = view.get();
      element.style.setProperty('--scale', String(scale));
      element.style.setProperty('--x', `${x * 100}%`);
      element.style.setProperty('--y', `${y * 100}%`);
      element.toggleAttribute('data-zoomed', scale > 1);
    };
    show();
    // React listens passively, so that a zoom would scroll, too.
    const turn = (event: WheelEvent) => {
      const frame = frameAt(event.target);
      if (!frame) return;
      event.preventDefault();
      view.set(zoomed(view.get(), Math.exp(-event.deltaY * WHEEL), placeIn(frame, event)));
    };
    element.addEventListener('wheel', turn, { passive: false });
    const end = view.subscribe(show);
    return () => {
      end();
      element.removeEventListener('wheel', turn);
    };
  }, [view, wall]);
  const isDrag = useRef(false);
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      isDrag.current = false;
      pointers.down(event);
    },
    onPointerMove: (event: PointerEvent) => {
      if (pointers.move(event)) isDrag.current = true;
    },
    onPointerUp: (event: PointerEvent) => pointers.up(event),
    onPointerCancel: (event: PointerEvent) => pointers.up(event),
    onDoubleClick: (event: MouseEvent) => {
      const frame = frameAt(event.target);
      if (!frame || isDrag.current) return;
      const before = view.get();
      view.set(before.scale > 1 ? WHOLE : zoomed(before, DOUBLE_CLICK, placeIn(frame, event)));
    },
  };
  return { view, handlers };
}

interface OnScreen {
  readonly clientX: number;
  readonly clientY: number;
}

/** The pointers that are down on a picture: one moves it, two zoom it. */
class PointerZoom {
  readonly #held = new Map<number, OnScreen>();
  #frame: Element | null = null;

  constructor(private readonly view: Store<View>) {}

  down(event: PointerEvent): void {
    const frame = frameAt(event.target);
    if (!frame || event.button !== 0 || this.#held.size >= 2) return;
    if (this.#held.size === 0) this.#frame = frame;
    frame.setPointerCapture(event.pointerId);
    this.#held.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
  }

  /** @returns whether the pictures moved */
  move(event: PointerEvent): boolean {
    if (!this.#frame || !this.#held.has(event.pointerId)) return false;
    const before = [...this.#held.values()];
    this.#held.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
    const after = [...this.#held.values()];
    const [from, to] = [before, after].map((points) => placeIn(this.#frame!, middleOf(points)));
    const factor = before.length === 2 ? distanceOf(after) / Math.max(1, distanceOf(before)) : 1;
    const now = this.view.get();
    this.view.set(
      factor === 1 ? moved(now, { x: to!.x - from!.x, y: to!.y - from!.y }) : zoomed(now, factor, from, to),
    );
    return true;
  }

  up({ pointerId }: PointerEvent): void {
    this.#held.delete(pointerId);
  }
}

function frameAt(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest(`[${FRAME}]`) : null;
}

/** In parts of the frame, from its middle. */
function placeIn(frame: Element, { clientX, clientY }: OnScreen): Point {
  const { left, top, width, height } = frame.getBoundingClientRect();
  return { x: (clientX - left) / width - 0.5, y: (clientY - top) / height - 0.5 };
}

function middleOf(points: readonly OnScreen[]): OnScreen {
  const mean = (axis: keyof OnScreen) => points.reduce((sum, each) => sum + each[axis], 0) / points.length;
  return { clientX: mean('clientX'), clientY: mean('clientY') };
}

function distanceOf([one, other]: readonly OnScreen[]): number {
  return Math.hypot(one!.clientX - other!.clientX, one!.clientY - other!.clientY);
}
