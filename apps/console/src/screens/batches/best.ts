import type { CellDto } from '../../api/index.ts';

/** The ratings of files, from 1 to 5, by id. */
export type Ratings = ReadonlyMap<number, number>;

/** The best rating among the outputs of a cell; 0 without one. */
export function ratingOf({ generation }: CellDto, ratings: Ratings): number {
  return Math.max(0, ...generation.outputs.map(({ file_id }) => ratings.get(file_id) ?? 0));
}

/** The outputs with a rating, and those without. */
export function chosenOf(cells: readonly CellDto[], ratings: Ratings) {
  const files = cells.flatMap(({ generation }) => generation.outputs.map(({ file_id }) => file_id));
  return { kept: files.filter((id) => ratings.has(id)), gone: files.filter((id) => !ratings.has(id)) };
}

/** The ratings after files were rated; 0 takes a rating off. */
export function rated(ratings: Ratings, fileId: number, rating: number): Ratings {
  const next = new Map(ratings);
  if (rating > 0) next.set(fileId, rating);
  else next.delete(fileId);
  return next;
}
