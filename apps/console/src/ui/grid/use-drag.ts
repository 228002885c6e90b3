import { type RefObject, useEffect } from 'react';
import { useLatest } from '../../state/index.ts';
import { loadPart } from '../load-part.ts';
import type { Drag } from './draggable.ts';

/**
 * Makes an element draggable.
 *
 * @param drag called when a drag begins; null for an element that can't be dragged
 */
export function useDrag(element: RefObject<HTMLElement | null>, drag: (() => Drag) | null): void {
  const latest = useLatest(drag);
  const isOn = drag !== null;
  useEffect(() => {
    const { current } = element;
    if (!isOn || !current) return undefined;
    let stop: (() => void) | null = () => {};
    const begin = loadPart(() => import('./draggable.ts')).then(({ makeDraggable }) => {
      if (stop) stop = makeDraggable(current, () => latest.current!());
    });
    begin.catch(() => {});
    return () => {
      stop?.();
      stop = null;
    };
  }, [element, latest, isOn]);
}
