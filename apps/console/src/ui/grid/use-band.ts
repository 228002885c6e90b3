import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { useLatest } from '../../state/index.ts';
import { type Band, bandOf, type Point, scrollAt, tilesIn, withBand } from './band.ts';
import type { Layout } from './columns.ts';
import { NOTHING, type Selection } from './selection.ts';

/** CSS pixels that a pointer moves before a press is a band. */
const MOVED = 4;

interface Options {
  readonly list: RefObject<HTMLElement | null>;
  /** The element that shows the band. */
  readonly band: RefObject<HTMLElement | null>;
  readonly layout: Layout;
  readonly order: readonly number[];
  readonly selection: Selection;
  readonly onSelect: (change: (before: Selection) => Selection) => void;
}

interface Drawing {
  readonly from: Point;
  /** In the window. */
  at: Point;
  /** Selection at the beginning of the band, and the selection that it adds to. */
  readonly before: Selection;
  readonly base: Selection;
  isDrawn: boolean;
  frame: number;
}

/**
 * Selects tiles by a band that the mouse draws from the space between tiles. Ctrl and Shift add to the selection, Escape
 * restores it, and the page scrolls at the border of the window.
 */
export function useBand(options: Options) {
  const latest = useLatest(options);
  const drawing = useRef<Drawing>(null);
  useEffect(() => () => cancelAnimationFrame(drawing.current?.frame ?? 0), []);

  const end = () => {
    cancelAnimationFrame(drawing.current?.frame ?? 0);
    drawing.current = null;
    show(latest.current.band.current, null);
    document.removeEventListener('keydown', cancel, true);
  };
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !drawing.current) return;
    event.stopPropagation();
    const { before } = drawing.current;
    end();
    latest.current.onSelect(() => before);
  };
  const follow = () => {
    const now = drawing.current;
    const { list, layout, order, onSelect, band } = latest.current;
    if (!now || !list.current) return;
    scrollBy({ top: scrollAt(now.at.y, innerHeight), behavior: 'instant' });
    const area = bandOf(now.from, placeIn(list.current, now.at));
    show(band.current, area);
    const ids = tilesIn(layout, area).map((index) => order[index]!);
    onSelect((shown) => withBand(now.base, ids, shown));
    now.frame = requestAnimationFrame(follow);
  };

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const { list, selection } = latest.current;
      if (event.pointerType !== 'mouse' || event.button !== 0 || event.target !== list.current) return;
      const adds = event.ctrlKey || event.metaKey || event.shiftKey;
      const at = { x: event.clientX, y: event.clientY };
      drawing.current = {
        ...{ from: placeIn(list.current, at), at, before: selection, base: adds ? selection : NOTHING },
        ...{ isDrawn: false, frame: 0 },
      };
      event.currentTarget.setPointerCapture(event.pointerId);
      document.addEventListener('keydown', cancel, true);
    },
    onPointerMove: (event: PointerEvent) => {
      const now = drawing.current;
      if (!now) return;
      const at = { x: event.clientX, y: event.clientY };
      const isMoved = Math.hypot(at.x - now.at.x, at.y - now.at.y) >= MOVED;
      if (!now.isDrawn && !isMoved) return;
      now.at = at;
      if (now.isDrawn) return;
      now.isDrawn = true;
      now.frame = requestAnimationFrame(follow);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

function placeIn(list: HTMLElement, { x, y }: Point): Point {
  const { left, top } = list.getBoundingClientRect();
  return { x: x - left, y: y - top };
}

function show(element: HTMLElement | null, band: Band | null): void {
  if (!element) return;
  element.hidden = band === null;
  if (!band) return;
  const { left, top, right, bottom } = band;
  Object.assign(element.style, { width: `${right - left}px`, height: `${bottom - top}px` });
  element.style.transform = `translate(${left}px, ${top}px)`;
}
