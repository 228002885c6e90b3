/** The part that each compared picture shows. */
export interface View {
  /** 1 shows the whole picture. */
  readonly scale: number;
  /** How far the picture is moved from the middle of its frame, in parts of the frame. */
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
const LARGEST = 16;

/**
 * Zooms, so that the detail at one place is at another place afterwards. Pictures still fill their frames.
 *
 * @param from in parts of the frame, from its middle
 */
export function zoomed(view: View, factor: number, from: Point = { x: 0, y: 0 }, to: Point = from): View {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * factor));
  const most = (scale - 1) / 2;
  const along = (axis: 'x' | 'y') => {
    const detail = (from[axis] - view[axis]) / view.scale;
    // The sum makes a zero of a negative zero.
    return Math.min(most, Math.max(-most, to[axis] - detail * scale)) + 0;
  };
  return { scale, x: along('x'), y: along('y') };
}

export function moved(view: View, by: Point): View {
  return zoomed(view, 1, { x: 0, y: 0 }, by);
}
