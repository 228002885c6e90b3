import { paintLandscape } from './landscape.ts';
import { IMAGE_SIZES, outputSize, type Size } from './output-size.ts';
import { readPicture, sourceSize, writePicture, type ReadPicture } from './picture/files.ts';
import { mixPlanes, PLANES, type Picture } from './picture/picture.ts';
import { createRandom, hashPoint, pick } from './picture/random.ts';
import { readPrompt, type PromptReading } from './prompt.ts';
import type { ImageTask, RenderedFile, ReportProgress } from './render-task.ts';
import { transferColours } from './style/colours.ts';
import { MOOD_NAMES, moodColours, readStyle, type Style } from './style/style.ts';
import { layTexture } from './style/texture.ts';
import { techniques, type TechniqueName } from './techniques.ts';

/** How much of the reference's surface is added: a technique has a surface of its own. */
const TEXTURE_SHARE = 0.7;

/** Renders every output of a task; the second one has the next seed, and so on. */
export async function renderImage(task: ImageTask, report: ReportProgress): Promise<readonly RenderedFile[]> {
  const source = task.image ? await sourceSize(task.image, 'input image') : null;
  const size = outputSize(task, source, IMAGE_SIZES);
  const style = task.styleReference ? await readStyle(task.styleReference) : null;
  const content = task.image ? await readPicture(task.image, 'input image', size) : null;
  const reading = readPrompt(task.prompt);
  const rendered: RenderedFile[] = [];
  for (const [index, file] of task.files.entries()) {
    const seed = hashPoint(reading.hash, task.seed + index, 0);
    const job = { strength: task.strength, seed, content, style, reading, size };
    const picture = await makePicture(job, (done) => report((index + 0.9 * done) / task.files.length));
    await writePicture(picture, content?.alpha ?? null, file);
    await report((index + 1) / task.files.length);
    rendered.push({ ...size, duration: null });
  }
  return rendered;
}

interface Job {
  readonly content: ReadPicture | null;
  readonly style: Style | null;
  readonly reading: PromptReading;
  readonly size: Size;
  readonly seed: number;
  readonly strength: number;
}

async function makePicture(job: Job, report: ReportProgress): Promise<Picture> {
  const { content, style, reading, size, seed } = job;
  const random = createRandom(seed);
  // Three quarters of the full strength already hide most of the original surface, hence the curve.
  const amount = 1 - (1 - job.strength) ** 2;
  const mood = reading.mood ?? pick(random, MOOD_NAMES);
  const technique = reading.technique ?? pick(random, suitableTechniques(job));

  const start = content?.picture ?? paintLandscape(size, style?.colours ?? moodColours(mood), seed);
  await report(0.15);
  const alpha = content?.alpha ?? null;
  let coloured = style ? transferColours(start, alpha, style.colours, amount) : start;
  if (style ? reading.mood : content) {
    const share = reading.mood && !style ? 0.95 : 0.35;
    coloured = transferColours(coloured, alpha, moodColours(mood), amount * share);
  }
  await report(0.3);
  let drawn: Picture = techniques[technique](coloured, seed);
  await report(0.8);
  if (style) drawn = layTexture(drawn, style.picture, TEXTURE_SHARE, seed);
  await report(0.9);
  return mixPictures(coloured, drawn, amount);
}

/** What suits when the prompt names no technique. */
function suitableTechniques({ content, style }: Job): readonly TechniqueName[] {
  if (style && content) return ['oil'];
  return content ? ['oil', 'ink'] : ['photo', 'oil'];
}

function mixPictures(from: Picture, to: Picture, amount: number): Picture {
  const [l, a, b] = PLANES.map((plane) => mixPlanes(from[plane], to[plane], amount));
  return { ...from, l: l!, a: a!, b: b! };
}
