import { spawn } from 'node:child_process';
import { ROOT } from './root.mjs';

/** Longer than our programs take to stop. */
const KILL_AFTER_MS = 15_000;
const running = new Set();
let interrupted = false;

/**
 * Runs a program in the folder of the clone. A signal that stops this process is passed on to the program, and this process
 * ends after it. `signal` stops only the program.
 *
 * @returns the exit code, the output if it was piped, and the last IPC message
 */
export function run(program, args, { stdio = 'inherit', env = process.env, signal } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, env, stdio });
    running.add(child);
    signal?.addEventListener('abort', () => child.kill('SIGTERM'));
    const result = { code: 1, output: '', message: null };
    child.stdout?.on('data', (text) => (result.output += text));
    child.stderr?.on('data', (text) => (result.output += text));
    child.on('message', (message) => (result.message = message));
    const end = (code) => {
      running.delete(child);
      if (interrupted) process.exit(code ?? 130);
      resolve({ ...result, code: code ?? 1 });
    };
    child.once('error', (error) => {
      result.output += error.message;
      end(1);
    });
    child.once('close', end);
  });
}

function stop() {
  if (running.size === 0) process.exit(130);
  // Ctrl-C under npm comes twice: from the terminal and from npm.
  if (interrupted) return;
  interrupted = true;
  for (const child of running) {
    child.kill('SIGTERM');
    // A process that was stopped by SIGSTOP could not end.
    child.kill('SIGCONT');
    setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

// npm passes signals on, except SIGKILL: then its process id is no longer the parent's.
const npm = process.env.npm_lifecycle_event ? process.ppid : null;
if (npm !== null) setInterval(() => process.ppid === npm || stop(), 1000).unref();
