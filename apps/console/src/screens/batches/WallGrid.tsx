import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, memo, useEffect, useId, useRef } from 'react';
import type { CellDto } from '../../api/index.ts';
import { useIsPhone } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { type Ratings, ratingOf } from './best.ts';
import type { WallNames } from './cell-names.ts';
import { cellAt, type Wall } from './wall.ts';
import { WallCell } from './WallCell.tsx';
import classes from './Wall.module.css';

/** The place of a cell in the wall. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

interface WallGridProps {
  readonly wall: Wall;
  readonly names: WallNames;
  readonly ratings: Ratings;
  /** Whether cells wait for the end of a pause. */
  readonly isHeld: boolean;
  readonly active: Position;
  readonly onActive: (position: Position) => void;
  readonly onOpen: (cell: CellDto) => void;
  readonly onRate: (cell: CellDto, rating: number) => void;
  readonly onRetry: (cell: CellDto) => void;
}

const said = words.batches.wall;
/** CSS pixels. */
const DESK = { cell: 168, head: 210 };
const PHONE = { cell: 124, head: 116 };
const LINE = 19;
const SCROLL_BAR = 18;
const PAGE_ROWS = 3;

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-PAGE_ROWS, 0],
  PageDown: [PAGE_ROWS, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

/** The wall: heads that stay, and only as many cells as are in sight. It has the focus, and names its active cell. */
export function WallGrid(props: WallGridProps) {
  const { wall, names, ratings, isHeld, active, onActive, onOpen, onRate, onRetry } = props;
  const { rows, columns } = wall;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { cell: side, head } = useIsPhone() ? PHONE : DESK;
  const headHeight = 18 + LINE * Math.max(1, ...columns.map(({ values }) => values.length));
  const common = { getScrollElement: () => box.current, estimateSize: () => side, overscan: 2, useFlushSync: false };
  const down = useVirtualizer({
    ...common,
    count: rows.length,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  });
  const across = useVirtualizer({
    ...common,
    horizontal: true,
    count: columns.length,
    scrollMargin: head,
    scrollPaddingStart: head,
  });
  useEffect(() => {
    down.measure();
    across.measure();
  }, [down, across, side]);
  const shownRows = down.getVirtualItems();
  const shownColumns = across.getVirtualItems();
  const activeCell = cellAt(wall, rows[active.row], columns[active.column]);
  const isActiveShown =
    shownRows.some(({ index }) => index === active.row) && shownColumns.some(({ index }) => index === active.column);

  const go = (to: Position) => {
    const position = { row: within(to.row, rows.length), column: within(to.column, columns.length) };
    onActive(position);
    down.scrollToIndex(position.row);
    across.scrollToIndex(position.column);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== event.currentTarget) return;
    const step = STEPS[event.key];
    const act = activeCell && actionOf(event.key, activeCell);
    if (!step && !act) return;
    event.preventDefault();
    if (step) go({ row: active.row + step[0], column: active.column + step[1] });
    else act!();
  };
  const actionOf = (key: string, cell: CellDto): (() => void) | undefined => {
    if (key === 'Enter' || key === ' ') return () => onOpen(cell);
    if (/^[0-5]$/.test(key)) return () => onRate(cell, Number(key));
    return key === 'r' && cell.generation.state === 'failed' ? () => onRetry(cell) : undefined;
  };
  const style = {
    '--cell': `${side}px`,
    '--row-head': `${head}px`,
    '--column-head': `${headHeight}px`,
    '--whole': `${headHeight + rows.length * side + SCROLL_BAR}px`,
  } as CSSProperties;
  return (
    <div
      ref={box}
      className={classes.wall}
      style={style}
      role="grid"
      aria-label={said.label}
      aria-description={said.keys}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={isActiveShown ? idOf(id, active.row, active.column) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className={classes.heads} style={{ width: across.getTotalSize() + head }}>
        <div role="columnheader" aria-colindex={1} className={classes.corner}>
          {said.prompt}
        </div>
        {shownColumns.map(({ index, start }) => (
          <div
            key={columns[index]!.key}
            role="columnheader"
            aria-colindex={index + 2}
            className={classes.columnHead}
            style={{ left: start }}
          >
            {names.column(columns[index]!).map((line, at) => (
              <span key={at} className={classes.line} title={line} dir="auto">
                {line}
              </span>
            ))}
          </div>
        ))}
      </div>
      <div role="presentation" className={classes.rows} style={{ height: down.getTotalSize() }}>
        {shownRows.map(({ index: row, start }) => (
          <div
            key={rows[row]!.key}
            role="row"
            aria-rowindex={row + 2}
            className={classes.row}
            style={{ transform: `translateY(${start - headHeight}px)`, width: across.getTotalSize() + head }}
          >
            <div role="rowheader" aria-colindex={1} className={classes.rowHead} title={names.row(rows[row]!)}>
              <span className={classes.prompt} dir="auto">
                {names.row(rows[row]!)}
              </span>
              {rows[row]!.variables.map(({ axis, value }) => (
                <span key={axis} className={classes.variable} dir="auto">
                  {value}
                </span>
              ))}
            </div>
            {shownColumns.map(({ index: column, start: left }) => {
              const cell = cellAt(wall, rows[row], columns[column]);
              return (
                <Place
                  key={columns[column]!.key}
                  id={idOf(id, row, column)}
                  cell={cell}
                  name={[names.row(rows[row]!), ...names.column(columns[column]!)].join(', ')}
                  rating={cell ? ratingOf(cell, ratings) : 0}
                  row={row}
                  column={column}
                  left={left}
                  isActive={row === active.row && column === active.column}
                  {...{ isHeld, onActive, onOpen, onRetry }}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

interface PlaceProps extends Position, Pick<WallGridProps, 'isHeld' | 'onActive' | 'onOpen' | 'onRetry'> {
  readonly id: string;
  readonly cell: CellDto | undefined;
  readonly name: string;
  readonly rating: number;
  readonly left: number;
  readonly isActive: boolean;
}

/** A place of the wall, which may have no cell. */
const Place = memo(function Place({ id, cell, row, column, left, isActive, onActive, onOpen, ...shown }: PlaceProps) {
  const common = { id, role: 'gridcell', 'aria-colindex': column + 2, className: classes.place, style: { left } };
  if (!cell) return <div {...common} data-active={isActive || undefined} />;
  return (
    <WallCell
      {...common}
      {...shown}
      cell={cell}
      isActive={isActive}
      onOpen={() => {
        onActive({ row, column });
        onOpen(cell);
      }}
    />
  );
});

function idOf(id: string, row: number, column: number): string {
  return `${id}-${row}-${column}`;
}

function within(at: number, length: number): number {
  return Math.max(0, Math.min(length - 1, at));
}
