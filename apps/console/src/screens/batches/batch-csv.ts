import type { CellDto } from '../../api/index.ts';
import type { CsvField } from '../../ui/index.ts';
import { type Ratings, ratingOf } from './best.ts';
import { words } from './words.ts';

/** A line for each output, or for each cell without one. */
export function batchLines(cells: readonly CellDto[], ratings: Ratings): readonly (readonly CsvField[])[] {
  const lines = cells.flatMap((cell): CsvField[][] => {
    const { generation } = cell;
    const { state, model, prompt, pid, parameters, cost, error, outputs } = generation;
    const seed = (parameters as { readonly seed?: unknown }).seed;
    const call = [cell.cell, state, model, prompt ?? '', pid ?? '', typeof seed === 'number' ? seed : ''];
    const rest = (rating: number, url: string) => [rating, state === 'succeeded' ? cost : 0, error?.message ?? '', url];
    if (outputs.length === 0) return [[...call, ...rest(ratingOf(cell, ratings), '')]];
    return outputs.map(({ file_id, url }) => [...call, ...rest(ratings.get(file_id) ?? 0, url)]);
  });
  return [words.csv.columns, ...lines];
}
