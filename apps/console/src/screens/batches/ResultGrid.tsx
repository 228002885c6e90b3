import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, memo, type RefObject, useEffect, useId, useRef } from 'react';
import type { CellDto } from '../../api/index.ts';
import { useIsPhone } from '../../ui/index.ts';
import { type Ratings, ratingOf } from './best.ts';
import type { ResultNames } from './cell-names.ts';
import { cellAt, type Results, type ResultColumn, type ResultRow } from './results.ts';
import { ResultCell } from './ResultCell.tsx';
import classes from './ResultGrid.module.css';
import { words } from './words.ts';

/** The place of a cell in the grid. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

interface ResultGridProps {
  readonly results: Results;
  readonly names: ResultNames;
  readonly ratings: Ratings;
  /** True if cells wait for the end of a pause. */
  readonly isHeld: boolean;
  readonly active: Position;
  readonly onActive: (position: Position) => void;
  readonly onOpen: (cell: CellDto) => void;
  readonly onRate: (cell: CellDto, rating: number) => void;
  readonly onRetry: (cell: CellDto) => void;
}

const text = words.results;
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

/** The grid: heads that stay, and only as many cells as are in sight. It has the focus, and names its active cell. */
export function ResultGrid(props: ResultGridProps) {
  const { results, names, active } = props;
  const { rows, columns } = results;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const sizes = { ...(useIsPhone() ? PHONE : DESK), lines: Math.max(1, ...columns.map(({ values }) => values.length)) };
  const sight = useSight(box, results, sizes);
  const onKeyDown = keysOf(props, sight.scrollTo);
  const isActiveShown =
    sight.rows.some(({ index }) => index === active.row) && sight.columns.some(({ index }) => index === active.column);
  const style = {
    '--cell': `${sizes.cell}px`,
    '--row-head': `${sizes.head}px`,
    '--column-head': `${sight.top}px`,
    '--whole': `${sight.top + rows.length * sizes.cell + SCROLL_BAR}px`,
  } as CSSProperties;
  return (
    <div
      ref={box}
      className={classes.grid}
      style={style}
      role="grid"
      aria-label={text.label}
      aria-description={text.keys}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={isActiveShown ? idOf(id, active.row, active.column) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className={classes.heads} style={{ width: sight.width }}>
        <div role="columnheader" aria-colindex={1} className={classes.corner}>
          {text.prompt}
        </div>
        {sight.columns.map(({ index, start }) => (
          <ColumnHead key={columns[index]!.key} column={columns[index]!} names={names} at={index} left={start} />
        ))}
      </div>
      <div role="presentation" style={{ position: 'relative', height: sight.height }}>
        {sight.rows.map(({ index, start }) => (
          <Row key={rows[index]!.key} {...props} id={id} at={index} top={start - sight.top} sight={sight} />
        ))}
      </div>
    </div>
  );
}

interface Sizes {
  readonly cell: number;
  readonly head: number;
  /** Lines of the highest column head. */
  readonly lines: number;
}

type Sight = ReturnType<typeof useSight>;

/** The rows and columns that are in sight, and the size of the whole. */
function useSight(box: RefObject<HTMLElement | null>, { rows, columns }: Results, { cell, head, lines }: Sizes) {
  const top = 18 + LINE * lines;
  const common = { getScrollElement: () => box.current, estimateSize: () => cell, overscan: 2, useFlushSync: false };
  const down = useVirtualizer({ ...common, count: rows.length, scrollMargin: top, scrollPaddingStart: top });
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
  }, [down, across, cell]);
  const scrollTo = ({ row, column }: Position) => {
    down.scrollToIndex(row);
    across.scrollToIndex(column);
  };
  return {
    rows: down.getVirtualItems(),
    columns: across.getVirtualItems(),
    top,
    height: down.getTotalSize(),
    width: across.getTotalSize() + head,
    scrollTo,
  };
}

