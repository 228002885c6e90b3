import {
  INPUT_NAMES,
  type JsonObject,
  type InputName,
  type Model,
  type ModelReference,
  type ParameterValues,
} from '#catalogue';
import { invalidField } from '#kernel';
import type { GenerationError } from './generation.ts';
import { inputSetOf, type InputSet, type Placed } from './input-set.ts';
import type { Labels, VendorHandle } from './submission.ts';

/** How long a trial and its outputs are stored. */
const STORED_HOURS = 24;
/** `pictures` are those that a style is trained on. */
const TRIAL_INPUTS = INPUT_NAMES.filter((name) => name !== 'pictures');
const MAX_URL_LENGTH = 2048;
const PICTURE = /^data:image\/(?:png|jpeg|webp|gif);base64,[a-z0-9+/]+=*$/i;

/** The request of an operator to try a model. */
export interface TrialRequest {
  /** An entry that is not saved; `null` for the entry in the catalogue. */
  readonly entry: JsonObject | null;
  readonly prompt: string | null;
  readonly parameters: ParameterValues;
  /** Pictures by URL or as data URLs. */
  readonly inputs: InputSet<string>;
}

export interface NewTrial extends ModelReference, TrialRequest {
  /** A random UUID. */
  readonly requestKey: string;
  /** Credits that a caller would be charged. */
  readonly credits: number;
  readonly createdAt: Date;
}

/** One real output of a model for an operator: charged to no workspace, and billed by the vendor. */
export type Trial = QueuedTrial | SentTrial | SubmittedTrial | SucceededTrial | FailedTrial;
export type TrialState = Trial['state'];
export const TRIAL_STATES = ['queued', 'sent', 'submitted', 'succeeded', 'failed'] as const satisfies TrialState[];

interface TrialFacts extends Omit<NewTrial, 'inputs'> {
  readonly id: number;
}

export interface QueuedTrial extends TrialFacts {
  readonly state: 'queued';
}

/** Saved before the POST. A later run can't know whether the POST was sent, and sends none. */
export interface SentTrial extends TrialFacts {
  readonly state: 'sent';
  readonly startedAt: Date;
}

export interface SubmittedTrial extends TrialFacts {
  readonly state: 'submitted';
  readonly startedAt: Date;
  readonly handle: VendorHandle;
}

export interface SucceededTrial extends TrialFacts {
  readonly state: 'succeeded';
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly outputs: readonly TrialOutput[];
  /** In the vendor's currency; `null` when the vendor does not report it. */
  readonly vendorCost: number | null;
}

export interface FailedTrial extends TrialFacts {
  readonly state: 'failed';
  readonly startedAt: Date | null;
  readonly finishedAt: Date;
  /** For operators: with details that callers do not get. */
  readonly error: GenerationError;
}

/** An output as an object in the private part of the storage. */
export interface TrialOutput extends Labels {
  readonly key: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Pixels; `null` when unknown. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds; `null` for outputs other than videos. */
  readonly duration: number | null;
}

export type OpenTrial = QueuedTrial | SentTrial | SubmittedTrial;

export function isOpenTrial(trial: Trial): trial is OpenTrial {
  return trial.state !== 'succeeded' && trial.state !== 'failed';
}

/** When a trial and its outputs are deleted. */
export function trialExpiresAt({ createdAt }: Pick<Trial, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + STORED_HOURS * 3_600_000);
}

/** When the vendor has taken too long. */
export function trialDeadline({ startedAt }: Pick<SentTrial, 'startedAt'>, model: Model): Date {
  return new Date(startedAt.getTime() + model.timeLimitSeconds * 1000);
}

/**
 * The input pictures of a trial: for each input of the model a URL, for `references` a list of them.
 *
 * @throws DomainError `validation_failed` on `inputs.image` and so on
 */
export function readTrialInputs(model: Model, given: Readonly<Record<string, unknown>>): InputSet<string> {
  const unknown = Object.keys(given).find((name) => !(TRIAL_INPUTS as readonly string[]).includes(name));
  if (unknown !== undefined) throw invalidField(`inputs.${unknown}`, `is none of ${TRIAL_INPUTS.join(', ')}`);
  return inputSetOf(TRIAL_INPUTS.flatMap((input) => readInput(model, input, given[input] ?? null)));
}

function readInput({ inputs }: Model, input: InputName, given: unknown): readonly Placed<string>[] {
  const field = `inputs.${input}`;
  const isList = input === 'references';
  if (isList && given !== null && !Array.isArray(given)) throw invalidField(field, 'must be a list');
  const pictures = (isList ? (given ?? []) : [given].filter((picture) => picture !== null)) as readonly unknown[];
  if (pictures.length === 0 && inputs[input] === 'required') throw invalidField(field, 'is required by the model');
  if (pictures.length > 0 && inputs[input] === 'none') throw invalidField(field, 'is not taken by the model');
  if (isList && pictures.length > inputs.maxReferences) {
    throw invalidField(field, `must have at most ${inputs.maxReferences} pictures`);
  }
  return pictures.map((picture, index) => ({ input, position: index + 1, picture: readPicture(field, picture) }));
}

function readPicture(field: string, given: unknown): string {
  if (typeof given === 'string') {
    if (PICTURE.test(given)) return given;
    if (given.length <= MAX_URL_LENGTH && /^https?:\/\/\S+$/i.test(given)) return given;
  }
  throw invalidField(field, 'must be an http or https URL, or a data URL of a PNG, JPEG, WebP or GIF in base64');
}

/**
 * A style belongs to a persona, which a trial has not.
 *
 * @throws DomainError `validation_failed`
 */
export function requireTriable({ kind, inputs }: Model): void {
  if (kind === 'style') throw invalidField('model', 'trains styles: try it on a persona');
  if (inputs.styleWeights === 'required') throw invalidField('model', 'needs a trained style: try it with a persona');
}

/**
 * Trials name only parameters that the model declares: a misspelled one would go unnoticed.
 *
 * @throws DomainError `validation_failed`
 */
export function requireDeclared({ parameters }: Model, given: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(parameters, name));
  if (unknown === undefined) return;
  const names = Object.keys(parameters).join(', ') || 'none';
  throw invalidField(`parameters.${unknown}`, `is no parameter of the model, which has ${names}`);
}
