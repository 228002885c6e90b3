import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SettingsError } from '#config';
import { HEARTBEAT_MS, watchHeartbeat } from './heartbeat.ts';

/**
 * Allows the heap to double between two full collections. After an idle time V8 allows only a quarter more, about the
 * size of the young generation, and would collect the whole heap several times a second under load.
 */
const HEAP_GROWTH = '--heap-growing-percent=100';

/** The service can't start. The message is one line that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** A message of a program to its supervisor. */
export type ProgramMessage = 'ready' | 'alive' | { readonly result: string } | { readonly failed: string };

/** The work of a process. */
export interface Program {
  /** Resolves when the program does its work. */
  start(): Promise<void>;
  /** Called before `stop`, without a time limit: completes work while other processes take over. */
  drain?(): Promise<void>;
  /** Ends the program cleanly. May be called before `start` has resolved. */
  stop(): Promise<void>;
  /** Resolves if the program responds. Without it, a running event loop is enough. */
  check?(): Promise<void>;
}

/**
 * Runs a program until SIGTERM, Ctrl-C or the end of its supervisor, then stops the program and ends the process. A
 * supervised program ignores Ctrl-C, which its supervisor handles.
 *
 * @param timeoutMs time limit of `stop`, after which the process exits
 */
export async function runProgram(program: Program, timeoutMs: number, heartbeatMs = HEARTBEAT_MS): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const supervised = process.connected;
  if (supervised) exchangeHeartbeats(program, heartbeatMs);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await program.drain?.().catch(print);
    setTimeout(() => {
      process.stderr.write(`${process.argv[1]} did not stop within ${timeoutMs / 1000} s: exiting\n`);
      process.exit(1);
    }, timeoutMs).unref();
    await program.stop().catch((error: unknown) => {
      print(error);
      process.exitCode = 1;
    });
    process.exit();
  };
  process.on('SIGTERM', () => void stop());
  process.on('disconnect', () => void stop());
  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!supervised) void stop();
    });
  }
  try {
    await program.start();
    releaseMemory();
    await send('ready');
  } catch (error) {
    if (stopping) return;
    await reportFailure(error);
    process.exitCode = 1;
    await stop();
  }
}

/**
 * Responds to the heartbeats of the supervisor. Continues a silent supervisor: after SIGSTOP it could not even handle
 * SIGTERM.
 */
function exchangeHeartbeats(program: Program, everyMs: number): void {
  let supervisor: ReturnType<typeof watchHeartbeat> | undefined;
  const respond = async () => {
    await program.check?.();
    await send('alive');
  };
  process.on('message', () => {
    supervisor ??= watchHeartbeat({ everyMs, onSilence: () => void process.kill(process.ppid, 'SIGCONT') });
    supervisor.heard();
    respond().catch(() => undefined);
  });
}

/** A program that starts with `open` and stops with the `stop` of its result. */
export function programOf(open: () => Promise<Omit<Program, 'start'>>): Program {
  let running: Omit<Program, 'start'> | undefined;
  return {
    start: async () => {
      running = await open();
    },
    drain: async () => running?.drain?.(),
    stop: async () => running?.stop(),
    check: async () => running?.check?.(),
  };
}

/**
 * Runs one task, sends its result to the supervisor, and ends the process: with exit code 1 if the task failed or the
 * supervisor has ended.
 */
export async function runTask(task: () => Promise<string | null | void>): Promise<void> {
  process.once('disconnect', () => process.exit(1));
  try {
    const result = await task();
    if (result) await send({ result });
    await send('ready');
  } catch (error) {
    await reportFailure(error);
    process.exit(1);
  }
  process.exit(0);
}

async function send(message: ProgramMessage): Promise<void> {
  if (!process.connected) return;
  await new Promise<void>((resolve) => process.send!(message, undefined, {}, () => resolve()));
}

/** Reports an expected error as one line, to the supervisor if there is one; any other error with its stack. */
async function reportFailure(error: unknown): Promise<void> {
  if (!(error instanceof StartError || error instanceof SettingsError)) print(error);
  else if (process.connected) await send({ failed: error.message });
  else process.stderr.write(`${error.message}\n`);
}

function print(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}

/** Returns the memory of the start to the system: a quarter of the total, which an idle process would keep. */
function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
