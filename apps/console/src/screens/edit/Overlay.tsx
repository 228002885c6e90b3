import { useStore } from '../../state/index.ts';
import { frameOf, type Rect, SIDES, type Sides, type Size } from './geometry.ts';
import { rectOn } from './mask-canvas.ts';
import classes from './Overlay.module.css';
import type { Viewport } from './viewport.ts';

interface OverlayProps {
  readonly viewport: Viewport;
  readonly size: Size;
  readonly sides: Sides;
  /** True if the sides can be pulled. */
  readonly hasHandles: boolean;
  /** A rectangle that keys move. */
  readonly rectangle: Rect | null;
  /** Where before and after meet: 0 to 1 of the frame. */
  readonly divider: number | null;
}

/** Lines over the picture, as wide at every zoom. */
export function Overlay({ viewport, size, sides, hasHandles, rectangle, divider }: OverlayProps) {
  const view = useStore(viewport.view);
  const frame = rectOn(view, frameOf(size, sides));
  return (
    <div className={classes.overlay} aria-hidden>
      {hasHandles && (
        <span className={classes.frame} style={placeOf(frame)}>
          {SIDES.map((side) => (
            <span key={side} className={classes.handle} data-side={side} />
          ))}
        </span>
      )}
      {rectangle && <span className={classes.rectangle} style={placeOf(rectOn(view, rectangle))} />}
      {divider !== null && divider > 0 && divider < 1 && (
        <span
          className={classes.divider}
          style={{ left: frame.x + frame.width * divider, top: frame.y, height: frame.height }}
        />
      )}
    </div>
  );
}

function placeOf({ x, y, width, height }: Rect) {
  return { left: x, top: y, width, height };
}
