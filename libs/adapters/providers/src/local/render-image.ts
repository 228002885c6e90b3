import { compositions, type CompositionName } from './compositions/index.ts';
import { IMAGE_SIZES, outputSize, type Size } from './output-size.ts';
import { mixPictures, type Picture } from './picture/picture.ts';
import { combineSeeds, createRandom, pick } from './picture/random.ts';
import { readPicture, sourceSize, type ReadPicture } from './picture/read-picture.ts';
import { writePicture } from './picture/write-picture.ts';
import { readPrompt, type PromptReading } from './prompt.ts';
import type { ImageTask, RenderedFile, ReportProgress } from './render-task.ts';
import { grade } from './style/grade.ts';
import { MOOD_NAMES, moodPalette } from './style/moods.ts';
import { paletteOf } from './style/palette.ts';
import { readStyle, type Style } from './style/style.ts';
import { layTexture, PLAIN_SURFACE } from './style/texture.ts';
import { treatments, type TreatmentName } from './treatments/index.ts';

const SCENE_NAMES = Object.keys(compositions) as CompositionName[];

/** How much of a reference's own surface suits a technique that has a surface of its own. */
const TEXTURE_SHARE: Readonly<Record<TreatmentName, number>> = {
  oil: 0.55,
  watercolor: 0.35,
  ink: 0.25,
  pencil: 0.3,
  engraving: 0.12,
  halftone: 0.12,
  mosaic: 0.3,
  film: 0.45,
};

export async function renderImage(task: ImageTask, report: ReportProgress): Promise<readonly RenderedFile[]> {
  const source = task.image ? await sourceSize(task.image, 'input image') : null;
  const size = outputSize(task, source, IMAGE_SIZES);
  const style = task.styleReference ? await readStyle(task.styleReference) : null;
  const content = task.image ? await readPicture(task.image, 'input image', size) : null;
  const reading = readPrompt(task.prompt);
  const rendered: RenderedFile[] = [];
  for (const [index, file] of task.files.entries()) {
    const job = { strength: task.strength, seed: task.seed + index, content, style, reading, size };
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
  const { content, style, reading, size } = job;
  const seed = combineSeeds(reading.hash, job.seed);
  const random = createRandom(seed);
  const unit = Math.sqrt(size.width * size.height) / 1024;
  // Full strength is reached gently: three quarters of it already hide most of the original surface.
  const amount = 1 - (1 - job.strength) ** 2;

  // The words alone decide on the subject, so that other seeds vary it rather than leave it.
  const scene = reading.scene ?? pick(createRandom(reading.hash), SCENE_NAMES);
  const mood = reading.mood ?? pick(random, content ? MOOD_NAMES : compositions[scene].moods);
  const scenePalette = style?.palette ?? moodPalette(mood);
  const start = content?.picture ?? compositions[scene].paint({ ...size, unit, seed, palette: scenePalette });
  await report(0.15);

  const weights = content?.alpha ?? null;
  const coloured = grade(start, weights, {
    style,
    // An invented scene has the colours of its mood already.
    mood: (style ? reading.mood : content) ? mood : null,
    styleAmount: amount,
    moodAmount: amount * (reading.mood && !style ? 0.95 : 0.35),
  });
  await report(0.3);

  const technique = reading.treatment ?? pick(random, suitableTreatments(job));
  const palette = style?.palette ?? paletteOf(coloured, 6, weights);
  const surface = style?.surface ?? { ...PLAIN_SURFACE, direction: (random() - 0.5) * Math.PI };
  let treated = treatments[technique](coloured, { unit, palette, surface, seed });
  await report(0.8);

  if (style) {
    const patch = Math.max(6, 2 * Math.round(14 * unit));
    treated = layTexture(treated, style.picture, { patch, amount: TEXTURE_SHARE[technique], seed });
  }
  await report(0.9);
  return mixPictures(coloured, treated, amount);
}

/** What suits when the prompt names no technique; named twice is twice as likely. */
function suitableTreatments({ content, style }: Job): readonly TreatmentName[] {
  if (!content) return ['film', 'film', 'watercolor', 'pencil', 'oil'];
  if (!style) return ['oil', 'watercolor', 'ink', 'pencil', 'engraving', 'halftone', 'mosaic', 'film'];
  if (style.monochrome) return ['engraving', 'pencil', 'ink'];
  return ['oil', 'oil', 'oil', 'watercolor'];
}
