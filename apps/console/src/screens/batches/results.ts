import type { AxisDto, CellDto } from '../../api/index.ts';

/** A value of an axis. */
export interface Value {
  readonly axis: string;
  readonly value: string;
}

/** A prompt with values of its variables. */
export interface ResultRow {
  readonly key: string;
  /** Prompt with the values in it. */
  readonly prompt: string | null;
  readonly variables: readonly Value[];
}

/** A combination of the other axes. */
export interface ResultColumn {
  readonly key: string;
  /** From 0. */
  readonly at: number;
  /** Values of the axes that have several. */
  readonly values: readonly Value[];
}

export interface Results {
  readonly rows: readonly ResultRow[];
  readonly columns: readonly ResultColumn[];
  /** The values that all columns have. */
  readonly common: readonly Value[];
  readonly cells: ReadonlyMap<string, CellDto>;
}

type Place = readonly (number | null)[];

/** Fields of a call that a grid does not name: pictures, and the output that they are. */
const UNNAMED = /^(image|mask_image|control_image|extra_image_\d|parent)$/;

/** The cells of a batch as rows of prompts and columns of the other axes, in their order. */
export function resultsOf(axes: readonly AxisDto[], cells: readonly CellDto[]): Results {
  if (axes.length === 0) return resultsOfRows(cells);
  const all = axes.map((axis, at) => ({ ...axis, at }));
  const ofRows = all.filter(({ name }) => name === 'prompt' || name.startsWith('{'));
  const ofColumns = all.filter((axis) => !ofRows.includes(axis));
  const named = ofColumns.filter(({ name }) => !UNNAMED.test(name));
  const valuesAt = (place: Place, of: typeof all) =>
    of.flatMap(({ name, values, at }) => {
      const index = place[at] ?? null;
      return index === null ? [] : [{ axis: name, value: values[index] ?? '' }];
    });
  const rows = new Map<string, { readonly order: Place; readonly row: ResultRow }>();
  const columns = new Map<string, { readonly order: Place; readonly values: readonly Value[] }>();
  const placed = new Map<string, CellDto>();
  for (const cell of cells) {
    const { place, generation } = cell;
    const [rowOrder, columnOrder] = [orderOf(place, ofRows), orderOf(place, ofColumns)];
    const [row, column] = [rowOrder.join(), columnOrder.join()];
    placed.set(keyOf(row, column), cell);
    if (!rows.has(row)) {
      const variables = valuesAt(
        place,
        ofRows.filter(({ name }) => name !== 'prompt'),
      );
      rows.set(row, { order: rowOrder, row: { key: row, prompt: generation.prompt, variables } });
    }
    if (!columns.has(column)) {
      const several = named.filter(({ values }) => values.length > 1);
      columns.set(column, { order: columnOrder, values: valuesAt(place, several) });
    }
  }
  return {
    rows: [...rows.values()].sort((a, b) => compare(a.order, b.order)).map(({ row }) => row),
    columns: [...columns]
      .sort(([, a], [, b]) => compare(a.order, b.order))
      .map(([key, { values }], at) => ({ key, at, values })),
    common: named.flatMap(({ name, values }) => (values.length === 1 ? [{ axis: name, value: values[0]! }] : [])),
    cells: placed,
  };
}

/** A batch of calls without axes: a row for each prompt, with its calls one after the other. */
function resultsOfRows(cells: readonly CellDto[]): Results {
  const byPrompt = Map.groupBy(cells, ({ generation }) => generation.prompt);
  const rows = [...byPrompt].map(([prompt, same], at) => ({ row: { key: String(at), prompt, variables: [] }, same }));
  const most = Math.max(0, ...rows.map(({ same }) => same.length));
  return {
    rows: rows.map(({ row }) => row),
    columns: Array.from({ length: most }, (_, at) => ({ key: String(at), at, values: [] })),
    common: [],
    cells: new Map(rows.flatMap(({ row, same }) => same.map((cell, at) => [keyOf(row.key, String(at)), cell]))),
  };
}

export function cellAt(
  { cells }: Results,
  row: ResultRow | undefined,
  column: ResultColumn | undefined,
): CellDto | undefined {
  return row && column && cells.get(keyOf(row.key, column.key));
}

/** The place of a cell. */
export function positionOf(results: Results, cell: number): { readonly row: number; readonly column: number } | null {
  for (const [row, each] of results.rows.entries()) {
    const column = results.columns.findIndex((of) => cellAt(results, each, of)?.cell === cell);
    if (column >= 0) return { row, column };
  }
  return null;
}

/** The cells row by row. */
export function inOrder(results: Results): readonly CellDto[] {
  return results.rows.flatMap((row) => results.columns.flatMap((column) => cellAt(results, row, column) ?? []));
}

/** The grid with only some of its cells, and the rows and columns that have any of them. */
export function filtered(results: Results, isShown: (cell: CellDto) => boolean): Results {
  const cells = new Map([...results.cells].filter(([, cell]) => isShown(cell)));
  const has = (row: ResultRow, column: ResultColumn) => cells.has(keyOf(row.key, column.key));
  return {
    ...results,
    rows: results.rows.filter((row) => results.columns.some((column) => has(row, column))),
    columns: results.columns.filter((column) => results.rows.some((row) => has(row, column))),
    cells,
  };
}

function keyOf(row: string, column: string): string {
  return `${row}|${column}`;
}

/** The indexes of axes in a place. A variable that a prompt does not use comes first. */
function orderOf(place: Place, axes: readonly { readonly at: number }[]): Place {
  return axes.map(({ at }) => place[at] ?? null);
}

function compare(a: Place, b: Place): number {
  const at = a.findIndex((index, each) => index !== b[each]);
  return at < 0 ? 0 : (a[at] ?? -1) - (b[at] ?? -1);
}
