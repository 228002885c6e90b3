import type { Running } from './domain/generation.ts';
import { RunNotCurrent } from './failures.ts';
import type { GenerationStore, RunWatch } from './ports.ts';

/** Interval at which a run records its progress and checks that it is current. */
const CHECK_INTERVAL_MS = 500;

/** Records the progress of runs, and aborts runs that are no longer current. */
export class RunWatches {
  constructor(
    private readonly store: Pick<GenerationStore, 'isCurrent' | 'progress'>,
    private readonly checkIntervalMs = CHECK_INTERVAL_MS,
  ) {}

  /** Runs `work`. Its signal is aborted with `stopping`, and when the run is no longer current. */
  async during<T>(running: Running, stopping: AbortSignal, work: (watch: RunWatch) => Promise<T>): Promise<T> {
    const notCurrent = new AbortController();
    let reported = running.progress;
    let recorded = running.progress;
    const check = async (): Promise<void> => {
      const fraction = reported;
      const unchanged = fraction === recorded;
      const current = await (unchanged ? this.store.isCurrent(running) : this.store.progress(running, fraction));
      recorded = fraction;
      if (!current) notCurrent.abort(new RunNotCurrent());
    };
    const stop = repeat(check, this.checkIntervalMs);
    try {
      return await work({
        progress: (fraction) => (reported = Math.min(1, Math.max(reported, toPerMille(fraction)))),
        signal: AbortSignal.any([stopping, notCurrent.signal]),
      });
    } finally {
      stop();
    }
  }
}

/** Repeats `work` with a pause before each call. Failures are ignored. */
function repeat(work: () => Promise<void>, pauseMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const next = (): void => {
    if (!stopped) timer = setTimeout(() => void work().then(next, next), pauseMs);
  };
  next();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function toPerMille(fraction: number): number {
  return Math.round(fraction * 1000) / 1000;
}
