import { HeldPointers } from '../ui/media/held-pointers.ts';
import { kept, type Point, type View, WHOLE, zoomed } from '../ui/media/zoom.ts';

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
const LARGEST = 6;

/**
 * Swipes, taps, pinches and drags of a picture on its stage. The picture follows the fingers at once, without the page
 * being rendered.
 *
 * @returns ends it
 */
export function followGestures(stage: HTMLElement, picture: HTMLElement, gestures: () => Gestures): () => void {
  const hand = new Hand(stage, picture, gestures);
  const ending = new AbortController();
  const { signal } = ending;
  stage.addEventListener('pointerdown', hand.down, { signal });
  stage.addEventListener('pointermove', hand.move, { signal });
  stage.addEventListener('pointerup', hand.up, { signal });
  stage.addEventListener('pointercancel', hand.up, { signal });
  stage.addEventListener('wheel', hand.turn, { signal, passive: false });
  return () => ending.abort();
}

class Hand {
  readonly #pointers = new HeldPointers();
  #view: View = WHOLE;
  #start = { x: 0, y: 0, at: 0 };
  #isPinch = false;

  constructor(
    private readonly stage: HTMLElement,
    private readonly picture: HTMLElement,
    private readonly gestures: () => Gestures,
  ) {}

  readonly down = (event: PointerEvent) => {
    if (event.button !== 0 || (event.target as Element).closest('button')) return;
    this.#pointers.hold(event);
    // The pointer goes on to count when it leaves the stage.
    this.stage.setPointerCapture(event.pointerId);
    if (this.#pointers.count === 1) this.#start = { x: event.clientX, y: event.clientY, at: event.timeStamp };
    this.#isPinch = this.#pointers.count > 1;
  };

  readonly move = (event: PointerEvent) => {
    const step = this.#pointers.move(event);
    if (!step) return;
    if (this.#pointers.count === 2 || this.#view.scale > 1) this.#zoom(step.factor, step.from, step.to);
    else if (!this.#isPinch && event.pointerType !== 'mouse') {
      this.#show({ scale: 1, x: event.clientX - this.#start.x, y: 0 });
    }
  };

  readonly up = (event: PointerEvent) => {
    if (!this.#pointers.release(event) || this.#pointers.count > 0) return;
    const [byX, byY] = [event.clientX - this.#start.x, event.clientY - this.#start.y];
    const isOver = event.type === 'pointercancel' || this.#isPinch;
    this.#isPinch = false;
    this.#show(this.#kept(this.#view));
    if (isOver) return;
    if (Math.hypot(byX, byY) < TAP) {
      if (event.timeStamp - this.#start.at < TAP_MS) this.#tap(event);
    } else if (this.#view.scale === 1 && event.pointerType !== 'mouse') {
      if (Math.abs(byX) > SWIPE && Math.abs(byX) > Math.abs(byY)) this.gestures().onSwipe(byX < 0 ? 1 : -1);
      else if (byY > SWIPE_DOWN) this.gestures().onSwipeDown();
    }
  };

  readonly turn = (event: WheelEvent) => {
    // Also the pinch of a touchpad.
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.#zoom(Math.exp(-event.deltaY / 200), { x: event.clientX, y: event.clientY });
  };

  #tap({ clientX, clientY }: PointerEvent): void {
    const { left, top, width, height } = this.picture.getBoundingClientRect();
    const [x, y] = [(clientX - left) / width, (clientY - top) / height];
    if (x >= 0 && x <= 1 && y >= 0 && y <= 1) this.gestures().onTap(x, y);
  }

  /** @param from in the window, as `to` */
  #zoom(factor: number, from: Point, to = from): void {
    const { left, top, width, height } = this.stage.getBoundingClientRect();
    const placeOf = ({ x, y }: Point) => ({ x: x - left - width / 2, y: y - top - height / 2 });
    this.#show(this.#kept(zoomed(this.#view, factor, LARGEST, placeOf(from), placeOf(to))));
  }

  #kept(view: View): View {
    const { offsetWidth: width, offsetHeight: height } = this.picture;
    return kept(view, { width, height }, this.stage.getBoundingClientRect());
  }

  #show(view: View): void {
    this.#view = view;
    this.picture.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    this.picture.style.setProperty('--scale', String(view.scale));
  }
}
