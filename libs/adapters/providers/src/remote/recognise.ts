import { createHash } from 'node:crypto';
import { INPUT_NAMES, placeholdersOf, vendorFields } from '#catalogue';
import { placesOf, type SentPicture, type SubmittedTask } from '#generation';
import { triggersOf } from './inputs.ts';
import { isObject } from './json.ts';

/**
 * Relation of a listed job to a task. `possible`: it may also belong to another task, or the list shows too little.
 */
export type Match = 'same' | 'possible' | 'other';

/** A job in a vendor's list. */
export interface ListedJob {
  /** The fields that were sent. */
  readonly fields: unknown;
  /** When the vendor received it, by our clock. */
  readonly createdAt: Date;
}

/** A job may appear this much older than it is: Date headers have whole seconds. */
const CLOCK_TOLERANCE_MS = 2_000;
const DATA_URI = /^data:[^,]*;base64,/i;

/**
 * Compares a listed job with a task by all fields, pictures and what identifies the task.
 *
 * @param since when the task was sent. An older job is at most `possible`, because clocks may be wrong
 */
export function recognise({ fields, createdAt }: ListedJob, task: SubmittedTask, since: Date): Match {
  const { model, parameters, prompt, pictures, trigger } = task;
  const { names, markers } = expectedPictures(pictures);
  const style_weights = trigger === null || model.kind === 'style' ? null : ANY;
  const values = { ...parameters, prompt, ...names, style_weights, ...triggersOf(model, trigger) };
  const match = compare(fields, vendorFields(model.mapping, values), markers);
  const arePicturesKnown = pictures !== null || !placeholdersOf(model.mapping).some(isInput);
  const isOlder = createdAt.getTime() < since.getTime() - CLOCK_TOLERANCE_MS;
  const isCertain = isIdentified(task) && arePicturesKnown && !isOlder;
  return match === 'same' && !isCertain ? 'possible' : match;
}

/**
 * Reports whether a field of the task identifies its submission: a seed of ours, or the word of the style that it
 * trains.
 */
export function isIdentified({ model, parameters, isIdentifiedBySeed, trigger }: SubmittedTask): boolean {
  const sent = placeholdersOf(model.mapping);
  const isBySeed = isIdentifiedBySeed && sent.includes('seed') && parameters['seed'] !== undefined;
  return isBySeed || (model.kind === 'style' && trigger !== null && sent.includes('trigger'));
}

/** Milliseconds by which the vendor's clock is ahead of ours, by the Date header; 0 without one. */
export function clockDifference(headers: Headers): number {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? 0 : date - Date.now();
}

/**
 * Stands for a value that can't be compared, and need not be: the zip of the pictures of a training, and the weights of a
 * style, whose URL is another each time.
 */
const ANY = '\0any\0';

/** Pictures by the text that represents them in the expected fields. */
type PictureMarkers = ReadonlyMap<string, SentPicture>;

function markerOf(name: string, index: number): string {
  return `\0${name}-${index}\0`;
}

function expectedPictures(pictures: SubmittedTask['pictures']): {
  names: Record<string, unknown>;
  markers: PictureMarkers;
} {
  const markers = new Map<string, SentPicture>();
  const names: Record<string, unknown> = {};
  for (const { input, position, picture } of pictures ? placesOf(pictures) : []) {
    const text = input === 'pictures' ? ANY : markerOf(input, position);
    if (text !== ANY) markers.set(text, picture);
    names[input] = input === 'references' ? [...((names[input] as string[]) ?? []), text] : text;
  }
  return { names, markers };
}

/** Ignores shown fields that were not sent: they may be defaults. */
function compare(shown: unknown, expected: unknown, markers: PictureMarkers): Match {
  if (typeof expected === 'string') return compareText(shown, expected, markers);
  if (Array.isArray(expected)) {
    if (!Array.isArray(shown) || shown.length !== expected.length) return 'other';
    return worst(expected.map((each, index) => compare(shown[index], each, markers)));
  }
  if (!isObject(expected)) return shown === expected ? 'same' : 'other';
  if (!isObject(shown)) return 'other';
  return worst(Object.entries(expected).map(([name, each]) => compare(shown[name], each, markers)));
}

function compareText(shown: unknown, expected: string, markers: PictureMarkers): Match {
  if (expected === ANY) return shown === undefined ? 'other' : 'same';
  const sent = markers.get(expected);
  if (sent) return comparePicture(shown, sent);
  // A picture within a longer text can't be compared.
  if ([ANY, ...markers.keys()].some((text) => expected.includes(text))) return 'possible';
  return shown === expected ? 'same' : 'other';
}

/** The URL of a picture that was uploaded to the vendor can't be compared. */
function comparePicture(shown: unknown, sent: SentPicture): Match {
  if (typeof shown !== 'string') return 'other';
  if ('url' in sent) return shown === sent.url ? 'same' : 'other';
  const data = DATA_URI.exec(shown);
  if (!data) return 'possible';
  const bytes = Buffer.from(shown.slice(data[0].length), 'base64');
  return createHash('sha256').update(bytes).digest('hex') === sent.sha256 ? 'same' : 'other';
}

function worst(matches: readonly Match[]): Match {
  return matches.find((each) => each === 'other') ?? matches.find((each) => each === 'possible') ?? 'same';
}

function isInput(name: string): boolean {
  return (INPUT_NAMES as readonly string[]).includes(name);
}
