import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipArchives } from '#adapters/zip';
import type { MappedValues, Model } from '#catalogue';
import type { RemoteInput, RemoteTask } from '#generation';
import { providerFailure } from './failures.ts';

/** Sends a file to the vendor and returns the value for its field. */
export type Deliver = (input: RemoteInput) => Promise<unknown>;

/** Vendors take no larger files by their uploads, which are held in memory. */
const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;
const MIN_UPLOAD_SECONDS = 120;
const UPLOAD_BYTES_PER_SECOND = 1024 * 1024;
/** The same for each zip of the same pictures, and the first time that the format has. */
const ZIPPED_AT = new Date('1980-01-01T00:00:00Z');

/**
 * The values of a task for its mapping.
 *
 * @param deliverPictures sends the pictures that a style is trained on (default: a zip of them, by `deliver`)
 */
export async function mappedValues(
  task: RemoteTask,
  deliver: Deliver,
  deliverPictures: (pictures: readonly RemoteInput[]) => Promise<unknown> = (pictures) =>
    zipOf(pictures, task.folder).then(deliver),
): Promise<MappedValues> {
  const { model, prompt, parameters, inputs, trainedStyle } = task;
  const one = async (input: RemoteInput | null): Promise<unknown> => input && deliver(input);
  const [references, pictures, weights, image, style, mask, control] = await Promise.all([
    Promise.all(inputs.references.map(one)),
    inputs.pictures.length > 0 ? deliverPictures(inputs.pictures) : null,
    weightsOf(task, deliver),
    one(inputs.image),
    one(inputs.style),
    one(inputs.mask),
    one(inputs.control),
  ]);
  const words = triggersOf(model, trainedStyle?.trigger ?? null);
  const given = { image, style, references, mask, control, pictures, style_weights: weights };
  return { ...parameters, prompt, ...given, ...words };
}

/** The names by which mappings read the word of a style. */
export function triggersOf({ kind }: Pick<Model, 'kind'>, trigger: string | null): Readonly<Record<string, unknown>> {
  return kind === 'style' ? { trigger } : { style_trigger: trigger };
}

export async function dataUri({ file, contentType }: Pick<RemoteInput, 'file' | 'contentType'>): Promise<string> {
  return `data:${contentType};base64,${await readFile(file, 'base64')}`;
}

/**
 * The time limit of an upload of a file.
 *
 * @param maxBytes Infinity for a vendor that takes files in parts
 * @throws ProviderFailure when the file is too large for the vendor's upload
 */
export async function uploadSeconds({ file }: RemoteInput, maxBytes = MAX_UPLOAD_BYTES): Promise<number> {
  const { size } = await stat(file);
  if (size <= maxBytes) return MIN_UPLOAD_SECONDS + size / UPLOAD_BYTES_PER_SECOND;
  const cause = new Error(`${size} bytes are too many for an upload: vendors fetch them if PUBLIC_URL is public`);
  throw providerFailure('provider_misconfigured', { cause });
}

async function weightsOf({ trainedStyle }: RemoteTask, deliver: Deliver): Promise<unknown> {
  const weights = trainedStyle?.weights;
  if (!weights) return null;
  if ('reference' in weights) return weights.reference;
  return 'url' in weights ? weights.url : deliver({ ...weights, url: null });
}

/** Zips pictures, in their order, into a file in `folder`. The same pictures give the same bytes. */
async function zipOf(pictures: readonly RemoteInput[], folder: string): Promise<RemoteInput> {
  const entries = async function* () {
    for (const [index, { file, contentType }] of pictures.entries()) {
      const path = `${String(index + 1).padStart(3, '0')}${extensionOf(contentType)}`;
      yield { path, modifiedAt: ZIPPED_AT, isCompressed: false, chunks: createReadStream(file) };
    }
  };
  const file = join(folder, 'pictures.zip');
  await pipeline(new ZipArchives().zip(entries()), createWriteStream(file));
  return { file, contentType: 'application/zip', url: null };
}

function extensionOf(contentType: string): string {
  return contentType === 'image/jpeg' ? '.jpg' : `.${contentType.split('/')[1]}`;
}

/** A name for an uploaded file, by what it is. */
export function uploadName(name: string, { file, contentType }: RemoteInput): string {
  return `${name}${extname(file) || extensionOf(contentType)}`;
}
