import { camera } from './camera.ts';
import { outputSize, VIDEO_SIZES, type Size } from './output-size.ts';
import { openMp4 } from './mp4-writer.ts';
import { readOpaqueRgb, sourceSize } from './picture/files.ts';
import { mix, pictureFromRgb, rgbFromPicture } from './picture/picture.ts';
import { createRandom, pick } from './picture/random.ts';
import { readPrompt, seedOf } from './prompt.ts';
import type { RenderedFile, ReportProgress, VideoTask } from './render-task.ts';
import { transferColours } from './style/colours.ts';
import { moodPalette } from './style/moods.ts';
import { readStyles, TINT_SHARE } from './style/style.ts';

/** The first frame is the input image. Then the camera moves, the light changes, and the colours become the style's. */
export async function renderVideo(task: VideoTask, report: ReportProgress): Promise<readonly RenderedFile[]> {
  const { strength, fps } = task;
  const source = await sourceSize(task.image, 'start frame');
  const size = outputSize(task, source, VIDEO_SIZES);
  const start = await readOpaqueRgb(task.image, 'start frame', size);
  const end = await finalColours(task, start, size);
  const random = createRandom(seedOf(task.prompt, task.seed));
  const move = readPrompt(task.prompt).camera ?? pick(random, ['closer', 'left', 'right', 'up']);
  const reach = strength * (0.85 + 0.15 * random());
  const frames = Math.round(task.seconds * fps);
  await report(0.02);

  const light = `eq=brightness='${0.08 * strength}*sin(${1 + 2 * random()}*t)':eval=frame`;
  const writer = await openMp4(task.files[0]!, size, fps, `${camera(move, reach, frames)},${light}`);
  for (let number = 0; number < frames; number++) {
    await writer.write(blended(start, end, number / (0.85 * (frames - 1))));
    await report(0.05 + (0.93 * (number + 1)) / frames);
  }
  await writer.close();
  return [{ ...size, duration: frames / fps }];
}

/** The pixels in their final colours: those of the style and the mood, if there are any. */
async function finalColours(task: VideoTask, pixels: Buffer, { width, height }: Size): Promise<Buffer> {
  const { mood: named } = readPrompt(task.prompt);
  const mood = named && moodPalette(named);
  const style = (await readStyles(task))(mood, seedOf(task.prompt, task.seed));
  if (!style && !mood) return pixels;
  const amount = 1 - (1 - task.strength) ** 2;
  let picture = pictureFromRgb(pixels, width, height);
  if (style) picture = transferColours(picture, null, style.palette, amount);
  if (style?.tint) picture = transferColours(picture, null, style.tint, amount * TINT_SHARE);
  if (mood) picture = transferColours(picture, null, mood, amount * (style ? 0.35 : 0.8));
  return rgbFromPicture(picture);
}

/** A blend of two pictures: `from` at moment 0, `to` from moment 1. */
function blended(from: Buffer, to: Buffer, moment: number): Buffer {
  const pixels = Buffer.allocUnsafe(from.length);
  const amount = Math.min(1, moment);
  for (let i = 0; i < pixels.length; i++) pixels[i] = mix(from[i]!, to[i]!, amount) + 0.5;
  return pixels;
}
