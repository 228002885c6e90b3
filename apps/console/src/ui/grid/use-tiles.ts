import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { type Layout, layOut, tilesBetween } from './columns.ts';

interface Options {
  /** Minimum width of a column in CSS pixels, by the width of the layout. */
  readonly column: (width: number) => number;
  readonly gap: number;
}

export interface Tiles<E extends HTMLElement> {
  readonly ref: RefObject<E | null>;
  readonly layout: Layout;
  /** Indexes of the tiles to render. */
  readonly shown: readonly number[];
}

/** CSS pixels rendered beyond the window, so that scrolling shows no gaps; and the scroll distance between renders. */
const BEYOND = 700;
const STEP = 350;

/**
 * Tiles in columns that scroll with the page. Only visible tiles are rendered.
 *
 * @param ratios height by width of each tile; pass the same array while they are unchanged
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

/** The width of the element, and how far it has scrolled out of the window: in steps, because each step renders again. */
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
