import { outputSize } from '../output-size.ts';
import { readPicture, sourceSize } from '../picture/files.ts';
import type { Picture } from '../picture/picture.ts';
import { createRandom, type Random } from '../picture/random.ts';
import type { ImageTask } from '../render-task.ts';
import type { TechniqueName } from '../techniques.ts';
import { paletteDistance, paletteOf, type Palette } from './colours.ts';
import type { Look } from './look.ts';
import { readStyleFile } from './style-file.ts';

/** The features of a style reference or of a trained style that are applied. */
export interface Style {
  readonly palette: Palette;
  /** The colours of the sky and of the land in an invented landscape. */
  readonly sky: Palette;
  readonly land: Palette;
  /** The colours of the style reference beside a trained style. */
  readonly tint: Palette | null;
  /** `null` when the style prefers none. */
  readonly technique: TechniqueName | null;
  /** Pictures with the style's surface, of one size. */
  readonly surface: readonly Picture[];
}

/** How far the colours of a style reference join the colours of a trained style. */
export const TINT_SHARE = 0.25;

/** The style of an output; `null` without a style. With a mood, it is the look that is most like the mood. */
export type StyleChoice = (mood: Palette | null, seed: number) => Style | null;

const STYLE_SIZES = { smallest: 48, largest: 384, multiple: 1, pixels: 320 * 320, longSide: 384 };
/** Keeps the choice of a look apart from other choices by the same seed. */
const LOOK_SEED = 0x100c;

/** Reads the style reference and the trained style of a task. Of two, the trained style comes first. */
export async function readStyles({
  styleReference,
  trainedStyle,
}: Pick<ImageTask, 'styleReference' | 'trainedStyle'>): Promise<StyleChoice> {
  const reference = styleReference ? await readReference(styleReference) : null;
  const looks = trainedStyle ? await readStyleFile(trainedStyle) : null;
  if (!looks) return () => reference;
  return (mood, seed) => styleOf(looks, mood, reference?.palette ?? null, createRandom(seed ^ LOOK_SEED));
}

async function readReference(file: string): Promise<Style> {
  const size = outputSize({}, await sourceSize(file, 'style reference'), STYLE_SIZES);
  const { picture, alpha } = await readPicture(file, 'style reference', size);
  const palette = paletteOf(picture, alpha);
  return { palette, sky: palette, land: palette, tint: null, technique: null, surface: [picture] };
}

function styleOf(looks: readonly Look[], mood: Palette | null, tint: Palette | null, random: Random): Style {
  const look = mood ? nearestLook(looks, mood) : anyLook(looks, random);
  const { palette, warm, cool, technique, swatches } = look;
  const [sky, land] = random() < 0.5 ? [warm, cool] : [cool, warm];
  return { palette, sky, land, tint, technique, surface: swatches };
}

function nearestLook(looks: readonly Look[], mood: Palette): Look {
  const distance = ({ palette }: Look) => paletteDistance(palette, mood);
  return looks.reduce((nearest, look) => (distance(look) < distance(nearest) ? look : nearest));
}

/** A look by chance; looks of more pictures are more likely. */
function anyLook(looks: readonly Look[], random: Random): Look {
  let rest = random() * looks.reduce((sum, { weight }) => sum + weight, 0);
  return looks.find(({ weight }) => (rest -= weight) < 0) ?? looks.at(-1)!;
}
