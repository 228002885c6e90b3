import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AjvParameterCheck } from '#adapters/catalog';
import { headOf, MagicFileTypes } from '#adapters/images';
import { STORED_TYPES } from '#files';
import {
  costOf,
  NotAccepted,
  OutcomeUnknown,
  parameterValues,
  ProviderFailure,
  seedOf,
  type GenerationProvider,
  type InputPicture,
  type Model,
  type ParameterValues,
  type RemoteInputs,
  type RemoteProvider,
  type RemoteTask,
  type VendorHandle,
} from '#generation';
import { StartError } from '#process';
import type { Row } from '../table.ts';

const FIRST_PAUSE_SECONDS = 1;
const MAX_DOUBTS = 3;
const LONGEST_PAUSE_SECONDS = 15;

/** The inputs of a trial; pictures are files. */
export interface Trial {
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

interface Made {
  readonly files: readonly string[];
  /** Cost in the vendor's currency; `null` when the vendor does not say. */
  readonly cost: number | null;
}

type Vendor = Pick<RemoteProvider, 'submit' | 'check' | 'fetchOutput' | 'cancel'>;
type Work = (task: RemoteTask) => Promise<Made>;

/** Runs the model once, as a generation would, and keeps its outputs in a folder. Charges no credits. */
export async function tryModel(model: Model, trial: Trial, work: Work): Promise<readonly Row[]> {
  const requestKey = randomUUID();
  const parameters = parametersOf(model, trial.set ?? [], requestKey);
  const inputs = await inputsOf(model, trial);
  const folder = await folderOf(trial);
  const started = Date.now();
  const task = { requestKey, model, prompt: trial.prompt ?? null, parameters, inputs, folder };
  const { files, cost } = await work(task).catch((error: unknown) => {
    throw reasonOf(error);
  });
  const seconds = Math.round((Date.now() - started) / 100) / 10;
  const of = { credits: costOf(model, parameters), vendor_cost: cost, seconds };
  return Promise.all(files.map(async (file, index) => ({ ...(await outputRow(file, index, folder)), ...of })));
}

/** Submits to a vendor, and waits until it ends, up to the time limit of the model. */
export async function runRemotely(provider: Vendor, task: RemoteTask): Promise<Made> {
  const signal = AbortSignal.timeout(task.model.timeLimitSeconds * 1000);
  const submitted = await provider.submit(task, { webhookUrl: null, signal });
  if ('outputs' in submitted) return { files: submitted.outputs.map(({ file }) => file), cost: submitted.cost };
  const { outputs, cost } = await ended(provider, submitted.handle, task);
  const files = outputs.map((_, index) => join(task.folder, `fetched-${index + 1}`));
  for (const [index, output] of outputs.entries()) await provider.fetchOutput(output, files[index]!, signal);
  return { files, cost };
}

/** Runs a model of the provider `local`. */
export async function runLocally(provider: GenerationProvider, task: RemoteTask): Promise<Made> {
  const { model, prompt, parameters, inputs, folder } = task;
  const { image, style } = inputs;
  const { signal } = new AbortController();
  const watch = { progress: () => undefined, signal };
  const local = { generationId: 1, model: model.target, prompt, parameters, image, style, folder };
  const outputs = await provider.run(local, watch);
  return { files: outputs.map(({ file }) => file), cost: 0 };
}

async function ended(provider: Vendor, handle: VendorHandle, { model }: RemoteTask) {
  let doubts = 0;
  const deadline = Date.now() + model.timeLimitSeconds * 1000;
  for (let pause = FIRST_PAUSE_SECONDS; Date.now() < deadline; pause = Math.min(pause * 1.5, LONGEST_PAUSE_SECONDS)) {
    const status = await provider.check(handle, AbortSignal.timeout(model.timeLimitSeconds * 1000));
    if (status.state === 'ended') return status;
    if (status.state === 'failed') throw status.failure;
    if (status.state === 'canceled') throw new StartError('the vendor has canceled it');
    // The failure may be temporary.
    if (status.state === 'inconclusive' && ++doubts > MAX_DOUBTS) throw status.failure;
    await sleep(((status.state === 'pending' && status.checkAfterSeconds) || pause) * 1000);
  }
  const outcome = await provider.cancel(handle, AbortSignal.timeout(LONGEST_PAUSE_SECONDS * 1000));
  throw new StartError(`it has not ended within ${model.timeLimitSeconds} s; asked to cancel it: ${outcome}`);
}

function parametersOf(model: Model, given: readonly string[], requestKey: string): ParameterValues {
  const fields = Object.fromEntries(given.map(fieldOf));
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(model.parameters, name));
  if (unknown !== undefined) {
    const names = Object.keys(model.parameters).join(', ') || 'none';
    throw new StartError(`the model ${model.id} has no parameter ${unknown}; it has ${names}`);
  }
  const check = new AjvParameterCheck();
  const values = parameterValues(model, fields, (read) => check.problemsOf(model, read));
  const seed = seedOf(model, values, requestKey);
  return seed === null ? values : { ...values, seed };
}

