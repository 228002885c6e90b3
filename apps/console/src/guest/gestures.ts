import { kept, scaled, type View, WHOLE } from './zoom.ts';

export interface Gestures {
  /** A tap on the picture, as shares of its width and height. */
  readonly onTap: (x: number, y: number) => void;
  /** A swipe to the left asks for the next item (1), one to the right for the previous one (-1). */
  readonly onSwipe: (step: 1 | -1) => void;
  readonly onSwipeDown: () => void;
}

/** Pixels that a finger may move during a tap, and has to move during a swipe. */
const TAP = 10;
const SWIPE = 60;
const SWIPE_DOWN = 110;
const TAP_MS = 600;

/**
 * Swipes, taps, pinches and drags of a picture on its stage. The picture follows the fingers at once, without the page
 * being rendered.
 *
 * @returns ends it
 */
export function followGestures(stage: HTMLElement, picture: HTMLElement, gestures: () => Gestures): () => void {
  const pointers = new Map<number, PointerEvent>();
  let view: View = WHOLE;
  let start = { x: 0, y: 0, at: 0 };
  let isPinch = false;
  const ending = new AbortController();
  const { signal } = ending;

  const show = (next: View, isFree = false) => {
    view = isFree
      ? next
      : kept(next, { width: picture.offsetWidth, height: picture.offsetHeight }, stage.getBoundingClientRect());
    picture.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    picture.style.setProperty('--scale', String(view.scale));
  };
  const fromMiddle = (x: number, y: number) => {
    const { left, top, width, height } = stage.getBoundingClientRect();
    return [x - left - width / 2, y - top - height / 2] as const;
  };
  const distance = () => {
    const [one, other] = [...pointers.values()];
    return one && other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0;
  };

  const down = (event: PointerEvent) => {
    if (event.button !== 0 || (event.target as Element).closest('button')) return;
    pointers.set(event.pointerId, event);
    // The pointer goes on to count when it leaves the stage.
    stage.setPointerCapture(event.pointerId);
    if (pointers.size === 1) start = { x: event.clientX, y: event.clientY, at: event.timeStamp };
    isPinch = pointers.size > 1;
  };
  const move = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const apart = distance();
    pointers.set(event.pointerId, event);
    const [byX, byY] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (pointers.size === 2 && apart > 0) {
      const [one, other] = [...pointers.values()] as [PointerEvent, PointerEvent];
      const middle = fromMiddle((one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
      show(scaled({ ...view, x: view.x + byX / 2, y: view.y + byY / 2 }, distance() / apart, ...middle));
    } else if (view.scale > 1) {
      show({ ...view, x: view.x + byX, y: view.y + byY });
    } else if (!isPinch && event.pointerType !== 'mouse') {
      show({ scale: 1, x: event.clientX - start.x, y: 0 }, true);
    }
  };
  const up = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId) || pointers.size > 0) return;
    const [byX, byY] = [event.clientX - start.x, event.clientY - start.y];
    const wasPinch = isPinch;
    isPinch = false;
    if (event.type === 'pointercancel' || wasPinch) return show(view);
    if (Math.hypot(byX, byY) < TAP) {
      show(view);
      if (event.timeStamp - start.at < TAP_MS) tap(event);
      return;
    }
    if (view.scale > 1) return;
    show(WHOLE);
    if (event.pointerType === 'mouse') return;
    if (Math.abs(byX) > SWIPE && Math.abs(byX) > Math.abs(byY)) gestures().onSwipe(byX < 0 ? 1 : -1);
    else if (byY > SWIPE_DOWN) gestures().onSwipeDown();
  };
  const tap = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = picture.getBoundingClientRect();
    const [x, y] = [(clientX - left) / width, (clientY - top) / height];
    if (x >= 0 && x <= 1 && y >= 0 && y <= 1) gestures().onTap(x, y);
  };
  const wheel = (event: WheelEvent) => {
    // Also the pinch of a touchpad.
    if (!event.ctrlKey) return;
    event.preventDefault();
    show(scaled(view, Math.exp(-event.deltaY / 200), ...fromMiddle(event.clientX, event.clientY)));
  };

  stage.addEventListener('pointerdown', down, { signal });
  stage.addEventListener('pointermove', move, { signal });
  stage.addEventListener('pointerup', up, { signal });
  stage.addEventListener('pointercancel', up, { signal });
  stage.addEventListener('wheel', wheel, { signal, passive: false });
  return () => ending.abort();
}
