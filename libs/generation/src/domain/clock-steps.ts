/** The latest step of the clock: it was set forward, or the machine was suspended. */
export interface ClockStep {
  /** The earliest time after it, by the clock. */
  readonly to: Date;
  readonly seconds: number;
}

export const NO_STEP: ClockStep = { to: new Date(0), seconds: 0 };

/** Less is the usual correction of a clock, or a process that had to wait for the processor between both readings. */
const MIN_SECONDS = 5;

/** Notices steps of the clock by the time that the process has run. Deadlines move along: a step is not time spent. */
export class ClockSteps {
  #last: { readonly now: Date; readonly uptime: number } | null = null;
  #latest = NO_STEP;

  /**
   * @param uptime seconds that the process has run, by a clock that never steps
   * @returns the latest step
   */
  observe(now: Date, uptime: number): ClockStep {
    const last = this.#last;
    this.#last = { now, uptime };
    if (!last) return this.#latest;
    const seconds = (now.getTime() - last.now.getTime()) / 1000 - (uptime - last.uptime);
    if (seconds >= MIN_SECONDS) this.#latest = { to: new Date(last.now.getTime() + seconds * 1000), seconds };
    return this.#latest;
  }
}