function fieldOf(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new StartError('--set takes name=value');
  return [text.slice(0, equals), text.slice(equals + 1)];
}

async function inputsOf(model: Model, { reference = [], ...trial }: Trial): Promise<RemoteInputs> {
  const single = async (name: 'image' | 'style' | 'mask' | 'control') => {
    const file = trial[name];
    requireFit(model, name, file === undefined ? 0 : 1);
    return file === undefined ? null : inputOf(file);
  };
  requireFit(model, 'references', reference.length);
  return {
    image: await single('image'),
    style: await single('style'),
    references: await Promise.all(reference.map(inputOf)),
    mask: await single('mask'),
    control: await single('control'),
  };
}

function requireFit({ id, inputs }: Model, name: keyof RemoteInputs, given: number): void {
  const option = name === 'references' ? '--reference' : `--${name}`;
  if (given === 0 && inputs[name] === 'required') throw new StartError(`the model ${id} needs ${option} <file>`);
  if (given > 0 && inputs[name] === 'none') throw new StartError(`the model ${id} does not take ${option}`);
  if (name === 'references' && given > inputs.maxReferences) {
    throw new StartError(`the model ${id} takes ${inputs.maxReferences} references`);
  }
}

async function inputOf(file: string): Promise<InputPicture & { readonly url: null }> {
  const contentType = await typeOf(file).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${file} can not be read (${error.code})`);
  });
  if (!contentType?.startsWith('image/')) throw new StartError(`${file} is not a picture`);
  return { file, contentType, url: null };
}

async function folderOf({ folder }: Trial): Promise<string> {
  if (folder === undefined) return mkdtemp(join(tmpdir(), 'x12-try-'));
  await mkdir(folder, { recursive: true });
  return folder;
}

/** The row of an output, whose file gets a name of its own with the extension of its type. */
async function outputRow(file: string, index: number, folder: string): Promise<Row> {
  const contentType = await typeOf(file);
  const [extension = 'bin'] = Object.entries(STORED_TYPES).find(([, type]) => type === contentType) ?? [];
  const kept = join(folder, `output-${index + 1}.${extension}`);
  if (kept !== file) await rename(file, kept);
  return { file: kept, content_type: contentType ?? 'unknown', bytes: (await stat(kept)).size };
}

async function typeOf(file: string): Promise<string | null> {
  return new MagicFileTypes().detect(await headOf(file));
}

/** The error for the operator, with details that callers do not get. */
function reasonOf(error: unknown): unknown {
  const detail = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  if (error instanceof ProviderFailure) return new StartError(`${error.code}: ${error.message}${detail}`);
  if (error instanceof NotAccepted) return new StartError(`${error.code}: nothing was started, try it later${detail}`);
  if (error instanceof OutcomeUnknown) {
    return new StartError(`provider_outcome_unknown: the vendor may have made and billed it${detail}`);
  }
  return error;
}
