import { createHash } from 'node:crypto';
import { INPUT_NAMES, placeholdersOf, placesOf, vendorFields, type SentPicture, type SubmittedTask } from '#generation';

/**
 * Whether a job that a vendor lists is that of a task. `possible`: it may be that of another task too, or the list does
 * not show enough.
 */
export type Match = 'same' | 'possible' | 'other';

/** What a vendor tells of a job. */
export interface ListedJob {
  /** Its fields as they were sent. */
  readonly fields: unknown;
  /** When the vendor got it, by our clock. */
  readonly createdAt: Date;
}

/** How much earlier than it was sent a job may seem to be: Date headers have whole seconds. */
const CLOCK_TOLERANCE_MS = 2_000;
const DATA_URI = /^data:[^,]*;base64,/i;

/**
 * By what was sent: each field, each picture, and a seed that no other task has.
 *
 * @param since when the task was about to be sent; an older job may be its own where a clock is wrong
 */
export function recognise({ fields, createdAt }: ListedJob, task: SubmittedTask, since: Date): Match {
  const { model, parameters, prompt, pictures } = task;
  const { names, stand } = expectedPictures(pictures);
  const match = compare(fields, vendorFields(model.mapping, { ...parameters, prompt, ...names }), stand);
  const sent = placeholdersOf(model.mapping);
  const arePicturesKnown = pictures !== null || !sent.some(isInput);
  const isSeedSent = sent.includes('seed') && parameters['seed'] !== undefined;
  const isIdentified = task.isIdentifiedBySeed && isSeedSent && arePicturesKnown;
  const isOlder = createdAt.getTime() < since.getTime() - CLOCK_TOLERANCE_MS;
  return match === 'same' && (!isIdentified || isOlder) ? 'possible' : match;
}

/** How far the clock of a vendor is ahead of ours, in milliseconds, by its response; 0 where that does not say. */
export function clockDifference(headers: Headers): number {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? 0 : date - Date.now();
}

/** A text that stands for each picture in the expected fields. */
type Stand = ReadonlyMap<string, SentPicture>;

function standFor(name: string, index: number): string {
  return `\0${name}-${index}\0`;
}

function expectedPictures(pictures: SubmittedTask['pictures']): { names: Record<string, unknown>; stand: Stand } {
  const stand = new Map<string, SentPicture>();
  const names: Record<string, unknown> = {};
  for (const { input, position, picture } of pictures ? placesOf(pictures) : []) {
    const text = standFor(input, position);
    stand.set(text, picture);
    names[input] = input === 'references' ? [...((names[input] as string[]) ?? []), text] : text;
  }
  return { names, stand };
}

/** Fields that were not sent may be defaults of the vendor's. */
function compare(shown: unknown, expected: unknown, stand: Stand): Match {
  if (typeof expected === 'string') return compareText(shown, expected, stand);
  if (Array.isArray(expected)) {
    if (!Array.isArray(shown) || shown.length !== expected.length) return 'other';
    return worst(expected.map((each, index) => compare(shown[index], each, stand)));
  }
  if (!isObject(expected)) return shown === expected ? 'same' : 'other';
  if (!isObject(shown)) return 'other';
  return worst(Object.entries(expected).map(([name, each]) => compare(shown[name], each, stand)));
}

function compareText(shown: unknown, expected: string, stand: Stand): Match {
  const sent = stand.get(expected);
  if (sent) return comparePicture(shown, sent);
  // A picture within a longer text.
  if ([...stand.keys()].some((text) => expected.includes(text))) return 'possible';
  return shown === expected ? 'same' : 'other';
}

/** What the vendor got by its own upload has a URL that says nothing. */
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

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
