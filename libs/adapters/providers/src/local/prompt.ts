import { hashText } from './picture/random.ts';
import type { CompositionName } from './compositions/index.ts';
import type { Atmosphere } from './motion/atmosphere.ts';
import type { CameraMove } from './motion/camera.ts';
import type { Mood } from './style/moods.ts';
import type { TreatmentName } from './treatments/index.ts';

/** What a prompt asks for in so many words; `null` where it says nothing of the kind. */
export interface PromptReading {
  readonly treatment: TreatmentName | null;
  readonly mood: Mood | null;
  readonly scene: CompositionName | null;
  readonly atmosphere: Atmosphere | null;
  readonly camera: CameraMove | null;
  /** Depends on every letter: whatever the words leave open is decided by this and the seed. */
  readonly hash: number;
}

/**
 * The words for each name; where a prompt has words for several, the first name counts. Words that mostly belong to
 * some thing in the picture (a red car, a black cat) are not among them.
 */
type Vocabulary<Name extends string> = Readonly<Record<Name, readonly string[]>>;

const TREATMENT_WORDS: Vocabulary<TreatmentName> = {
  oil: ['oil', 'painting', 'painted', 'painterly', 'impasto', 'impressionist', 'brush', 'canvas'],
  watercolor: ['watercolor', 'watercolour', 'aquarelle'],
  ink: ['ink', 'inked', 'manga', 'lineart'],
  pencil: ['pencil', 'sketch', 'sketched', 'drawing', 'drawn', 'crayon', 'charcoal'],
  engraving: ['engraving', 'engraved', 'etching', 'woodcut', 'linocut', 'banknote'],
  halftone: ['halftone', 'comic', 'poster', 'risograph'],
  mosaic: ['mosaic', 'stained', 'tiles', 'polygon'],
  film: ['film', 'photo', 'photograph', 'photographic', 'cinematic', 'grain', 'analog', 'realistic'],
};

const MOOD_WORDS: Vocabulary<Mood> = {
  day: ['day', 'daylight', 'noon', 'clear', 'bright'],
  sunset: ['sunset', 'sunrise', 'dawn', 'dusk', 'golden', 'warm', 'evening'],
  night: ['night', 'midnight', 'moon', 'moonlit', 'dark', 'stars', 'starry'],
  cool: ['cool', 'cold', 'winter', 'ice', 'icy', 'arctic', 'frosty', 'teal'],
  forest: ['lush', 'verdant', 'spring', 'jungle', 'mossy', 'forest'],
  autumn: ['autumn', 'autumnal', 'fall', 'october'],
  desert: ['desert', 'sand', 'dunes', 'dusty', 'earthy', 'terracotta'],
  neon: ['neon', 'cyberpunk', 'synthwave', 'vaporwave'],
  pastel: ['pastel', 'soft', 'dreamy', 'delicate', 'gentle'],
  noir: ['noir', 'monochrome', 'grayscale', 'greyscale'],
  sepia: ['sepia', 'vintage', 'retro', 'antique', 'nostalgic'],
  bloom: ['blossom', 'blossoms', 'floral', 'romantic', 'rosy'],
};

const SCENE_WORDS: Vocabulary<CompositionName> = {
  lake: ['lake', 'fjord', 'river', 'reflection'],
  ridges: ['mountain', 'mountains', 'hills', 'landscape', 'valley', 'forest', 'alps', 'ridge', 'wilderness'],
  sea: ['sea', 'ocean', 'beach', 'coast', 'island', 'waves', 'harbor', 'harbour', 'water'],
  city: ['city', 'skyline', 'town', 'street', 'buildings', 'skyscraper', 'urban', 'metropolis'],
  space: ['space', 'galaxy', 'nebula', 'planet', 'cosmos', 'cosmic', 'universe', 'stars'],
  currents: ['abstract', 'flow', 'swirl', 'swirls', 'energy', 'movement', 'wind', 'expressive'],
  shapes: ['geometric', 'geometry', 'bauhaus', 'shapes', 'pattern', 'minimal', 'circles'],
};

const ATMOSPHERE_WORDS: Vocabulary<Atmosphere> = {
  snow: ['snow', 'snowy', 'snowfall', 'blizzard', 'winter'],
  rain: ['rain', 'rainy', 'storm', 'downpour'],
  embers: ['fire', 'embers', 'sparks', 'campfire', 'lava', 'flames'],
  mist: ['mist', 'misty', 'fog', 'foggy', 'smoke', 'haze', 'clouds'],
  ripples: ['ripples', 'ripple', 'underwater', 'water', 'waves', 'sea', 'ocean', 'heat'],
  dust: ['dust', 'dusty', 'sunbeam', 'fireflies', 'magic', 'magical', 'sparkle'],
};

const CAMERA_WORDS: Vocabulary<CameraMove> = {
  in: ['zoom', 'closer', 'forward', 'approach'],
  left: ['left'],
  right: ['right'],
  up: ['up', 'rise', 'rising', 'upwards'],
  down: ['down', 'descend', 'downwards'],
  still: ['still', 'static', 'calm', 'motionless'],
};

export function readPrompt(prompt: string | null): PromptReading {
  const text = (prompt ?? '').toLowerCase();
  const words = new Set(text.match(/[a-z]+/g));
  return {
    treatment: nameIn(TREATMENT_WORDS, words),
    mood: nameIn(MOOD_WORDS, words),
    scene: nameIn(SCENE_WORDS, words),
    atmosphere: nameIn(ATMOSPHERE_WORDS, words),
    camera: nameIn(CAMERA_WORDS, words),
    hash: hashText(text.trim()),
  };
}

/** One word for each thing that `readPrompt` knows, for people who write prompts. */
export const PROMPT_GUIDE = {
  technique: firstWordsOf(TREATMENT_WORDS),
  mood: firstWordsOf(MOOD_WORDS),
  subject: firstWordsOf(SCENE_WORDS),
  atmosphere: firstWordsOf(ATMOSPHERE_WORDS),
  camera: firstWordsOf(CAMERA_WORDS),
};

function nameIn<Name extends string>(vocabulary: Vocabulary<Name>, words: ReadonlySet<string>): Name | null {
  const names = Object.keys(vocabulary) as Name[];
  return names.find((name) => vocabulary[name].some((word) => words.has(word))) ?? null;
}

function firstWordsOf(vocabulary: Vocabulary<string>): string {
  return Object.values(vocabulary)
    .map((words) => words[0])
    .join(', ');
}
