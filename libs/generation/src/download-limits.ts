const MIN_DOWNLOADS = 4;
/** Generations whose outputs wait, for each place, after which no further generation is submitted. */
const WAITING_PER_PLACE = 8;

/** Maximum concurrent downloads of outputs. */
export interface DownloadLimits {
  readonly perWorker: number;
  /** Within one worker. */
  readonly perVendor: number;
  /** Across all workers, while others need the places. */
  readonly perWorkspace: number;
  /** Within one worker, including downloads beyond the limits of their workspaces. */
  readonly perWorkerBeyond: number;
}

/** Generations whose vendor has ended and whose outputs are not stored yet. */
export interface Unfetched {
  readonly ofWorkspace: number;
  readonly total: number;
}

/**
 * Downloads mostly wait for the network, so a worker runs twice as many of them as of other jobs. A hanging vendor or
 * a busy workspace can't use up all of them, and one workspace can't use up those of a vendor. A workspace exceeds its
 * limit where a worker has places left, but for some, also at the vendor, that stay free for others.
 *
 * @param concurrency concurrent jobs of one worker
 */
export function downloadLimits(concurrency: number): DownloadLimits {
  const perWorker = Math.max(MIN_DOWNLOADS, 2 * concurrency);
  const perVendor = Math.floor((3 * perWorker) / 4);
  return { perWorker, perVendor, perWorkspace: perWorker / 2, perWorkerBeyond: perVendor - Math.ceil(perWorker / 8) };
}

/**
 * Reports whether a workspace may submit a generation. Generations that wait for their downloads count, so that
 * vendors make no more than is fetched while they keep it. When many wait, workspaces with few of them may still
 * submit.
 */
export function maySubmit({ ofWorkspace, total }: Unfetched, { perWorker, perWorkspace }: DownloadLimits): boolean {
  const most = total < WAITING_PER_PLACE * perWorker ? WAITING_PER_PLACE * perWorkspace : perWorkspace;
  return ofWorkspace < most;
}

/** Limits the concurrent downloads of one process from each vendor, so that a hanging vendor does not block others. */
export class DownloadLimiter {
  readonly #running = new Map<string, number>();

  constructor(readonly limits: DownloadLimits) {}

  /** Runs `download`; returns `null`, without running it, when the vendor's limit is reached. */
  tryRun<T>(vendor: string, download: () => Promise<T>): Promise<T> | null {
    const running = this.#running.get(vendor) ?? 0;
    if (running >= this.limits.perVendor) return null;
    this.#running.set(vendor, running + 1);
    return download().finally(() => this.#running.set(vendor, this.#running.get(vendor)! - 1));
  }
}
