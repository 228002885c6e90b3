import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

/** A task that every worker repeats at an interval. Each run takes only what no other run has taken. */
export interface Sweep {
  /** Its name in metrics and logs. */
  readonly id: string;
  readonly everySeconds: number;
  /** True if passes usually find something, and are not logged. */
  readonly isRoutine?: boolean;
  /**
   * @param signal aborted when the worker stops
   * @returns how many items it processed
   */
  run(signal: AbortSignal): Promise<number>;
}

/** How soon a sweep that has become due starts. */
const START_MS = 1_000;

/** Called after each pass. `found` is `null` for a pass that failed. */
export type SweepObserver = (sweep: Sweep, pass: { readonly seconds: number; readonly found: number | null }) => void;

/** Runs each sweep at its interval, never twice at once in this process. A sweep that fails runs again next time. */
export class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(Sweeper.name);
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<void>>();

  /** @param sweeps the sweeps that run now: some come and go, such as the sweep of each provider */
  constructor(
    private readonly sweeps: () => readonly Sweep[],
    private readonly observe: SweepObserver,
  ) {}

  onApplicationBootstrap(): void {
    this.#start();
    const timer = setInterval(() => this.#start(), START_MS);
    this.#stopping.signal.addEventListener('abort', () => clearInterval(timer));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running.values());
  }

  #start(): void {
    for (const sweep of this.sweeps()) {
      if (this.#running.has(sweep.id)) continue;
      this.#running.set(
        sweep.id,
        this.#repeat(sweep).finally(() => this.#running.delete(sweep.id)),
      );
    }
  }

  async #repeat(sweep: Sweep): Promise<void> {
    const { signal } = this.#stopping;
    for (let seconds = Math.random(); this.#isWanted(sweep); seconds = sweep.everySeconds) {
      await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#run(sweep);
    }
  }

  #isWanted({ id }: Sweep): boolean {
    return this.sweeps().some((sweep) => sweep.id === id);
  }

  async #run(sweep: Sweep): Promise<void> {
    const since = performance.now();
    const observe = (found: number | null): void =>
      this.observe(sweep, { seconds: (performance.now() - since) / 1000, found });
    try {
      const done = await sweep.run(this.#stopping.signal);
      observe(done);
      if (done > 0 && !sweep.isRoutine) this.#logger.log(`sweep ${sweep.id}: ${done} processed`);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      observe(null);
      this.#logger.error(`sweep ${sweep.id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
