import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import { createStore, type Store } from '../../state/index.ts';
import { HeldPointers } from '../media/held-pointers.ts';
import { type Point, type View, WHOLE } from '../media/zoom.ts';
import { zoomed } from './view.ts';

/** The share that a notch of the wheel zooms. */
const WHEEL = 0.0016;
/** How often a double click and a key magnify. */
const DOUBLE_CLICK = 3;
export const KEY_FACTOR = 1.4;

/** The attribute of the elements that show a picture each. Children take the view from the variables of the group. */
export const FRAME = 'data-frame';

/**
 * Zooms and moves all pictures of a group in step: by the wheel, by one pointer or two, and by a double click. The pictures
 * follow by style sheet variables of the group, without being rendered again.
 */
export function useZoom(group: RefObject<HTMLElement | null>) {
  const view = useMemo(() => createStore<View>(WHOLE), []);
  const pointers = useMemo(() => new PointerZoom(view), [view]);
  useEffect(() => {
    const element = group.current!;
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
      view.set(zoomed(view.get(), Math.exp(-event.deltaY * WHEEL), placeIn(frame, pointOf(event))));
    };
    element.addEventListener('wheel', turn, { passive: false });
    const end = view.subscribe(show);
    return () => {
      end();
      element.removeEventListener('wheel', turn);
    };
  }, [view, group]);
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
      view.set(before.scale > 1 ? WHOLE : zoomed(before, DOUBLE_CLICK, placeIn(frame, pointOf(event))));
    },
  };
  return { view, handlers };
}

/** Moves and zooms the pictures by the pointers that are down on one of them. */
class PointerZoom {
  readonly #pointers = new HeldPointers();
  #frame: Element | null = null;

  constructor(private readonly view: Store<View>) {}

  down(event: PointerEvent): void {
    const frame = frameAt(event.target);
    if (!frame || event.button !== 0 || this.#pointers.count >= 2) return;
    if (this.#pointers.count === 0) this.#frame = frame;
    frame.setPointerCapture(event.pointerId);
    this.#pointers.hold(event);
  }

  /** @returns whether the pictures moved */
  move(event: PointerEvent): boolean {
    const step = this.#pointers.move(event);
    if (!step || !this.#frame) return false;
    const [from, to] = [placeIn(this.#frame, step.from), placeIn(this.#frame, step.to)];
    this.view.set(zoomed(this.view.get(), step.factor, from, to));
    return true;
  }

  up(event: PointerEvent): void {
    this.#pointers.release(event);
  }
}

function frameAt(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest(`[${FRAME}]`) : null;
}

/** In parts of the frame, from its middle. */
function placeIn(frame: Element, { x, y }: Point): Point {
  const { left, top, width, height } = frame.getBoundingClientRect();
  return { x: (x - left) / width - 0.5, y: (y - top) / height - 0.5 };
}

const pointOf = ({ clientX: x, clientY: y }: { readonly clientX: number; readonly clientY: number }): Point => ({
  x,
  y,
});
