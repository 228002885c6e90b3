import { setPriority } from 'node:os';
import type { PictureFacts } from '#media';
import { examine, rasterise, UnreadablePicture } from './decode.ts';
import type { PictureReply, PictureTask } from './picture-task.ts';

// A picture process: takes one task after the other from its parent, and ends when its parent lets go of it.

const MAX_CPU_SECONDS = 4;
/** Drawing has no limits of its own: a few bytes can ask for any number of shapes. */
const MAX_CPU_SECONDS_OF_DRAWING = 1;
const MAX_RSS_BYTES = 400 * 1024 * 1024;
const WATCH_INTERVAL_MS = 20;

/** Nicer than the services that run beside it. */
setPriority(5);

process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; the parent decides when this process is not needed any more.
process.on('SIGINT', () => {});
process.on('message', (task: PictureTask) => {
  const watch = watchOver(task);
  void answer(task)
    .finally(() => clearInterval(watch))
    .then((reply) => process.send!(reply));
});

async function answer(task: PictureTask): Promise<PictureReply> {
  try {
    return { type: 'done', facts: await perform(task) };
  } catch (error) {
    if (error instanceof UnreadablePicture) return { type: 'unreadable', reason: reasonOf(error) };
    return {
      type: 'failed',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

function perform(task: PictureTask): Promise<PictureFacts> {
  return task.kind === 'examine' ? examine(task.file, task.contentType) : rasterise(task.file, task.target);
}

function reasonOf({ message, cause }: UnreadablePicture): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/**
 * The work is done on another thread, which nothing can stop; this one sees how far it gets. CPU time and not time on
 * the clock: a good picture is not to fail because the machine is busy.
 */
function watchOver(task: PictureTask): NodeJS.Timeout {
  const isDrawing = task.kind === 'rasterise' || task.contentType === 'image/svg+xml';
  const maxCpuSeconds = isDrawing ? MAX_CPU_SECONDS_OF_DRAWING : MAX_CPU_SECONDS;
  const start = process.cpuUsage();
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(start);
    const cpuSeconds = (user + system) / 1e6;
    const bytes = process.memoryUsage.rss();
    if (cpuSeconds < maxCpuSeconds && bytes < MAX_RSS_BYTES) return;
    clearInterval(watch);
    const reply: PictureReply = {
      type: 'overrun',
      reason: `${cpuSeconds} s of CPU, ${bytes} bytes of memory`,
    };
    process.send!(reply);
  }, WATCH_INTERVAL_MS);
  return watch;
}
