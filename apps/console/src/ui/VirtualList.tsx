import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './VirtualList.module.css';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly label: string;
  readonly keyOf: (item: T) => number | string;
  /** Estimated height of a row in CSS pixels; rendered rows are measured. */
  readonly rowHeight: number;
  /** Where rows have a line. */
  readonly line: 'above' | 'below';
  /** Called near the end of the list. */
  readonly onEnd?: () => void;
  readonly children: (item: T) => ReactNode;
}

/** Rows that scroll with the page. Only visible rows are rendered. */
export function VirtualList<T>({ items, label, keyOf, rowHeight, line, onEnd, children }: VirtualListProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  const top = useTopOf(list);
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => keyOf(items[index]!),
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= items.length - 10) onEnd?.();
  }, [last, items.length, onEnd]);
  return (
    <div ref={list} role="list" aria-label={label} style={{ height: virtual.getTotalSize(), position: 'relative' }}>
      {shown.map(({ index, key, start }) => (
        <div
          key={key}
          ref={virtual.measureElement}
          role="listitem"
          aria-setsize={items.length}
          aria-posinset={index + 1}
          data-index={index}
          className={classes[line]}
          style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start - top}px)` }}
        >
          {children(items[index]!)}
        </div>
      ))}
    </div>
  );
}

/** The vertical position of an element in the page, updated when the page changes its size. */
function useTopOf(element: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + scrollY));
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
