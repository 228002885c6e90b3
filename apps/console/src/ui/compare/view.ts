import { kept, type Point, type View, zoomed as scaled } from '../media/zoom.ts';

/** A view of all pictures, whose frames have several sizes: positions are parts of a frame. */
const FRAME = { width: 1, height: 1 };
const LARGEST = 16;
const MIDDLE: Point = { x: 0, y: 0 };

/** Zooms, so that the detail at one place is at another place afterwards. Pictures still fill their frames. */
export function zoomed(view: View, factor: number, from: Point = MIDDLE, to: Point = from): View {
  return kept(scaled(view, factor, LARGEST, from, to), FRAME, FRAME);
}

export function moved(view: View, by: Point): View {
  return zoomed(view, 1, MIDDLE, by);
}
