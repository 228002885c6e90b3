/** The direction of each move, and how much it zooms in. */
const MOVES = {
  closer: { x: 0, y: -0.12, zoom: 0.34 },
  left: { x: -1, y: 0, zoom: 0.24 },
  right: { x: 1, y: 0, zoom: 0.24 },
  up: { x: 0, y: -1, zoom: 0.24 },
  down: { x: 0, y: 1, zoom: 0.24 },
};

export type CameraMove = keyof typeof MOVES;

/**
 * FFmpeg's filter for a camera move. It starts slowly with the whole picture, and never leaves the picture, because the
 * camera zooms in while it pans.
 */
export function camera(move: CameraMove, amount: number, frames: number): string {
  const { x, y, zoom } = MOVES[move];
  const moment = `(on-1)/${frames - 1}`;
  const travelled = `if(lt(${moment},0.25),2*pow(${moment},2),${moment}-0.125)/0.875`;
  // The part of the picture that is outside of the view.
  const outside = `(1-1/(1+${zoom * amount}*${travelled}))`;
  const edge = (side: string, offset: number) => `${side}*${(1 + 0.9 * offset) / 2}*${outside}`;
  const far = (side: string, offset: number) => `${side}-${side}*${(1 - 0.9 * offset) / 2}*${outside}`;
  const [left, right, top, bottom] = [edge('W', x), far('W', x), edge('H', y), far('H', y)];
  const corners = { x0: left, y0: top, x1: right, y1: top, x2: left, y2: bottom, x3: right, y3: bottom };
  const options = Object.entries(corners).map(([name, value]) => `${name}='${value}'`);
  return `perspective=${options.join(':')}:interpolation=cubic:sense=source:eval=frame`;
}
