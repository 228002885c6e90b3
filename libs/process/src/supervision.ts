import { fork, type ChildProcess } from 'node:child_process';
import { StartError, type ProgramMessage } from './program.ts';

/** Half of the default, which saves 40 MB in an idle program. */
const YOUNG_GENERATION = '--max-semi-space-size=8';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A program that ran for so long is restarted after the first delay again. */
const STEADY_AFTER_MS = 60_000;

export interface ChildProgramOptions {
  /** Its name in messages. */
  readonly name: string;
  /** The file that calls `runProgram`. */
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
}

/** One run of a program in its own process. Its output goes to ours. */
export class ChildProgram {
  /** Resolves when the program does its work; rejects with a StartError when it ends before. */
  readonly ready: Promise<void>;
  /** Resolves when the program has ended, with the reason; `null` for a clean end. */
  readonly ended: Promise<string | null>;
  readonly #child: ChildProcess;

  constructor({ name, file, env }: ChildProgramOptions) {
    const child = fork(file, {
      env,
      execArgv: [...process.execArgv, YOUNG_GENERATION],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ready.catch(() => undefined);
    let failure: string | null = null;
    child.on('message', (message: ProgramMessage) => {
      if (message === 'ready') ready.resolve();
      else failure = message.failed;
    });
    this.ended = new Promise((resolve) => {
      const end = (reason: string | null) => {
        ready.reject(new StartError(failure ?? `${name} ended before it was ready (${reason ?? 'exit 0'})`));
        resolve(failure ?? reason);
      };
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, signal) => end(code === 0 ? null : (signal ?? `exit ${code}`)));
    });
  }

  /** Tells it to stop, and kills it after `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    this.#child.kill('SIGTERM');
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs);
    await this.ended;
    clearTimeout(kill);
  }
}

/** A program that is restarted whenever it ends by itself. */
export class SupervisedProgram {
  #child: ChildProgram | null = null;
  #restartTimer: NodeJS.Timeout | undefined;
  #delayMs = FIRST_DELAY_MS;
  #stopped = false;

  constructor(
    private readonly options: ChildProgramOptions,
    private readonly report: (line: string) => void,
  ) {}

  /** @throws StartError when it ends before it is ready; it is not restarted then */
  async start(): Promise<void> {
    await this.#launch().ready;
    void this.#child?.ended.then((reason) => this.#restart(reason));
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#restartTimer);
    await this.#child?.stop(timeoutMs);
  }

  #launch(): ChildProgram {
    const startedAt = Date.now();
    const child = new ChildProgram(this.options);
    this.#child = child;
    void child.ended.then(() => {
      if (Date.now() - startedAt > STEADY_AFTER_MS) this.#delayMs = FIRST_DELAY_MS;
    });
    return child;
  }

  #restart(reason: string | null): void {
    if (this.#stopped) return;
    this.report(`${this.options.name} ended (${reason ?? 'exit 0'}); it starts again in ${this.#delayMs / 1000} s`);
    this.#restartTimer = setTimeout(() => {
      void this.#launch().ended.then((next) => this.#restart(next));
    }, this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, LONGEST_DELAY_MS);
  }
}
