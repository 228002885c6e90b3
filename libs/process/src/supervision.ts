import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError, type ProgramMessage } from './program.ts';

/** Half of the default, which saves 40 MB in an idle program. */
const YOUNG_GENERATION = '--max-semi-space-size=8';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** What ran for so long is restarted after the first delay again. */
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
  readonly #stopping = new AbortController();
  #child: ChildProgram | undefined;

  constructor(
    private readonly options: ChildProgramOptions,
    private readonly report: (line: string) => void,
  ) {}

  /** @throws StartError when it ends before it is ready; it is not restarted then */
  async start(): Promise<void> {
    this.#child = new ChildProgram(this.options);
    await this.#child.ready;
    const ended = async () => `${this.options.name} ended (${(await this.#child!.ended) ?? 'exit 0'})`;
    const restart = async () => void (this.#child = new ChildProgram(this.options));
    const { report } = this;
    void keepRunning({ ended, restart, report, longestDelayMs: LONGEST_DELAY_MS }, this.#stopping.signal);
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#child?.stop(timeoutMs);
  }
}

/**
 * Restarts something whenever it ends, until `stopping` is aborted. The delay before doubles with each end in a row.
 *
 * @param of.ended resolves when it has ended, with the sentence to report
 */
export async function keepRunning(
  of: {
    ended(): Promise<string>;
    restart(): Promise<void>;
    report(line: string): void;
    readonly longestDelayMs: number;
  },
  stopping: AbortSignal,
): Promise<void> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, of.longestDelayMs)) {
    const startedAt = Date.now();
    const end = await of.ended();
    if (stopping.aborted) return;
    if (Date.now() - startedAt > STEADY_AFTER_MS) delayMs = FIRST_DELAY_MS;
    of.report(`${end}; it starts again in ${delayMs / 1000} s`);
    await sleep(delayMs, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    await of.restart();
  }
}
