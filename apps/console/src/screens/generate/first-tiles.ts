import type { GenerationResponse } from '../../api/index.ts';

/** Maximum tiles before the pictures. */
const MOST = 24;

type Started = Pick<GenerationResponse, 'batch_id' | 'user_id'>;
type Ended = Pick<GenerationResponse, 'batch_id' | 'finished_at'>;

/** The generations under way that have a tile, a user's own, and how many others are under way. A batch has a tile of its own. */
export function firstTilesOf<T extends Started>(underWay: readonly T[], userId: number) {
  const singles = underWay.filter(({ batch_id }) => batch_id === null);
  const tiles = singles.filter(({ user_id }) => user_id === userId).slice(0, MOST);
  return { tiles, others: singles.length - tiles.length };
}

/** The failures after those that were dismissed, without those of batches. @param dismissed the time of the newest of them */
export function failuresAfter<T extends Ended>(failed: readonly T[], dismissed: string): readonly T[] {
  return failed.filter(({ batch_id, finished_at }) => batch_id === null && (finished_at ?? '') > dismissed);
}

/** The time of the newest failure. */
export function lastOf(failed: readonly Ended[]): string {
  return failed.reduce((last, { finished_at }) => ((finished_at ?? '') > last ? finished_at! : last), '');
}
