import type { Clock } from '#kernel';
import type { LibraryWork } from './ports.ts';

/** Files that are looked at by one statement. */
const GROUP_SIZE = 1_000;
/** Files of one pass: other sweeps of the process run meanwhile, and a pass ends soon when the worker stops. */
const MAX_GROUPS = 50;

/** Adds files that were there before the library was. Any number of workers may run it, and each may die at any time. */
export class LibraryFilling {
  constructor(
    private readonly work: LibraryWork,
    private readonly clock: Clock,
  ) {}

  /** @returns how many files were looked at */
  async sweep(signal: AbortSignal): Promise<number> {
    let all = 0;
    for (let group = 0; group < MAX_GROUPS; group++) {
      signal.throwIfAborted();
      const done = await this.work.addOlder(this.clock.now(), GROUP_SIZE);
      if (done === 0) break;
      all += done;
    }
    return all;
  }
}
