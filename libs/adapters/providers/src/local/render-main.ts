import { setPriority } from 'node:os';
import { inspect } from 'node:util';
import sharp from 'sharp';
import { UnusableInput } from './picture/files.ts';
import { editImage } from './edit-image.ts';
import { findRegions } from './find-regions.ts';
import { learnStyle } from './learn-style.ts';
import { renderImage } from './render-image.ts';
import type { RenderedFile, RenderMessage, RenderTask } from './render-task.ts';

// The rendering process: receives one task from its parent, runs it and sends the outcome. Then the parent kills it,
// because native code that still runs could keep it alive. It also ends when the parent is gone.

/** Lower priority than the services that run beside it. */
setPriority(5);

// This process opens untrusted files: only the formats of uploaded pictures are parsed. SVG is parsed from memory only.
const LOADERS = ['JpegFile', 'PngFile', 'WebpFile', 'NsgifFile', 'TiffFile', 'SvgBuffer'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) });
sharp.concurrency(1);
sharp.cache(false);

process.once('disconnect', () => process.exit(1));
process.once('message', (task: RenderTask) => {
  void render(task)
    .then(
      (files): RenderMessage => ({ type: 'done', files }),
      (error: unknown) => failure(error, task),
    )
    .then(send);
});

async function render(task: RenderTask): Promise<readonly RenderedFile[]> {
  if (task.kind === 'image') return renderImage(task, report);
  if (task.kind === 'style') return learnStyle(task, report);
  if (task.kind === 'edit') return editImage(task, report);
  if (task.kind === 'regions') return findRegions(task, report);
  // Imported for videos only: it needs FFmpeg, which may be missing on this machine.
  const { renderVideo } = await import('./render-video.ts');
  return task.kind === 'video' ? renderVideo(task, report) : [];
}

/** A probe fails without retries if FFmpeg can't be loaded. */
function failure(error: unknown, { kind }: RenderTask): RenderMessage {
  const unusable = error instanceof UnusableInput;
  const message = unusable ? error.message : 'rendering failed';
  return { type: 'failed', message, retryable: !unusable && kind !== 'probe-video', detail: inspect(error) };
}

async function report(fraction: number): Promise<void> {
  await send({ type: 'progress', fraction });
  // Lets the process notice a disconnect between two long calculations.
  await new Promise((resolve) => setImmediate(resolve));
}

function send(message: RenderMessage): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()));
}
