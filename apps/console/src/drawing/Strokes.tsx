import classes from './drawing.module.css';
import type { Stroke } from './strokes.ts';
import { words } from './words.ts';

/** Units of the width: browsers draw lines of less than one unit badly. */
export const UNITS = 1_000;

/** Strokes over an item that is contained in the same box. */
export function Strokes({ strokes, ratio }: { readonly strokes: readonly Stroke[]; readonly ratio: number }) {
  if (strokes.length === 0) return null;
  return (
    <svg className={classes.strokes} viewBox={`0 0 ${UNITS} ${UNITS / ratio}`} role="img" aria-label={words.drawing}>
      {strokes.map((stroke, index) => (
        <Line key={index} stroke={stroke} ratio={ratio} />
      ))}
    </svg>
  );
}

export function Line({ stroke: { color, width, points }, ratio }: { readonly stroke: Stroke; readonly ratio: number }) {
  const [first = [0, 0]] = points;
  // A dot has an end too, or nothing is drawn.
  const line = points.length === 1 ? [first, first] : points;
  return (
    <polyline
      points={line.map(([x, y]) => `${x * UNITS},${(y * UNITS) / ratio}`).join(' ')}
      style={{ stroke: color, strokeWidth: `${width * UNITS}px` }}
    />
  );
}
