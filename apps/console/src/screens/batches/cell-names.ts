import type { CellDto } from '../../api/index.ts';
import type { Names } from '../../shell/index.ts';
import { fileName, settingLabel } from '../../text.ts';
import type { Value, ResultColumn, ResultRow } from './results.ts';
import { words } from './words.ts';

const text = words.results;

/** The names of the values of a grid, which the service knows by their ids. */
export interface ResultNames {
  readonly nameOf: (value: Value) => string;
  readonly column: (column: ResultColumn) => readonly string[];
  readonly row: (row: ResultRow) => string;
}

export function resultNames(names: Pick<Names, 'nameOf'>, cells: readonly CellDto[], columns: number): ResultNames {
  const styles = new Map(cells.flatMap(({ generation: { style } }) => (style ? [[String(style.id), style.name]] : [])));
  const nameOf = ({ axis, value }: Value): string => {
    if (axis === 'model') return names.nameOf('models', value);
    if (axis === 'pid') return names.nameOf('personas', value);
    if (axis === 'style') return styleName(value, styles);
    return `${axis === 'seed' ? text.axes.seed : settingLabel(axis)} ${value}`;
  };
  return {
    nameOf,
    column: ({ at, values }) =>
      values.length > 0 ? values.map(nameOf) : [columns === 1 ? text.result : text.number(at + 1)],
    row: ({ prompt }) => prompt ?? text.noPrompt,
  };
}

function styleName(value: string, styles: ReadonlyMap<string, string>): string {
  if (value === 'persona' || value === 'none') return text.styles[value];
  return styles.get(value) ?? (/^\d+$/.test(value) ? `${text.axes.style} ${value}` : fileName(value));
}
