import { useElementSize } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

interface VirtualGridProps<T> {
  readonly items: readonly T[];
  readonly label: string;
  readonly height: number;
  /** Called near the end of the list. */
  readonly onEnd?: () => void;
  /** Renders a tile: one button. */
  readonly children: (item: T, index: number) => ReactNode;
}

/** Minimum width of the square tiles, in CSS pixels, and the space between them. */
const LEAST = 132;
const GAP = 10;
const STEPS: Record<string, (columns: number) => number> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
};

/** Square tiles in a scrolling box. Only visible tiles are rendered. Arrow keys move the focus between tiles. */
export function VirtualGrid<T>({ items, label, height, onEnd, children }: VirtualGridProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const { ref: inner, width } = useElementSize();
  const columns = Math.max(1, Math.floor((width + GAP) / (LEAST + GAP)));
  const side = (width - GAP * (columns - 1)) / columns;
  // No rows before the width is known, because tiles that move to another row are remounted and lose the focus.
  const rows = width === 0 ? 0 : Math.ceil(items.length / columns);
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => side + GAP,
    overscan: 3,
  });
  useEffect(() => virtual.measure(), [virtual, side]);
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (rows > 0 && last >= rows - 3) onEnd?.();
  }, [last, rows, onEnd]);

  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]?.(columns);
    const index = Number((event.target as Element).closest('[data-index]')?.getAttribute('data-index') ?? Number.NaN);
    const next = index + (step ?? Number.NaN);
    if (Number.isNaN(next)) return;
    event.preventDefault();
    if (next < 0 || next >= items.length) return;
    virtual.scrollToIndex(Math.floor(next / columns));
    requestAnimationFrame(() => focusTile(box.current, next));
  };

  return (
    <div ref={box} style={{ height, overflow: 'auto' }} role="group" aria-label={label} onKeyDown={move}>
      <div ref={inner} style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {shown.map((row) => (
          <div key={row.key} style={rowStyle(row.start, columns, side)}>
            {items.slice(row.index * columns, (row.index + 1) * columns).map((item, column) => (
              <div key={column} data-index={row.index * columns + column} style={{ minWidth: 0 }}>
                {children(item, row.index * columns + column)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function rowStyle(top: number, columns: number, side: number) {
  return {
    position: 'absolute',
    insetInline: 0,
    transform: `translateY(${top}px)`,
    display: 'grid',
    gap: GAP,
    gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
    gridAutoRows: side,
  } as const;
}

function focusTile(box: HTMLElement | null, index: number): void {
  box?.querySelector<HTMLElement>(`[data-index="${index}"] button`)?.focus();
}
