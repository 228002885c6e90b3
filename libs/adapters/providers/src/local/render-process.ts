import { fork, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { ProviderFailure } from '#generation';
import type { RenderedFile, RenderMessage, RenderTask } from './render-task.ts';

/** This file's own ending tells whether it runs from its TypeScript source or from a build. */
const EXTENSION = extname(new URL(import.meta.url).pathname);
const PROGRAM = new URL(`./render-main${EXTENSION}`, import.meta.url);

/** A process that opens strangers' files gets no secrets: only what it needs to start and to find fonts. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE'];

const KEPT_STDERR = 4000;

/**
 * Runs a task in a process of its own, so that a crash in native code, a runaway or a leak ends this task and
 * nothing else. When it returns or throws, that process is gone, and after a failure its files are too.
 *
 * @throws ProviderFailure
 */
export async function renderInProcess(
  task: RenderTask,
  watch: { progress(fraction: number): void; readonly signal: AbortSignal; readonly timeLimitMs: number },
): Promise<readonly RenderedFile[]> {
  watch.signal.throwIfAborted();
  const child = fork(PROGRAM, [], {
    execArgv: EXTENSION === '.ts' ? ['--conditions=source', '--experimental-transform-types'] : [],
    // Two arenas keep freed memory from lying around in one heap a thread.
    env: { ...environment(), MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, watch.timeLimitMs);
  watch.signal.addEventListener('abort', kill);
  try {
    const { outcome, end } = await talk(child, task, watch.progress);
    watch.signal.throwIfAborted();
    if (outcome?.type === 'done') return outcome.files;
    if (outcome?.type === 'failed') {
      throw new ProviderFailure(outcome.message, {
        retryable: outcome.retryable,
        cause: new Error(outcome.detail),
      });
    }
    throw new ProviderFailure(timedOut ? 'rendering took too long' : 'rendering stopped unexpectedly', {
      retryable: true,
      cause: end,
    });
  } catch (error) {
    if (task.kind !== 'probe-video') await Promise.all(task.files.map((file) => rm(file, { force: true })));
    throw error;
  } finally {
    clearTimeout(timer);
    watch.signal.removeEventListener('abort', kill);
  }
}

/** Hands over the task and waits until the process is gone. */
function talk(
  child: ChildProcess,
  task: RenderTask,
  progress: (fraction: number) => void,
): Promise<{ outcome: Exclude<RenderMessage, { type: 'progress' }> | null; end: Error }> {
  return new Promise((resolve) => {
    let outcome: Exclude<RenderMessage, { type: 'progress' }> | null = null;
    let stderr = '';
    let startError: Error | null = null;
    child
      .stderr!.setEncoding('utf8')
      .on('data', (text: string) => (stderr = (stderr + text).slice(-KEPT_STDERR)));
    child.on('message', (message: RenderMessage) => {
      if (message.type === 'progress') return progress(message.fraction);
      outcome = message;
      child.kill('SIGKILL');
    });
    const ended = (code: number | null, signal: NodeJS.Signals | null) => {
      const reason = `the rendering process ended with ${signal ?? `code ${code}`}: ${stderr.trim()}`;
      resolve({ outcome, end: startError ?? new Error(reason) });
    };
    child.on('error', (error) => {
      startError = error;
      if (child.pid === undefined) ended(null, null);
    });
    child.on('close', ended);
    // A process that is killed before it has read its task is reported by its end.
    if (child.pid !== undefined) child.send(task, () => undefined);
  });
}

function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
