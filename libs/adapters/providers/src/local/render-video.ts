import { outputSize, VIDEO_SIZES, type Size } from './output-size.ts';
import { openMp4 } from './mp4-writer.ts';
import { readOpaqueRgb, sourceSize } from './picture/files.ts';
import { mix, pictureFromRgb, rgbFromPicture } from './picture/picture.ts';
import { createRandom, pick } from './picture/random.ts';
import { readPrompt, seedOf } from './prompt.ts';
import type { RenderedFile, ReportProgress, VideoTask } from './render-task.ts';
import { transferColours } from './style/colours.ts';
import { moodPalette } from './style/moods.ts';
import { readStyle } from './style/style.ts';

/** The direction of each move, and how much it zooms in. */
const MOVES = {
  closer: { x: 0, y: -0.12, zoom: 0.34 },
  left: { x: -1, y: 0, zoom: 0.24 },
  right: { x: 1, y: 0, zoom: 0.24 },
  up: { x: 0, y: -1, zoom: 0.24 },
  down: { x: 0, y: 1, zoom: 0.24 },
};

export type CameraMove = keyof typeof MOVES;

/** The first frame is the input image. Then the camera moves, the light changes, and the colours turn to the style's. */
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
    await writer.write(turned(start, end, number / (0.85 * (frames - 1))));
    await report(0.05 + (0.93 * (number + 1)) / frames);
  }
  await writer.close();
  return [{ ...size, duration: frames / fps }];
}

/** The pixels in their final colours: those of the style and the mood, if there are any. */
async function finalColours(task: VideoTask, pixels: Buffer, { width, height }: Size): Promise<Buffer> {
  const style = task.styleReference ? await readStyle(task.styleReference) : null;
  const { mood } = readPrompt(task.prompt);
  if (!style && !mood) return pixels;
  const amount = 1 - (1 - task.strength) ** 2;
  let picture = pictureFromRgb(pixels, width, height);
  if (style) picture = transferColours(picture, null, style.palette, amount);
  if (mood) picture = transferColours(picture, null, moodPalette(mood), amount * (style ? 0.35 : 0.8));
  return rgbFromPicture(picture);
}

/** The pixels on their way from one picture to another one, which they reach at a moment of 1. */
function turned(from: Buffer, to: Buffer, moment: number): Buffer {
  const pixels = Buffer.allocUnsafe(from.length);
  const amount = Math.min(1, moment);
  for (let i = 0; i < pixels.length; i++) pixels[i] = mix(from[i]!, to[i]!, amount) + 0.5;
  return pixels;
}

/**
 * FFmpeg's filter for a camera move. It starts slowly with the whole picture, and never leaves the picture, because the
 * camera zooms in while it pans.
 */
function camera(move: CameraMove, amount: number, frames: number): string {
  const { x, y, zoom } = MOVES[move];
  const moment = `(on-1)/${frames - 1}`;
  const travelled = `if(lt(${moment},0.25),2*pow(${moment},2),${moment}-0.125)/0.875`;
  // The part of the picture that is outside of the view.
  const outside = `(1-1/(1+${zoom * amount}*${travelled}))`;
  const edge = (side: string, offset: number) => `${side}*${(1 + 0.9 * offset) / 2}*${outside}`;
  const far = (side: string, offset: number) => `${side}-${side}*${(1 - 0.9 * offset) / 2}*${outside}`;
  const [left, right, top, bottom] = [edge('W', x), far('W', x), edge('H', y), far('H', y)];
  const corners = { x0: left, y0: top, x1: right, y1: top, x2: left, y2: bottom, x3: right, y3: bottom };
  const options = Object.entries(corners).map(([name, value]) => `${name}='${value}'`);
  return `perspective=${options.join(':')}:interpolation=cubic:sense=source:eval=frame`;
}
