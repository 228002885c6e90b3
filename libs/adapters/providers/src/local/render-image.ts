import { paintLandscape } from './landscape.ts';
import { IMAGE_SIZES, outputSize, type Size } from './output-size.ts';
import { readPicture, sourceSize, writePicture, type ReadPicture } from './picture/files.ts';
import { mapPlanes, mix, type Picture } from './picture/picture.ts';
import { createRandom, pick } from './picture/random.ts';
import { readPrompt, seedOf, type PromptReading } from './prompt.ts';
import type { ImageTask, RenderedFile, ReportProgress } from './render-task.ts';
import { transferColours } from './style/colours.ts';
import { MOOD_NAMES, moodPalette } from './style/moods.ts';
import { readStyles, TINT_SHARE, type StyleChoice } from './style/style.ts';
import { layTexture } from './style/texture.ts';
import { techniques } from './techniques.ts';

/** How much of the reference's surface is added: a technique has a surface of its own. */
const TEXTURE_SHARE = 0.7;

/** Renders every output of a task; the second one has the next seed, and so on. */
export async function renderImage(task: ImageTask, report: ReportProgress): Promise<readonly RenderedFile[]> {
  const source = task.image ? await sourceSize(task.image, 'input image') : null;
  const size = outputSize(task, source, IMAGE_SIZES);
  const styleFor = await readStyles(task);
  const content = task.image ? await readPicture(task.image, 'input image', size) : null;
  // Three quarters of the full strength already hide most of the original surface, hence the curve.
  const amount = 1 - (1 - task.strength) ** 2;
  const job = { content, styleFor, size, amount, reading: readPrompt(task.prompt) };
  for (const [index, file] of task.files.entries()) {
    const seed = seedOf(task.prompt, task.seed + index);
    const picture = await makePicture(job, seed, (done) => report((index + 0.9 * done) / task.files.length));
    await writePicture(picture, content?.alpha ?? null, file);
    await report((index + 1) / task.files.length);
  }
  return task.files.map(() => ({ ...size, duration: null }));
}

export interface Job {
  readonly content: ReadPicture | null;
  readonly styleFor: StyleChoice;
  readonly reading: PromptReading;
  readonly size: Size;
  readonly amount: number;
}

/** Paints one output. */
export async function makePicture(job: Job, seed: number, report: ReportProgress): Promise<Picture> {
  const { content, reading, amount } = job;
  const random = createRandom(seed);
  const mood = moodPalette(reading.mood ?? pick(random, MOOD_NAMES));
  const style = job.styleFor(reading.mood && mood, seed);
  // With a style, its surface shows best on oil.
  const technique =
    reading.technique ??
    style?.technique ??
    pick(random, !content ? ['photo', 'oil'] : style ? ['oil'] : ['oil', 'ink']);

  let coloured = content?.picture ?? (await paintLandscape(job.size, style?.sky ?? mood, seed, style?.land));
  await report(0.15);
  const alpha = content?.alpha ?? null;
  if (style) coloured = transferColours(coloured, alpha, style.palette, amount);
  if (style?.tint) coloured = transferColours(coloured, alpha, style.tint, amount * TINT_SHARE);
  if (style ? reading.mood : content) {
    coloured = transferColours(coloured, alpha, mood, amount * (reading.mood && !style ? 0.95 : 0.35));
  }
  await report(0.3);
  let drawn = techniques[technique](coloured, seed);
  await report(0.8);
  if (style) drawn = layTexture(drawn, style.surface, TEXTURE_SHARE, seed);
  await report(0.9);
  return mapPlanes(drawn, (plane, axis) => plane.map((value, i) => mix(coloured.planes[axis]![i]!, value, amount)));
}