/** A handler that moves the active cell, or acts on it. */
function keysOf(props: ResultGridProps, scrollTo: (position: Position) => void) {
  const { results, active, onActive, onOpen, onRate, onRetry } = props;
  const { rows, columns } = results;
  const activeCell = cellAt(results, rows[active.row], columns[active.column]);
  const go = (to: Position) => {
    const position = { row: within(to.row, rows.length), column: within(to.column, columns.length) };
    onActive(position);
    scrollTo(position);
  };
  const actionOf = (key: string, cell: CellDto): (() => void) | undefined => {
    if (key === 'Enter' || key === ' ') return () => onOpen(cell);
    if (/^[0-5]$/.test(key)) return () => onRate(cell, Number(key));
    return key === 'r' && cell.generation.state === 'failed' ? () => onRetry(cell) : undefined;
  };
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== event.currentTarget) return;
    const step = STEPS[event.key];
    const act = activeCell && actionOf(event.key, activeCell);
    if (!step && !act) return;
    event.preventDefault();
    if (step) go({ row: active.row + step[0], column: active.column + step[1] });
    else act!();
  };
}

interface ColumnHeadProps {
  readonly column: ResultColumn;
  readonly names: ResultNames;
  readonly at: number;
  readonly left: number;
}

function ColumnHead({ column, names, at, left }: ColumnHeadProps) {
  return (
    <div role="columnheader" aria-colindex={at + 2} className={classes.columnHead} style={{ left }}>
      {names.column(column).map((line, index) => (
        <span key={index} className={classes.line} title={line} dir="auto">
          {line}
        </span>
      ))}
    </div>
  );
}

interface RowProps extends ResultGridProps {
  readonly id: string;
  readonly at: number;
  readonly top: number;
  readonly sight: Sight;
}

function Row({ id, at, top, sight, results, names, ratings, active, ...rest }: RowProps) {
  const row = results.rows[at]!;
  const name = names.row(row);
  const { isHeld, onActive, onOpen, onRetry } = rest;
  const style = { transform: `translateY(${top}px)`, width: sight.width };
  return (
    <div role="row" aria-rowindex={at + 2} className={classes.row} style={style}>
      <RowHead row={row} name={name} />
      {sight.columns.map(({ index: column, start: left }) => {
        const cell = cellAt(results, row, results.columns[column]);
        return (
          <Place
            key={results.columns[column]!.key}
            id={idOf(id, at, column)}
            cell={cell}
            name={[name, ...names.column(results.columns[column]!)].join(', ')}
            rating={cell ? ratingOf(cell, ratings) : 0}
            row={at}
            isActive={at === active.row && column === active.column}
            {...{ column, left, isHeld, onActive, onOpen, onRetry }}
          />
        );
      })}
    </div>
  );
}

function RowHead({ row, name }: { readonly row: ResultRow; readonly name: string }) {
  return (
    <div role="rowheader" aria-colindex={1} className={classes.rowHead} title={name}>
      <span className={classes.prompt} dir="auto">
        {name}
      </span>
      {row.variables.map(({ axis, value }) => (
        <span key={axis} className={classes.variable} dir="auto">
          {value}
        </span>
      ))}
    </div>
  );
}

interface PlaceProps extends Position, Pick<ResultGridProps, 'isHeld' | 'onActive' | 'onOpen' | 'onRetry'> {
  readonly id: string;
  readonly cell: CellDto | undefined;
  readonly name: string;
  readonly rating: number;
  readonly left: number;
  readonly isActive: boolean;
}

/** A place of the grid, which may have no cell. */
const Place = memo(function Place({ id, cell, row, column, left, isActive, onActive, onOpen, ...shown }: PlaceProps) {
  const common = { id, role: 'gridcell', 'aria-colindex': column + 2, className: classes.place, style: { left } };
  if (!cell) return <div {...common} data-active={isActive || undefined} />;
  return (
    <ResultCell
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
