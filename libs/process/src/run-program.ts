import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { complain, reportFailure, tellSupervisor } from './tell-supervisor.ts';

/** What a process is there for. */
export interface Program {
  /** Resolves when it does its work. */
  start(): Promise<void>;
  /** Ends it cleanly; may be called at any time, also before `start` has resolved. */
  stop(): Promise<void>;
}

/**
 * Runs a program until it is told to stop, and ends the process: by SIGTERM, by Ctrl-C, or by the end of the
 * process that supervises it. A supervised program leaves Ctrl-C to its supervisor.
 *
 * @param patienceMs how long stopping may take before the process ends all the same
 */
export async function runProgram(program: Program, patienceMs: number): Promise<void> {
  const supervised = process.connected;
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      process.stderr.write(
        `${process.argv[1]} did not stop within ${patienceMs / 1000} s: it ends all the same\n`,
      );
      process.exit(1);
    }, patienceMs).unref();
    await program.stop().catch((error: unknown) => {
      complain(error);
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
    await tellSupervisor('ready');
  } catch (error) {
    if (stopping) return;
    await reportFailure(error);
    process.exitCode = 1;
    await stop();
  }
}

/** Gives back what only the start needed, a quarter of all: V8 keeps it otherwise for as long as there is nothing to do. */
function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
