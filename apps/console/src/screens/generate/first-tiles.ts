import type { GenerationResponse } from '../../api/index.ts';

type Started = Pick<GenerationResponse, 'state' | 'batch_id'>;

/** Maximum tiles of each kind before the pictures. */
const MOST = { singles: 24, cells: 4, failed: 2 };

/**
 * The tiles before the pictures. A batch is one thing: its cells that wait are a number, and so are more failures than a few.
 */
export function firstTilesOf<T extends Started, Failed>(underWay: readonly T[], failed: readonly Failed[]) {
  const singles = underWay.filter(({ batch_id }) => batch_id === null).slice(0, MOST.singles);
  const isStarted = ({ batch_id, state }: T) => batch_id !== null && state !== 'queued';
  const shown = new Set([...singles, ...underWay.filter(isStarted).slice(0, MOST.cells)]);
  const isMany = failed.length > MOST.failed;
  return {
    underWay: underWay.filter((each) => shown.has(each)),
    waiting: underWay.length - shown.size,
    failed: isMany ? [] : failed,
    failedTogether: isMany ? failed : [],
  };
}
