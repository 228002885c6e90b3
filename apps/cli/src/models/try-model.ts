import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { MagicFileTypes } from '#adapters/images';
import { STORED_TYPES, type ObjectStorage } from '#files';
import { isOpenTrial, type Trial, type TrialOutput, type Trials } from '#generation';
import { StartError } from '#process';
import type { Row } from '../table.ts';

const POLL_MS = 500;
const MAX_WAIT_MS = 60_000;
/** A trial with its pictures is a row of the database. */
const MAX_PICTURE_BYTES = 20_000_000;

/** The options of the command; pictures are files. */
export interface TrialOptions {
  readonly prompt?: string;
  readonly image?: string;
  readonly style?: string;
  readonly reference?: readonly string[];
  readonly mask?: string;
  readonly control?: string;
  /** Parameters, each `name=value`. */
  readonly set?: readonly string[];
  /** Where the outputs go. */
  readonly folder?: string;
}

interface Collaborators {
  readonly trials: Pick<Trials, 'start' | 'find'>;
  readonly storage: Pick<ObjectStorage, 'open'>;
}

/** Starts a trial of a model, waits until a worker has run it, and copies its outputs into a folder. */
export async function tryModel(
  { trials, storage }: Collaborators,
  id: string,
  options: TrialOptions,
): Promise<readonly Row[]> {
  const parameters = Object.fromEntries((options.set ?? []).map(fieldOf));
  const inputs = await inputsOf(options);
  const started = await trials.start(id, { entry: null, prompt: options.prompt ?? null, parameters, inputs });
  const trial = await ended(trials, started);
  if (trial.state !== 'succeeded') throw new StartError(`${trial.error.code}: ${trial.error.message}`);
  const { credits, vendorCost, startedAt, finishedAt } = trial;
  const seconds = Math.round((finishedAt.getTime() - startedAt.getTime()) / 100) / 10;
  const folder = await folderOf(options);
  const rows: Row[] = [];
  for (const [index, output] of trial.outputs.entries()) {
    const file = await copy(storage, output, join(folder, `output-${index + 1}`));
    const { contentType, bytes } = output;
    rows.push({ file, content_type: contentType, bytes, credits, vendor_cost: vendorCost, seconds });
  }
  return rows;
}

async function ended(trials: Collaborators['trials'], started: Trial) {
  const waitUntil = Date.now() + MAX_WAIT_MS;
  for (let trial = started; ; trial = await trials.find(trial.id)) {
    if (!isOpenTrial(trial)) return trial;
    if (trial.state === 'queued' && Date.now() > waitUntil) {
      throw new StartError(`no worker has taken trial ${trial.id} yet: does the service run?`);
    }
    await sleep(POLL_MS);
  }
}

function fieldOf(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new StartError('--set takes name=value');
  return [text.slice(0, equals), text.slice(equals + 1)];
}

async function inputsOf({ image, style, reference, mask, control }: TrialOptions): Promise<Record<string, unknown>> {
  const given = Object.entries({ image, style, mask, control });
  const inputs: Record<string, unknown> = {};
  for (const [name, file] of given) if (file !== undefined) inputs[name] = await dataUrlOf(file);
  if (reference) inputs['references'] = await Promise.all(reference.map(dataUrlOf));
  return inputs;
}

async function dataUrlOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${file} cannot be read (${error.code})`);
  });
  const contentType = await new MagicFileTypes().detect(bytes);
  if (!contentType?.startsWith('image/')) throw new StartError(`${file} is not a picture`);
  if (bytes.length > MAX_PICTURE_BYTES) throw new StartError(`${file} has more than ${MAX_PICTURE_BYTES} bytes`);
  return `data:${contentType};base64,${bytes.toString('base64')}`;
}

async function folderOf({ folder }: TrialOptions): Promise<string> {
  if (folder === undefined) return mkdtemp(join(tmpdir(), 'x12-try-'));
  await mkdir(folder, { recursive: true });
  return folder;
}

/** @returns the file, with the extension of its type */
async function copy(
  storage: Collaborators['storage'],
  { key, contentType }: TrialOutput,
  path: string,
): Promise<string> {
  const [extension = 'bin'] = Object.entries(STORED_TYPES).find(([, type]) => type === contentType) ?? [];
  const file = `${path}.${extension}`;
  const bytes = await storage.open(key);
  if (!bytes) throw new StartError('the output is gone from the storage');
  await pipeline(bytes, createWriteStream(file));
  return file;
}
