import { breatheAir, type AtmosphereSetting } from './motion/atmosphere.ts';
import { aimCamera, type CameraMove, type CameraPath } from './motion/camera.ts';
import { guessNearness } from './motion/depth.ts';
import { Mp4Writer } from './motion/encode-mp4.ts';
import { createFrameBytes, FramePainter } from './motion/frame-painter.ts';
import { createNodeGrid } from './motion/node-grid.ts';
import { Particles } from './motion/particles.ts';
import { planesFromRgb, yuvOf, type Planes } from './motion/planes.ts';
import { outputSize, VIDEO_SIZES, type Size } from './output-size.ts';
import { pictureFromRgb, rgbFromPicture } from './picture/oklab.ts';
import { smoothstep } from './picture/picture.ts';
import { combineSeeds, createRandom, pick } from './picture/random.ts';
import { readOpaqueRgb, sourceSize } from './picture/read-picture.ts';
import { readPrompt } from './prompt.ts';
import type { RenderedFile, ReportProgress, VideoTask } from './render-task.ts';
import { grade } from './style/grade.ts';
import type { Mood } from './style/moods.ts';
import { readStyle, type Style } from './style/style.ts';

const MOVES: readonly CameraMove[] = ['in', 'in', 'left', 'right', 'up'];

const FOG = yuvOf(214, 220, 226);

/** Seconds until fog, snow and light have come up. */
const ARRIVAL = 1.4;

/** The first frame is the input image; from there the camera moves, air and light stir, and the colours turn. */
export async function renderVideo(task: VideoTask, report: ReportProgress): Promise<readonly RenderedFile[]> {
  const { strength, fps } = task;
  const source = await sourceSize(task.image, 'start frame');
  const size = outputSize(task, source, VIDEO_SIZES);
  const pixels = await readOpaqueRgb(task.image, 'start frame', size);
  const style = task.styleReference ? await readStyle(task.styleReference) : null;
  const reading = readPrompt(task.prompt);
  const seed = combineSeeds(reading.hash, task.seed);
  const random = createRandom(seed);
  await report(0.02);

  const start = planesFromRgb(pixels, size.width, size.height);
  const end = turnedPlanes(pixels, size, style, reading.mood, strength);
  const painter = new FramePainter(start, end, FOG);
  const grid = createNodeGrid(size.width, size.height);
  const nearness = guessNearness(start, grid);
  const path: CameraPath = { move: reading.camera ?? pick(random, MOVES), amount: strength };
  const air: AtmosphereSetting = {
    atmosphere: reading.atmosphere ?? pick(random, ['dust', null]),
    ...size,
    seed,
    strength,
  };
  const particles = new Particles(air);

  const frames = Math.round(task.duration * fps);
  const buffers = [createFrameBytes(size.width, size.height), createFrameBytes(size.width, size.height)];
  const writer = await Mp4Writer.open(task.files[0], fps);
  let writing = Promise.resolve();
  for (let number = 0; number < frames; number++) {
    const frame = buffers[number % 2]!;
    const seconds = number / fps;
    const passed = number / (frames - 1);
    const presence = smoothstep(0, ARRIVAL, seconds);
    aimCamera(grid, nearness, size, path, eased(passed));
    breatheAir(grid, nearness, air, seconds, presence);
    painter.paint(frame, grid, smoothstep(0, 0.85, passed));
    particles.draw(frame, seconds, presence);
    // The encoder works on one buffer while the next frame is painted into the other.
    await writing;
    writing = writer.write(frame);
    await report(0.05 + (0.93 * (number + 1)) / frames);
  }
  await writing;
  await writer.close();
  return [{ ...size, duration: frames / fps }];
}

/** What the colours turn to; `null` when nothing was said of colours. */
function turnedPlanes(
  pixels: Buffer,
  size: Size,
  style: Style | null,
  mood: Mood | null,
  strength: number,
): Planes | null {
  if (!style && !mood) return null;
  const amount = 1 - (1 - strength) ** 2;
  const graded = grade(pictureFromRgb(pixels, size.width, size.height), null, {
    style,
    mood,
    styleAmount: amount,
    moodAmount: amount * (style ? 0.35 : 0.8),
  });
  return planesFromRgb(rgbFromPicture(graded), size.width, size.height);
}

/** Starts from rest and reaches its pace within a quarter of the way. */
function eased(passed: number): number {
  const starting = 0.25;
  const pace = 1 / (1 - starting / 2);
  return passed < starting ? (pace * passed * passed) / (2 * starting) : pace * (passed - starting / 2);
}
