import { setTimeout as delay } from 'node:timers/promises';
import { isConflict, translateDatabaseError } from './translate-database-error.ts';

const RERUNS = 3;
/** Longest pause before the first rerun; twice as long before each further one. */
const PAUSE_MS = 20;

/**
 * Runs a transaction, or a statement of its own, and again when it was rolled back because it and others waited for each
 * other. Random pauses keep them from meeting again.
 *
 * @param work must have no effect outside of the transaction
 * @throws DomainError `unavailable` after three reruns
 */
export async function rerunOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let rerun = 0; ; rerun++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || rerun === RERUNS) throw translateDatabaseError(error);
      await delay(Math.random() * PAUSE_MS * 2 ** rerun);
    }
  }
}
