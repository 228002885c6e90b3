import type { Running } from './domain/generation.ts';
import { RunLost } from './failures.ts';
import type { GenerationStore, RunWatch } from './ports.ts';

/** How often a run records its progress and checks that it is current. */
const CHECK_INTERVAL_MS = 500;

/** Watches runs: records their progress, and stops those that have lost their generation. */
export class RunWatches {
  constructor(
    private readonly store: Pick<GenerationStore, 'isCurrent' | 'progress'>,
    private readonly checkIntervalMs = CHECK_INTERVAL_MS,
  ) {}

  /** Does `work`. Its signal is aborted with `stopping`, and when the run loses its generation. */
  async during<T>(running: Running, stopping: AbortSignal, work: (watch: RunWatch) => Promise<T>): Promise<T> {
    const lost = new AbortController();
    let reported = running.progress;
    let recorded = running.progress;
    const check = async (): Promise<void> => {
      const fraction = reported;
      const unchanged = fraction === recorded;
      const current = await (unchanged ? this.store.isCurrent(running) : this.store.progress(running, fraction));
      recorded = fraction;
      if (!current) lost.abort(new RunLost());
    };
    const stop = repeat(check, this.checkIntervalMs);
    try {
      return await work({
        progress: (fraction) => (reported = Math.min(1, Math.max(reported, toPerMille(fraction)))),
        signal: AbortSignal.any([stopping, lost.signal]),
      });
    } finally {
      stop();
    }
  }
}

/** Does `work` again and again, with a pause before each; a failure is left to the next time. */
function repeat(work: () => Promise<void>, pauseMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const next = (): void => {
    if (!over) timer = setTimeout(() => void work().then(next, next), pauseMs);
  };
  next();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

function toPerMille(fraction: number): number {
  return Math.round(fraction * 1000) / 1000;
}
