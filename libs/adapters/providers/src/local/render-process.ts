import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { ProviderFailure } from '#generation';
import { forkUntrusted } from '#process';
import type { RenderedFile, RenderMessage, RenderOutcome, RenderTask } from './render-task.ts';

const PROGRAM = new URL('./render-main', import.meta.url);
const KEPT_STDERR = 4000;

/**
 * Runs a task in a process of its own, so that a crash in native code, an endless loop or a leak ends only this task.
 * The process has ended when this returns or throws. After a failure the task's files are removed.
 *
 * @throws ProviderFailure
 */
export async function renderInProcess(
  task: RenderTask,
  watch: { progress(fraction: number): void; readonly signal: AbortSignal; readonly timeLimitMs: number },
): Promise<readonly RenderedFile[]> {
  watch.signal.throwIfAborted();
  const { signal, timeLimitMs: timeout } = watch;
  const child = forkUntrusted(PROGRAM, 'pipe', { signal, timeout, killSignal: 'SIGKILL' });
  try {
    const { outcome, end } = await talk(child, task, watch.progress);
    watch.signal.throwIfAborted();
    if (outcome?.type === 'done') return outcome.files;
    if (outcome?.type === 'failed') {
      const { message, retryable, detail } = outcome;
      const code = retryable ? 'provider_unavailable' : 'invalid_input';
      throw new ProviderFailure(code, message, { retryable, cause: new Error(detail) });
    }
    // Without an outcome only the time limit kills the process.
    const [code, message] = child.killed
      ? (['timed_out', 'rendering took too long'] as const)
      : (['provider_unavailable', 'rendering stopped unexpectedly'] as const);
    throw new ProviderFailure(code, message, { retryable: true, cause: end });
  } catch (error) {
    await Promise.all(task.files.map((file) => rm(file, { force: true })));
    throw error;
  }
}

/** Sends the task and waits until the process has ended. */
function talk(
  child: ChildProcess,
  task: RenderTask,
  progress: (fraction: number) => void,
): Promise<{ outcome: RenderOutcome | null; end: Error }> {
  return new Promise((resolve) => {
    let outcome: RenderOutcome | null = null;
    let stderr = '';
    let startError: Error | null = null;
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-KEPT_STDERR)));
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
    // Errors are ignored: a process that is killed before it reads the task is reported by its end.
    if (child.pid !== undefined) child.send(task, () => undefined);
  });
}
