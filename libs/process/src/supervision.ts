import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { HEARTBEAT_MS, MAX_SILENT_INTERVALS, watchHeartbeat } from './heartbeat.ts';
import { StartError, type ProgramMessage } from './program.ts';

/** Half of the default: saves 40 MB in an idle program. */
const YOUNG_GENERATION = '--max-semi-space-size=8';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** After running this long, a program is restarted at once again. */
const STEADY_AFTER_MS = 60_000;
/** Additional heartbeats for loading the program: a minute and a half. */
const LOADING_INTERVALS = 18;

export interface ChildProgramOptions {
  /** The name in messages. */
  readonly name: string;
  /** The file that calls `runProgram`. */
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  readonly heartbeatMs?: number;
}

/** One run of a program in a child process, which shares the output of this process. */
export class ChildProgram {
  /** Resolves when the program has started; rejects with a StartError when it ends before. */
  readonly ready: Promise<void>;
  /** Resolves when the program has ended, with the reason; `null` after a clean end. */
  readonly ended: Promise<string | null>;
  /** The result of a task that has ended. */
  result: string | null = null;
  readonly #child: ChildProcess;
  #failure: string | null = null;

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
    child.on('message', (message: ProgramMessage) => {
      if (message === 'ready') ready.resolve();
      else if (message === 'alive') return;
      else if ('result' in message) this.result = message.result;
      else this.#failure = message.failed;
    });
    this.ended = new Promise((resolve) => {
      const end = (reason: string | null) => {
        ready.reject(new StartError(this.#failure ?? `${name} ended before it was ready (${reason ?? 'exit 0'})`));
        resolve(this.#failure ?? reason);
      };
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, signal) => end(code === 0 ? null : (signal ?? `exit ${code}`)));
    });
  }

  /** Kills the program when its heartbeats stop, because it hangs or was stopped by SIGSTOP. */
  watch(everyMs: number): void {
    const child = this.#child;
    const { heard, end } = watchHeartbeat({
      everyMs,
      grace: LOADING_INTERVALS,
      send: () => child.connected && child.send('alive', () => undefined),
      onSilence: () => {
        this.#failure = `killed, as it did not respond for ${(MAX_SILENT_INTERVALS * everyMs) / 1000} s`;
        child.kill('SIGKILL');
      },
    });
    child.on('message', heard);
    void this.ended.then(end);
  }

  /** Sends SIGTERM, which SIGCONT lets a stopped program handle too, and kills the program after `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    this.#child.kill('SIGTERM');
    this.#child.kill('SIGCONT');
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs);
    await this.ended;
    clearTimeout(kill);
  }
}

/** A program that is restarted when it ends or hangs. */
export class SupervisedProgram {
  readonly #stopping = new AbortController();
  #child: ChildProgram | undefined;

  constructor(
    private readonly options: ChildProgramOptions,
    private readonly report: (line: string) => void,
  ) {}

  /** @throws StartError when the program ends before it is ready; it is then not restarted */
  async start(): Promise<void> {
    await this.#launch().ready;
    const ended = async () => `${this.options.name} ended (${(await this.#child!.ended) ?? 'exit 0'})`;
    const restart = async () => void this.#launch();
    const { report } = this;
    void keepRunning({ ended, restart, report, longestDelayMs: LONGEST_DELAY_MS }, this.#stopping.signal);
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#child?.stop(timeoutMs);
  }

  #launch(): ChildProgram {
    this.#child = new ChildProgram(this.options);
    this.#child.watch(this.options.heartbeatMs ?? HEARTBEAT_MS);
    return this.#child;
  }
}

/**
 * Restarts a program or server each time it ends, until `stopping` is aborted: at once, then, while it ends within a
 * minute, after a delay that doubles.
 *
 * @param target.ended resolves at the end of the target, with the sentence to report
 */
export async function keepRunning(
  target: {
    ended(): Promise<string>;
    restart(): Promise<void>;
    report(line: string): void;
    readonly longestDelayMs: number;
  },
  stopping: AbortSignal,
): Promise<void> {
  const doubled = (ms: number) => Math.min(Math.max(ms * 2, FIRST_DELAY_MS), target.longestDelayMs);
  for (let delayMs = 0; ; delayMs = doubled(delayMs)) {
    const startedAt = performance.now();
    const end = await target.ended();
    if (stopping.aborted) return;
    if (performance.now() - startedAt > STEADY_AFTER_MS) delayMs = 0;
    target.report(`${end}; it starts again ${delayMs === 0 ? 'at once' : `in ${delayMs / 1000} s`}`);
    await sleep(delayMs, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    await target.restart();
  }
}
