import { setPriority } from 'node:os';
import { PictureTooLarge, UnreadablePicture } from '../strip/reader.ts';
import { provenanceOf } from '#files';
import { findXmp, stripButMarks, writeMark } from '../marks/marks.ts';
import { examine, rasterise } from './decode.ts';
import { derive, reduce } from './derive.ts';
import { writeMarked } from './mark.ts';
import { writeMask } from './mask.ts';
import { transform } from './transform.ts';
import type { PictureOrder, PictureReply, PictureResults, PictureTask } from './picture-process.ts';

// A picture process: runs one task after another for its parent, and exits when its parent disconnects.

/**
 * CPU time, not wall time: a valid picture must not fail because the machine is busy. A picture that has to be turned
 * is decoded twice and re-encoded, which takes several times as long as examining it.
 */
const MAX_CPU_SECONDS: Readonly<Record<PictureTask['kind'], number>> = {
  examine: 4,
  rasterise: 1,
  reduce: 15,
  mask: 15,
  derive: 15,
  mark: 15,
  transform: 15,
  strip: 4,
  provenance: 4,
  'find-mark': 4,
  'preview-video': 15,
  // About five minutes of film.
  'clip-video': 300,
};
/** A few bytes of SVG can draw any number of shapes. */
const MAX_CPU_SECONDS_OF_DRAWING = 1;
/** Limit until the size and format of the picture are known. */
const MAX_CPU_SECONDS_OF_INSPECTION = 1;
const WATCH_INTERVAL_MS = 20;

// Yields to the services on the same machine.
setPriority(5);

process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on('SIGINT', () => {});
process.on('message', (order: PictureOrder) => {
  const watch = watchLimits(order);
  void reply(order.task, watch.inspected)
    .finally(watch.stop)
    .then((result) => process.send!(result));
});

async function reply(task: PictureTask, inspected: () => void): Promise<PictureReply> {
  try {
    return { type: 'done', result: await perform(task, inspected) };
  } catch (error) {
    if (error instanceof PictureTooLarge) return { type: 'too_large', reason: reasonOf(error) };
    if (error instanceof UnreadablePicture) return { type: 'unreadable', reason: reasonOf(error) };
    return { type: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function perform(task: PictureTask, inspected: () => void): Promise<PictureResults[keyof PictureResults]> {
  switch (task.kind) {
    case 'examine':
      return examine(task, inspected);
    case 'rasterise':
      return rasterise(task.file, task.target);
    case 'reduce':
      return reduce(task, inspected);
    case 'mask':
      return writeMask(task, inspected);
    case 'mark':
      return writeMarked(task, inspected);
    case 'transform':
      return transform(task, inspected);
    case 'derive':
      return derive(task, inspected);
    case 'strip':
      return stripButMarks(task.file, task.target, task.contentType);
    case 'provenance': {
      const { file, mark } = task.marked;
      return writeMark(task.file, file, task.contentType, provenanceOf(mark));
    }
    case 'find-mark':
      return findXmp(task.file, task.contentType);
    case 'preview-video': {
      // Loaded for videos only: it loads FFmpeg.
      const { previewVideo } = await import('../video/preview-video.ts');
      return previewVideo(task);
    }
    case 'clip-video': {
      const { clipVideo } = await import('../video/clip-video.ts');
      return clipVideo(task);
    }
  }
}

function reasonOf({ message, cause }: UnreadablePicture): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Decoding runs on another thread and can't be stopped: this thread watches its CPU time and memory. */
function watchLimits({ task, maxMemory }: PictureOrder): { inspected(): void; stop(): void } {
  const isDrawing = 'contentType' in task && task.contentType === 'image/svg+xml';
  const wholeTask = isDrawing ? MAX_CPU_SECONDS_OF_DRAWING : MAX_CPU_SECONDS[task.kind];
  let maxCpuSeconds = 'bare' in task ? MAX_CPU_SECONDS_OF_INSPECTION : wholeTask;
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
  return { inspected: () => (maxCpuSeconds = wholeTask), stop: () => clearInterval(watch) };
}
