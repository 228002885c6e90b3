import { ChildProgram, type ChildProgramOptions } from './child-program.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** Who ran for so long ended for a new reason. */
const STEADY_AFTER_MS = 60_000;

/** A program that is started again whenever it ends without having been told to. */
export class SupervisedProgram {
  readonly #options: ChildProgramOptions;
  readonly #report: (line: string) => void;
  #child: ChildProgram | null = null;
  #again: NodeJS.Timeout | undefined;
  #delayMs = FIRST_DELAY_MS;
  #stopped = false;

  constructor(options: ChildProgramOptions, report: (line: string) => void) {
    this.#options = options;
    this.#report = report;
  }

  /** @throws StartError when it ends before it is ready: then it is not started again */
  async start(): Promise<void> {
    await this.#launch().ready;
    void this.#child?.ended.then((how) => this.#restart(how));
  }

  async stop(patienceMs: number): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#again);
    await this.#child?.stop(patienceMs);
  }

  #launch(): ChildProgram {
    const startedAt = Date.now();
    const child = new ChildProgram(this.#options);
    this.#child = child;
    void child.ended.then(() => {
      if (Date.now() - startedAt > STEADY_AFTER_MS) this.#delayMs = FIRST_DELAY_MS;
    });
    return child;
  }

  #restart(how: string | null): void {
    if (this.#stopped) return;
    this.#report(
      `${this.#options.name} ended (${how ?? 'exit 0'}); it starts again in ${this.#delayMs / 1000} s`,
    );
    this.#again = setTimeout(() => {
      void this.#launch().ended.then((next) => this.#restart(next));
    }, this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, LONGEST_DELAY_MS);
  }
}
