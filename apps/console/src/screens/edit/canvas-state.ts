import { type Rect, type Size, type View } from './geometry.ts';
import { contextOf, maskCanvas, newCanvas, paint, rectOn, type StoredMasks } from './mask-canvas.ts';
import type { Command, MaskPlan } from './outlines.ts';

interface Shown {
  readonly view: View;
  readonly plan: MaskPlan;
  readonly masks: StoredMasks;
}

/** The finished marks as they were painted for a view, and where they are on the canvas. */
interface Settled {
  readonly view: View;
  /** Null if none of the picture is in sight. */
  readonly painted: { readonly canvas: HTMLCanvasElement; readonly at: Rect } | null;
  /** Milliseconds that painting took. */
  readonly cost: number;
}

/** Marks that take longer to paint are painted anew when the picture rests; meanwhile their painting is moved and zoomed. */
const CHEAP_MS = 4;
/** The picture rests when it was not moved for so long. */
const REST_MS = 120;

/**
 * Draws the mask over the picture, at the size of the screen and at most once a frame. Finished marks are painted once for
 * each view; each frame adds the stroke under way.
 */
export class CanvasState {
  #shown: Shown | null = null;
  #density = 1;
  #settled: Settled | null = null;
  #isMoving = false;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #live: (() => Command | null) | null = null;
  #frame = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    /** A CSS colour. */
    private readonly tint: string,
  ) {}

  /** Shows other marks, or the marks in another view. */
  show(shown: Shown): void {
    const before = this.#shown;
    this.#shown = shown;
    if (before?.plan !== shown.plan || before.masks !== shown.masks) this.#settled = null;
    if (before?.view !== shown.view) this.#move();
    this.#request();
  }

  /** Shows a mark that is not finished, computed once a frame; null for none. */
  draw(live: (() => Command | null) | null): void {
    this.#live = live;
    this.#request();
  }

  resize(box: Size, density: number): void {
    this.#density = density;
    this.canvas.width = Math.round(box.width * density);
    this.canvas.height = Math.round(box.height * density);
    this.#settled = null;
    this.#request();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
  }

  #move(): void {
    this.#isMoving = true;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#isMoving = false;
      this.#request();
    }, REST_MS);
  }

  #request(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#render());
  }

  #render(): void {
    if (!this.#shown) return;
    const { plan, masks } = this.#shown;
    const view = this.#devicePixels(this.#shown.view);
    const settled = this.#settledFor(view, this.#shown);
    this.#settled = settled;
    const context = contextOf(this.canvas);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (settled.painted) {
      const { canvas, at } = settled.painted;
      const place = movedTo(view, settled.view, at);
      context.drawImage(canvas, place.x, place.y, place.width, place.height);
    }
    const live = this.#live?.();
    if (!live) return;
    context.fillStyle = this.tint;
    paint(context, live, { view, plan, masks });
  }

  #settledFor(view: View, shown: Shown): Settled {
    const before = this.#settled;
    if (before && isSame(before.view, view)) return before;
    if (before && this.#isMoving && before.cost > CHEAP_MS) return before;
    const start = performance.now();
    const painted = this.#paint(view, shown);
    return { view, painted, cost: performance.now() - start };
  }

  #paint(view: View, { plan, masks }: Shown): Settled['painted'] {
    const at = visiblePart(rectOn(view, plan.frame), this.canvas);
    if (!at) return null;
    const canvas = maskCanvas(plan, view, at, masks);
    const tinted = newCanvas(at.width, at.height);
    const context = contextOf(tinted);
    context.drawImage(canvas, 0, 0);
    context.globalCompositeOperation = 'source-in';
    context.fillStyle = this.tint;
    context.fillRect(0, 0, at.width, at.height);
    return { canvas: tinted, at };
  }

  #devicePixels({ scale, x, y }: View): View {
    return { scale: scale * this.#density, x: x * this.#density, y: y * this.#density };
  }
}

/** Where a rectangle of the screen is after the view has changed. */
function movedTo(view: View, before: View, at: Rect): Rect {
  const scale = view.scale / before.scale;
  return {
    x: view.x + (at.x - before.x) * scale,
    y: view.y + (at.y - before.y) * scale,
    width: at.width * scale,
    height: at.height * scale,
  };
}

function isSame(one: View, other: View): boolean {
  return one.scale === other.scale && one.x === other.x && one.y === other.y;
}

function visiblePart(rect: Rect, { width, height }: Size): Rect | null {
  const [x, y] = [Math.max(0, Math.floor(rect.x)), Math.max(0, Math.floor(rect.y))];
  const right = Math.min(width, Math.ceil(rect.x + rect.width));
  const bottom = Math.min(height, Math.ceil(rect.y + rect.height));
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}
