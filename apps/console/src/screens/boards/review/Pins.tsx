import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import type { CommentDto } from '../../../api/index.ts';
import classes from './Review.module.css';
import { movedBy, type Point, pointAt, threadsOf } from './threads.ts';
import { words } from './words.ts';

const MIDDLE: Point = { x: 0.5, y: 0.5 };

interface PinsProps {
  readonly comments: readonly CommentDto[];
  readonly activeId: number | null;
  /** The pin of the new comment. */
  readonly draft: Point | null;
  readonly isPlacing: boolean;
  readonly onPlace: (point: Point) => void;
  readonly onOpen: (commentId: number) => void;
}

/** The pins of open threads over a picture, and the place for a new one. */
export function Pins({ comments, activeId, draft, isPlacing, onPlace, onOpen }: PinsProps) {
  return (
    <span className={classes.pins} data-placing={isPlacing || undefined}>
      {threadsOf(comments).open.map(
        ({ first, pin }) =>
          pin !== null && (
            <button
              key={first.id}
              type="button"
              className={classes.pin}
              style={placeOf({ x: first.x!, y: first.y! })}
              data-active={first.id === activeId || undefined}
              aria-label={words.pinOf(pin, first.text.slice(0, 60))}
              onClick={(event) => {
                event.stopPropagation();
                onOpen(first.id);
              }}
            >
              {pin}
            </button>
          ),
      )}
      {draft && !isPlacing && <span className={classes.pin} data-draft style={placeOf(draft)} aria-hidden />}
      {isPlacing && <PlacingArea onPlace={onPlace} />}
    </span>
  );
}

/** Takes the next click on the picture, or a pin that is moved by keys. */
function PlacingArea({ onPlace }: Pick<PinsProps, 'onPlace'>) {
  const area = useRef<HTMLSpanElement>(null);
  const [point, setPoint] = useState(MIDDLE);
  useEffect(() => area.current?.focus(), []);
  const onClick = (event: MouseEvent) => {
    event.stopPropagation();
    const { left, top, width, height } = area.current!.getBoundingClientRect();
    onPlace(pointAt((event.clientX - left) / width, (event.clientY - top) / height));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedBy(event.key, point);
    if (!next && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (next) setPoint(next);
    else onPlace(point);
  };
  return (
    <span
      ref={area}
      role="application"
      tabIndex={0}
      aria-label={words.pinArea}
      className={classes.area}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <span className={classes.pin} data-draft style={placeOf(point)} aria-hidden />
    </span>
  );
}

const placeOf = ({ x, y }: Point) => ({ left: `${x * 100}%`, top: `${y * 100}%` });
