import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SettingsError } from '#config';
import { HEARTBEAT_MS, watchHeartbeat } from './heartbeat.ts';

/**
 * The heap may double between two full collections. After a pause V8 allows only a quarter more, which is about the
 * young generation: then it collects the whole heap several times a second as long as there is work.
 */
const HEAP_GROWTH = '--heap-growing-percent=100';

/** Why the service can't start: one line that says what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What a program sends to the process that supervises it. */
export type ProgramMessage = 'ready' | 'alive' | { readonly result: string } | { readonly failed: string };

/** The work of a process. */
export interface Program {
  /** Resolves when the program does its work. */
  start(): Promise<void>;
  /** Comes before `stop` and has no time limit: completes work while other processes take over. */
  drain?(): Promise<void>;
  /** Ends it cleanly. Called at any time, also before `start` has resolved. */
  stop(): Promise<void>;
  /** Resolves when the program responds; without it, a running event loop is enough. */
  check?(): Promise<void>;
}

/**
 * Runs a program until it is told to stop, then ends the process. SIGTERM, Ctrl-C and the end of the supervising
 * process stop it. A supervised program ignores Ctrl-C, which its supervisor handles.
 *
 * @param timeoutMs maximum time that stopping may take before the process exits anyway
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
      process.stderr.write(`${process.argv[1]} did not stop within ${timeoutMs / 1000} s: it is ended\n`);
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
 * Responds to the heartbeats of the supervisor. A supervisor that sends none any more may have been stopped by SIGSTOP,
 * and could not even be told to end: it is continued.
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

/** A program whose work starts with `open` and ends with `stop` of its result. */
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
 * Runs one task and ends the process: with exit code 1 when it failed, at once when its supervisor ends. What the task
 * returns is sent to the supervisor.
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

/** Reports a foreseen error as one line, to the supervisor if there is one; any other with its stack. */
async function reportFailure(error: unknown): Promise<void> {
  if (!(error instanceof StartError || error instanceof SettingsError)) print(error);
  else if (process.connected) await send({ failed: error.message });
  else process.stderr.write(`${error.message}\n`);
}

function print(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}

/** Returns the memory that only the start needed, a quarter of all; an idle process would keep it. */
function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
