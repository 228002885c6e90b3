import { setPriority } from 'node:os';
import { examine, rasterise, UnreadablePicture } from './decode.ts';
import { derive } from './derive.ts';
import type { PictureOrder, PictureReply, PictureResults, PictureTask } from './picture-task.ts';

// A picture process: takes one task after the other from its parent, and ends when its parent lets go of it.

/**
 * Of CPU time and not time on the clock: a good picture is not to fail because the machine is busy. A picture that has
 * to be turned is decoded twice and encoded anew, which takes several times what looking at it does; a video is decoded
 * for some seconds of it.
 */
const MAX_CPU_SECONDS: Readonly<Record<PictureTask['kind'], number>> = {
  examine: 4,
  rasterise: 1,
  derive: 15,
  'preview-video': 15,
};
/** Drawing has no limits of its own: a few bytes can ask for any number of shapes. */
const MAX_CPU_SECONDS_OF_DRAWING = 1;
const WATCH_INTERVAL_MS = 20;

/** Nicer than the services that run beside it. */
setPriority(5);

process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; the parent decides when this process is not needed any more.
process.on('SIGINT', () => {});
process.on('message', (order: PictureOrder) => {
  const watch = watchOver(order);
  void answer(order.task)
    .finally(() => clearInterval(watch))
    .then((reply) => process.send!(reply));
});

async function answer(task: PictureTask): Promise<PictureReply> {
  try {
    return { type: 'done', result: await perform(task) };
  } catch (error) {
    if (error instanceof UnreadablePicture) return { type: 'unreadable', reason: reasonOf(error) };
    return {
      type: 'failed',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

async function perform(task: PictureTask): Promise<PictureResults[keyof PictureResults]> {
  switch (task.kind) {
    case 'examine':
      return examine(task.file, task.contentType);
    case 'rasterise':
      return rasterise(task.file, task.target);
    case 'derive':
      return derive(task);
    case 'preview-video': {
      // Loaded for videos only: it brings FFmpeg along.
      const { previewVideo } = await import('../video/preview-video.ts');
      return previewVideo(task.file, task.thumbnails);
    }
  }
}

function reasonOf({ message, cause }: UnreadablePicture): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** The work is done on another thread, which nothing can stop; this one sees how far it gets. */
function watchOver({ task, maxMemory }: PictureOrder): NodeJS.Timeout {
  const isDrawing = 'contentType' in task && task.contentType === 'image/svg+xml';
  const maxCpuSeconds = isDrawing ? MAX_CPU_SECONDS_OF_DRAWING : MAX_CPU_SECONDS[task.kind];
  const start = process.cpuUsage();
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(start);
    const cpuSeconds = (user + system) / 1e6;
    const bytes = process.memoryUsage.rss();
    if (cpuSeconds < maxCpuSeconds && bytes < maxMemory) return;
    clearInterval(watch);
    const reply: PictureReply = {
      type: 'overrun',
      of: cpuSeconds < maxCpuSeconds ? 'memory' : 'time',
      reason: `${cpuSeconds} s of CPU, ${bytes} bytes of memory`,
    };
    process.send!(reply);
  }, WATCH_INTERVAL_MS);
  return watch;
}
