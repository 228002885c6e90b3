import { setPriority } from 'node:os';
import { UnusableInput } from './picture/read-picture.ts';
import { renderImage } from './render-image.ts';
import type { RenderedFile, RenderMessage, RenderTask } from './render-task.ts';

// The rendering process: takes one task from its parent, does it, and says how it went. Then its parent ends it:
// native code that still runs could keep it from ending by itself. Without a parent it ends too.

/** Nicer than the services that run beside it. */
setPriority(5);

process.once('disconnect', () => process.exit(1));
process.once('message', (task: RenderTask) => {
  void render(task)
    .then((files): RenderMessage => ({ type: 'done', files }), failure)
    .then(send);
});

async function render(task: RenderTask): Promise<readonly RenderedFile[]> {
  if (task.kind === 'image') return renderImage(task, report);
  // Loaded for videos only: it needs FFmpeg, which may be missing on this machine.
  const { renderVideo } = await import('./render-video.ts');
  return task.kind === 'video' ? renderVideo(task, report) : [];
}

function failure(error: unknown): RenderMessage {
  const unusable = error instanceof UnusableInput;
  return {
    type: 'failed',
    message: unusable ? error.message : 'rendering failed',
    retryable: !unusable,
    detail: describe(error),
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${describe(error.cause)}`;
  return (error.stack ?? error.message) + cause;
}

async function report(fraction: number): Promise<void> {
  await send({ type: 'progress', fraction });
  // Lets a disconnect be noticed between two long calculations.
  await new Promise((resolve) => setImmediate(resolve));
}

function send(message: RenderMessage): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()));
}
