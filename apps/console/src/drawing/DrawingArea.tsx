import { type PointerEvent, useEffect, useState } from 'react';
import classes from './drawing.module.css';
import { cancelled, placeIn, undone, withPath } from './lines.ts';
import { Line, UNITS } from './Strokes.tsx';
import type { Pad, Point, Stroke } from './strokes.ts';
import { words } from './words.ts';

export type PadChange = (part: {
  readonly drawing?: readonly Stroke[];
  readonly time?: number | null;
  readonly pad?: Pad | null;
}) => void;

interface DrawingAreaProps {
  readonly drawing: readonly Stroke[];
  readonly pad: Pad;
  /** Width of the item by its height. */
  readonly ratio: number;
  readonly onChange: PadChange;
}

/** Takes the lines of one pointer over an item that is contained in the same box. Ctrl-Z undoes, Escape cancels. */
export function DrawingArea({ drawing, pad, ratio, onChange }: DrawingAreaProps) {
  const [line, setLine] = useState<{ readonly pointer: number; readonly path: readonly Point[] } | null>(null);
  useKeys({ drawing, pad, onChange });
  const begin = (event: PointerEvent<SVGSVGElement>) => {
    // A second finger neither draws nor moves the picture.
    event.stopPropagation();
    if (line || pad.isFull || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setLine({ pointer: event.pointerId, path: [placeOf(event, ratio)] });
  };
  const goOn = (event: PointerEvent<SVGSVGElement>) => {
    if (line?.pointer === event.pointerId) setLine({ ...line, path: [...line.path, placeOf(event, ratio)] });
  };
  const end = ({ pointerId }: PointerEvent) => {
    if (line?.pointer !== pointerId) return;
    setLine(null);
    const next = withPath(drawing, line.path, pad, ratio);
    onChange(next ? { drawing: next } : { pad: { ...pad, isFull: true } });
  };
  return (
    <svg
      ref={withoutGestures}
      className={classes.area}
      data-drawing
      viewBox={`0 0 ${UNITS} ${UNITS / ratio}`}
      role="img"
      aria-label={words.area}
      onPointerDown={begin}
      onPointerMove={goOn}
      onPointerUp={end}
      onPointerCancel={() => setLine(null)}
      onClick={(event) => event.stopPropagation()}
    >
      {[...drawing, ...(line ? (withPath([], line.path, pad, ratio) ?? []) : [])].map((stroke, index) => (
        <Line key={index} stroke={stroke} ratio={ratio} />
      ))}
    </svg>
  );
}

/** A stroke that ends in motion would be a fling to the browser, which takes the next tap. */
function withoutGestures(svg: SVGSVGElement | null): void {
  svg?.addEventListener('touchstart', prevent, { passive: false });
}

const prevent = (event: Event) => event.preventDefault();
const placeOf = (event: PointerEvent<SVGSVGElement>, ratio: number) =>
  placeIn(event.currentTarget.getBoundingClientRect(), ratio, event);

/** Goes before the keys of the viewer. */
function useKeys({ drawing, pad, onChange }: Omit<DrawingAreaProps, 'ratio'>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey);
      if ((!isUndo && event.key !== 'Escape') || (event.target as Element).matches('input, textarea')) return;
      event.preventDefault();
      event.stopPropagation();
      onChange(isUndo ? undone(drawing, pad) : cancelled(pad));
    };
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  });
}
