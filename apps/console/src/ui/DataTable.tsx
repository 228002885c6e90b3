import { VisuallyHidden } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './DataTable.module.css';

export interface Column<Row> {
  /** The head of the column; on a phone it precedes each value. */
  readonly title: string;
  /** The width of a grid column: `minmax(0, 2fr)`, `6rem`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  /** For numbers. */
  readonly isRight?: boolean;
  /** The title is for screen readers alone. */
  readonly isUntitled?: boolean;
}

/** @param width of a grid column: `minmax(0, 2fr)`, `6rem` */
export function column<Row>(
  title: string,
  width: string,
  cell: (row: Row) => ReactNode,
  kind: Pick<Column<Row>, 'isRight' | 'isUntitled'> = {},
): Column<Row> {
  return { title, width, cell, ...kind };
}

interface DataTableProps<Row> {
  /** Name of the listed things, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
}

const ROW_HEIGHT = 64;
/** Maximum rows of a table that is rendered whole, for the browser's search and for print. */
const WHOLE = 60;

/**
 * A table of any length. Long tables render only visible rows. On a phone each row is a card. Arrow keys move the focus
 * between the controls of rows.
 */
export function DataTable<Row>({ label, rows, columns, keyOf }: DataTableProps<Row>) {
  const body = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    setScrollMargin(Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
  }, [rows]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: rows.length <= WHOLE ? WHOLE : 12,
    scrollMargin,
    getItemKey: (index) => keyOf(rows[index]!),
  });
  const style = { '--columns': columns.map(({ width }) => width).join(' ') } as CSSProperties;
  return (
    <div role="table" aria-label={label} aria-rowcount={rows.length + 1} className={classes.table} style={style}>
      <div role="rowgroup" className={classes.head}>
        <div role="row" aria-rowindex={1} className={classes.row}>
          {columns.map(({ title, isRight, isUntitled }) => (
            <div role="columnheader" key={title} data-right={isRight || undefined}>
              {isUntitled ? <VisuallyHidden>{title}</VisuallyHidden> : title}
            </div>
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        ref={body}
        className={classes.body}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={goToRow}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <div
            role="row"
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-rowindex={index + 2}
            className={classes.row}
            style={{ transform: `translateY(${start - scrollMargin}px)` }}
          >
            {columns.map(({ title, cell, isRight, isUntitled }) => (
              <div
                role="cell"
                key={title}
                data-title={isUntitled ? undefined : title}
                data-right={isRight || undefined}
              >
                {cell(rows[index]!)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Moves the focus to the same control of the row above or below. */
function goToRow(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const control = event.target as HTMLElement;
  const row = control.closest<HTMLElement>('[data-index]');
  if (!step || !row || control.matches('input, textarea, [aria-expanded=true]')) return;
  const next = event.currentTarget.querySelector(`[data-index="${Number(row.dataset.index) + step}"]`);
  const controls = (of: Element) => [...of.querySelectorAll<HTMLElement>('button, a[href]')];
  const target = next && controls(next)[Math.max(0, controls(row).indexOf(control))];
  if (!target) return;
  event.preventDefault();
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'nearest' });
}
