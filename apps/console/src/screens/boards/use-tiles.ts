import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { type Layout, layOut, tilesBetween } from './columns.ts';

interface Options {
  /** CSS pixels: how wide a column is at least, by the width of all. */
  readonly column: (width: number) => number;
  readonly gap: number;
}

export interface Tiles<E extends HTMLElement> {
  readonly ref: RefObject<E | null>;
  readonly layout: Layout;
  /** Indexes of those to draw. */
  readonly shown: readonly number[];
}

/** What is drawn beyond the window, so that scrolling shows no empty places; and the steps in which it moves. */
const BEYOND = 700;
const STEP = 350;

/**
 * Tiles in columns that scroll with the page; those in sight alone are to be drawn.
 *
 * @param ratios height by width of each tile; give the same array while they are the same
 */
export function useTiles<E extends HTMLElement>(ratios: readonly number[], { column, gap }: Options): Tiles<E> {
  const ref = useRef<E>(null);
  const { width, top } = usePlaceInWindow(ref);
  const layout = useMemo(
    () => layOut(width === 0 ? [] : ratios, { width, gap, column: column(width) }),
    [ratios, width, gap, column],
  );
  const shown = useMemo(
    () => tilesBetween(layout, top - BEYOND, top + STEP + window.innerHeight + BEYOND),
    [layout, top],
  );
  return { ref, layout, shown };
}

/** How wide the element is, and how far it has scrolled out of the window: in steps, as each draws the tiles anew. */
function usePlaceInWindow(ref: RefObject<HTMLElement | null>): { readonly width: number; readonly top: number } {
  const [width, setWidth] = useState(0);
  const [top, setTop] = useState(0);
  useEffect(() => {
    const measure = () => {
      const box = ref.current?.getBoundingClientRect();
      setWidth(box?.width ?? 0);
      setTop(Math.floor(-(box?.top ?? 0) / STEP) * STEP);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    if (ref.current) observer.observe(ref.current);
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [ref]);
  return { width, top };
}
