import type { Running } from '../domain/generation.ts';
import type { Generations } from '../ports/generations.ts';

/** The run has lost its generation: that was canceled, or another run has taken it over. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor() {
    super('the generation has ended or is run elsewhere');
  }
}

export interface RunWatch {
  /** Notes how far the run is, 0..1; cheap, however often it is called. */
  progress(fraction: number): void;
  /** Aborted when the run must stop. */
  readonly signal: AbortSignal;
}

/** How often progress is recorded and the loss of the generation noticed. */
const EVERY_MS = 500;

/** Does `work` for a run, recording its progress, with a signal that is aborted also when the run loses its generation. */
export async function watchRun<T>(
  generations: Generations,
  running: Running,
  stopping: AbortSignal,
  work: (watch: RunWatch) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  let reported = running.progress;
  let recorded = running.progress;
  const check = async (): Promise<void> => {
    const fraction = reported;
    const current =
      fraction === recorded
        ? await generations.isCurrent(running)
        : await generations.progress(running, fraction);
    recorded = fraction;
    if (!current) lost.abort(new RunLost());
  };

  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const checkLater = (): void => {
    if (over) return;
    // What can't be read or recorded now is next time; saving the end decides.
    timer = setTimeout(
      () =>
        void check()
          .catch(() => undefined)
          .then(checkLater),
      EVERY_MS,
    );
  };
  checkLater();
  try {
    return await work({
      progress: (fraction) => (reported = Math.min(1, Math.max(reported, toPerMille(fraction)))),
      signal: AbortSignal.any([stopping, lost.signal]),
    });
  } finally {
    over = true;
    clearTimeout(timer);
  }
}

function toPerMille(fraction: number): number {
  return Math.round(fraction * 1000) / 1000;
}
