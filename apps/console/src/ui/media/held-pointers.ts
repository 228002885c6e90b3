import type { Point } from './zoom.ts';

type OnScreen = Pick<PointerEvent, 'pointerId' | 'clientX' | 'clientY'>;

/** Effect of the pointers on the picture under them: `from` and `to` are points of the window. */
interface Step {
  readonly from: Point;
  readonly to: Point;
  readonly factor: number;
}

/** The pointers that are down on a picture: one moves it, two zoom it. */
export class HeldPointers {
  readonly #held = new Map<number, Point>();

  get count(): number {
    return this.#held.size;
  }

  hold({ pointerId, clientX: x, clientY: y }: OnScreen): void {
    this.#held.set(pointerId, { x, y });
  }

  /** @returns whether the pointer was held */
  release({ pointerId }: OnScreen): boolean {
    return this.#held.delete(pointerId);
  }

  /** @returns null for a pointer that is not held */
  move(event: OnScreen): Step | null {
    if (!this.#held.has(event.pointerId)) return null;
    const before = [...this.#held.values()];
    this.hold(event);
    const after = [...this.#held.values()];
    const factor = before.length === 2 ? spreadOf(after) / Math.max(1, spreadOf(before)) : 1;
    return { from: middleOf(before), to: middleOf(after), factor };
  }
}

function middleOf(points: readonly Point[]): Point {
  const mean = (axis: keyof Point) => points.reduce((sum, each) => sum + each[axis], 0) / points.length;
  return { x: mean('x'), y: mean('y') };
}

function spreadOf([one, other]: readonly Point[]): number {
  return Math.hypot(one!.x - other!.x, one!.y - other!.y);
}
