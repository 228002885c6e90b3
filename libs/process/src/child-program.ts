import { fork, type ChildProcess } from 'node:child_process';
import type { ProgramMessage } from './tell-supervisor.ts';
import { StartError } from './start-error.ts';

/** Half of the default: an idle program keeps 40 MB less. */
const YOUNG_GENERATION = '--max-semi-space-size=8';

export interface ChildProgramOptions {
  /** As it is called in messages. */
  readonly name: string;
  /** The file that calls `runProgram`. */
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
}

/** One run of a program in a process of its own; what it writes goes to our own output. */
export class ChildProgram {
  /** Resolves when it does its work; rejects with a StartError when it ends before. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended, with how it did: `null` for cleanly. */
  readonly ended: Promise<string | null>;
  readonly #child: ChildProcess;

  constructor(options: ChildProgramOptions) {
    const child = fork(options.file, {
      env: options.env,
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
      const end = (how: string | null) => {
        ready.reject(
          new StartError(failure ?? `${options.name} ended before it was ready (${how ?? 'exit 0'})`),
        );
        resolve(failure ?? how);
      };
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, signal) => end(code === 0 ? null : (signal ?? `exit ${code}`)));
    });
  }

  /** Asks it to stop, and kills it when it has not ended within `patienceMs`. */
  async stop(patienceMs: number): Promise<void> {
    this.#child.kill('SIGTERM');
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs);
    await this.ended;
    clearTimeout(kill);
  }
}
