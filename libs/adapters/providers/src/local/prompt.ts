import { createHash } from 'node:crypto';
import type { CameraMove } from './camera.ts';
import type { Mood } from './style/moods.ts';
import type { TechniqueName } from './techniques.ts';

/** The choices that a prompt names; `null` for choices that it leaves open. */
export interface PromptReading {
  readonly technique: TechniqueName | null;
  readonly mood: Mood | null;
  readonly camera: CameraMove | null;
}

/**
 * Further words for each name. If a prompt has words for several names, the first name counts. Words that mostly
 * describe a single thing in a picture (a red car, a black cat) are left out.
 */
type Vocabulary<Name extends string> = Readonly<Record<Name, string>>;

const TECHNIQUES: Vocabulary<TechniqueName> = {
  oil: 'painting painted painterly impasto impressionist brush canvas watercolor watercolour',
  ink: 'inked drawing drawn sketch sketched pencil charcoal manga comic lineart engraving etching',
  photo: 'photograph photographic film cinematic analog realistic',
};

const MOODS: Vocabulary<Mood> = {
  day: 'daylight noon clear bright',
  sunset: 'sunrise dawn dusk golden warm evening',
  night: 'midnight moon moonlit dark stars starry',
  winter: 'cool cold snow snowy ice icy arctic frosty',
  forest: 'lush verdant spring jungle mossy',
  autumn: 'autumnal fall october vintage sepia',
  noir: 'monochrome grayscale greyscale',
};

const CAMERA_MOVES: Vocabulary<CameraMove> = {
  closer: 'zoom forward approach',
  left: '',
  right: '',
  up: 'rise rising upwards',
  down: 'descend downwards',
};

/** One word per name, for the descriptions of the models. */
export const PROMPT_GUIDE = {
  technique: Object.keys(TECHNIQUES).join(', '),
  mood: Object.keys(MOODS).join(', '),
  camera: Object.keys(CAMERA_MOVES).join(', '),
};

export function readPrompt(prompt: string | null): PromptReading {
  const words = new Set(prompt?.toLowerCase().match(/[a-z]+/g));
  return { technique: nameIn(TECHNIQUES, words), mood: nameIn(MOODS, words), camera: nameIn(CAMERA_MOVES, words) };
}

/** A seed that depends on every letter of the prompt. It decides the choices that the prompt leaves open. */
export function seedOf(prompt: string | null, seed: number): number {
  const text = `${seed} ${(prompt ?? '').trim().toLowerCase()}`;
  return createHash('sha256').update(text).digest().readUInt32LE();
}

function nameIn<Name extends string>(vocabulary: Vocabulary<Name>, words: ReadonlySet<string>): Name | null {
  const names = Object.keys(vocabulary) as Name[];
  return names.find((name) => [name, ...vocabulary[name].split(' ')].some((word) => words.has(word))) ?? null;
}
