const MIN_DOWNLOADS = 4;

/** Maximum concurrent downloads of outputs. */
export interface DownloadLimits {
  readonly perWorker: number;
  /** Within one worker. */
  readonly perVendor: number;
  /** Across all workers. */
  readonly perWorkspace: number;
}

/**
 * Downloads mostly wait for the network, so a worker runs twice as many of them as of other jobs. A hanging vendor or
 * a busy workspace can't use up all of them, and one workspace can't use up those of a vendor.
 *
 * @param concurrency concurrent jobs of one worker
 */
export function downloadLimits(concurrency: number): DownloadLimits {
  const perWorker = Math.max(MIN_DOWNLOADS, 2 * concurrency);
  return { perWorker, perVendor: Math.floor((3 * perWorker) / 4), perWorkspace: perWorker / 2 };
}

/** Limits the concurrent downloads of one process from each vendor, so that a hanging vendor does not block others. */
export class DownloadLimiter {
  readonly #running = new Map<string, number>();

  constructor(private readonly perVendor: number) {}

  /** Runs `download`; returns `null`, without running it, when the vendor's limit is reached. */
  tryRun<T>(vendor: string, download: () => Promise<T>): Promise<T> | null {
    const running = this.#running.get(vendor) ?? 0;
    if (running >= this.perVendor) return null;
    this.#running.set(vendor, running + 1);
    return download().finally(() => this.#running.set(vendor, this.#running.get(vendor)! - 1));
  }
}
