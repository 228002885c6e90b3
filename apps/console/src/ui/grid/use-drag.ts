import { type RefObject, useEffect, useState } from 'react';
import { useLatest } from '../../state/index.ts';
import { loadPart } from '../load-part.ts';
import type { Layout } from './columns.ts';
import type * as Part from './draggable.ts';
import { type Gap, gapAt } from './order.ts';

/**
 * Makes an element draggable.
 *
 * @param drag called when a drag begins; null for an element that can't be dragged
 */
export function useDrag(element: RefObject<HTMLElement | null>, drag: (() => Part.Drag) | null): void {
  const latest = useLatest(drag);
  useLater(element, drag !== null, (part, current) => part.makeDraggable(current, () => latest.current!()));
}

/**
 * Lets items be dropped between the tiles of a list.
 *
 * @param onDrop called with the ids, and their place in the order; null for a list without an order by hand
 * @returns the gap that dragged items are over
 */
export function useDropBetween(
  list: RefObject<HTMLElement | null>,
  layout: Layout,
  onDrop: ((ids: readonly number[], at: number) => void) | null,
): Gap | null {
  const [gap, setGap] = useState<Gap | null>(null);
  const latest = useLatest({ layout, onDrop });
  useLater(list, onDrop !== null, (part, current) =>
    part.acceptDrops(current, {
      onMove: (point) => {
        const next = point && gapAt(latest.current.layout, point);
        setGap((before) => (before?.index === next?.index && before?.isAfter === next?.isAfter ? before : next));
      },
      onDrop: (ids, point) => {
        const { index, isAfter } = gapAt(latest.current.layout, point);
        latest.current.onDrop?.(ids, index + Number(isAfter));
      },
    }),
  );
  return gap;
}

/** Loads dragging, and begins it for an element. @param begin returns how to end it; it uses only values that stay the same */
function useLater(
  element: RefObject<HTMLElement | null>,
  isOn: boolean,
  begin: (part: typeof Part, current: HTMLElement) => () => void,
): void {
  const latest = useLatest(begin);
  useEffect(() => {
    const { current } = element;
    if (!isOn || !current) return undefined;
    let stop: (() => void) | null = () => {};
    loadPart(() => import('./draggable.ts')).then(
      (part) => {
        if (stop) stop = latest.current(part, current);
      },
      () => {},
    );
    return () => {
      stop?.();
      stop = null;
    };
  }, [element, latest, isOn]);
}
