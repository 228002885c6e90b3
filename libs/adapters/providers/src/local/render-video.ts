import { outputSize, VIDEO_SIZES, type Size } from './output-size.ts';
import { readOpaqueRgb, sourceSize } from './picture/files.ts';
import { pictureFromRgb, rgbFromPicture } from './picture/oklab.ts';
import { mixPlanes, smoothstep } from './picture/picture.ts';
import { createRandom, hashPoint, pick } from './picture/random.ts';
import { readPrompt } from './prompt.ts';
import type { RenderedFile, ReportProgress, VideoTask } from './render-task.ts';
import { transferColours } from './style/colours.ts';
import { moodColours, readStyle } from './style/style.ts';
import { planesFromRgb, sample, viewOf } from './video/frames.ts';
import type { CameraMove, Planes, View } from './video/frames.ts';
import { openMp4 } from './video/mp4-writer.ts';

type Light = Readonly<Record<'angle' | 'glow', number>>;

const MOVES: readonly CameraMove[] = ['closer', 'closer', 'left', 'right', 'up'];

/** The first frame is the input image. Then the camera moves, a light wanders, and the colours turn to the style's. */
export async function renderVideo(task: VideoTask, report: ReportProgress): Promise<readonly RenderedFile[]> {
  const { strength, fps } = task;
  const source = await sourceSize(task.image, 'start frame');
  const size = outputSize(task, source, VIDEO_SIZES);
  const pixels = await readOpaqueRgb(task.image, 'start frame', size);
  const start = planesFromRgb(pixels, size);
  const end = await finalColours(task, pixels, size);
  const reading = readPrompt(task.prompt);
  const seed = hashPoint(reading.hash, task.seed, 0);
  const move = reading.camera ?? pick(createRandom(seed), MOVES);
  await report(0.02);

  const frames = Math.round(task.seconds * fps);
  const buffers = [0, 1].map(() => Buffer.alloc((size.width * size.height * 3) / 2));
  const writer = await openMp4(task.files[0]!, size, fps);
  let writing = Promise.resolve();
  for (let number = 0; number < frames; number++) {
    const frame = buffers[number % 2]!;
    const moment = number / (frames - 1);
    const seconds = number / fps;
    const turned = smoothstep(0, 0.85, moment);
    const planes = end ? start.map((plane, i) => mixPlanes(plane, end[i]!, turned)) : start;
    const light = { angle: seed + seconds * 0.5, glow: 0.25 * strength * smoothstep(0, 1.4, seconds) };
    drawFrame(frame, planes, size, viewOf(move, strength, moment), light);
    // The encoder reads one buffer while the next frame is drawn into the other.
    await writing;
    writing = writer.write(frame);
    await report(0.05 + (0.93 * (number + 1)) / frames);
  }
  await writing;
  await writer.close();
  return [{ ...size, duration: frames / fps }];
}

/** The picture in its final colours; `null` when neither a style nor a mood is given. */
async function finalColours(task: VideoTask, pixels: Buffer, size: Size): Promise<Planes | null> {
  const style = task.styleReference ? await readStyle(task.styleReference) : null;
  const { mood } = readPrompt(task.prompt);
  if (!style && !mood) return null;
  const amount = 1 - (1 - task.strength) ** 2;
  let picture = pictureFromRgb(pixels, size.width, size.height);
  if (style) picture = transferColours(picture, null, style.colours, amount);
  if (mood) picture = transferColours(picture, null, moodColours(mood), amount * (style ? 0.35 : 0.8));
  return planesFromRgb(rgbFromPicture(picture), size);
}

/** Writes the planes one after the other. The light brightens the frame around a point; `glow` 0 changes nothing. */
function drawFrame(frame: Buffer, planes: Planes, size: Size, view: View, light: Light): void {
  const { width, height } = size;
  const reach = Math.max(width, height) / 2.4;
  const falloff = (length: number, centre: number) =>
    Float32Array.from({ length }, (_, i) => Math.exp(-(((i - centre * length) / reach) ** 2)));
  const across = falloff(width, 0.5 + 0.42 * Math.cos(light.angle));
  const down = falloff(height, 0.36 + 0.2 * Math.sin(light.angle * 0.8));
  const [luma, u, v] = planes.map((plane, i) => sample(plane, i === 0 ? width : width / 2, view));
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const lit = 16 + (luma![i]! - 16) * (1 + light.glow * (down[y]! * across[x]! - 0.25)) + 0.5;
      frame[i] = lit < 16 ? 16 : lit > 235 ? 235 : lit;
    }
  }
  let offset = width * height;
  for (const plane of [u!, v!]) for (const value of plane) frame[offset++] = value + 0.5;
}
