import { createStore } from '../../state/index.ts';
import { fitted, inSight, type Point, type Rect, type Size, type View, zoomed } from './geometry.ts';

/** The visible part of the picture. It stays in the middle until it is moved. */
export class Viewport {
  readonly view = createStore<View>({ scale: 1, x: 0, y: 0 });
  #box: Size = { width: 1, height: 1 };
  #isFitted = true;

  constructor(private frame: Rect) {}

  /** The stage has another size. */
  resize(box: Size): void {
    this.#box = box;
    if (this.#isFitted) this.fit();
    else this.view.set(inSight(this.view.get(), this.frame, box));
  }

  /** The picture has other sides. It does not jump: a pointer may hold one. */
  reframe(frame: Rect): void {
    this.frame = frame;
  }

  see(view: View): void {
    this.#isFitted = false;
    this.view.set(inSight(view, this.frame, this.#box));
  }

  zoom(factor: number, at: Point = { x: this.#box.width / 2, y: this.#box.height / 2 }): void {
    this.see(zoomed(this.view.get(), at, factor));
  }

  fit(): void {
    this.#isFitted = true;
    this.view.set(fitted(this.frame, this.#box));
  }
}
