import type { GenerationRequest } from './domain/generation.ts';
import type { Model } from './domain/model.ts';
import { isIdentifiedBySeed, seedOf } from './domain/seed.ts';
import type { Submission } from './domain/submission.ts';
import { NotAccepted, ProviderFailure, type SubmittedTask } from './ports.ts';

export interface SubmissionReport {
  readonly submission: Submission;
  readonly outcome:
    /** The provider has it. */
    | 'submitted'
    /** The provider takes no work now. */
    | 'not_accepted'
    /** The provider has refused it. */
    | 'refused'
    /** The provider may have it, or not. */
    | 'lost'
    /** The provider had it after all. */
    | 'found'
    /** The provider had not got it. */
    | 'absent'
    /** It can't be known whether the provider has it. */
    | 'outcome_unknown'
    | 'ended'
    | 'failed'
    | 'timed_out'
    /** What a provider says when it is told to stop. */
    | 'canceled'
    | 'too_late'
    | 'unsupported'
    | 'not_there'
    /** The provider could not be told to stop within a day. */
    | 'not_told';
  readonly error?: unknown;
}

/** Called with each outcome, for metrics and the operator. */
export type SubmissionReporter = (report: SubmissionReport) => void;

/** The same for each attempt at a submission: its seed is always sent, so that it can be recognised by it. */
export function submittedTask(
  { requestKey, pictures }: Pick<Submission, 'requestKey' | 'pictures'>,
  { prompt, parameters }: GenerationRequest,
  model: Model,
): SubmittedTask {
  const seed = seedOf(model, parameters, requestKey);
  const sent = seed === null ? parameters : { ...parameters, seed };
  const isIdentified = isIdentifiedBySeed(model, parameters);
  return { requestKey, model, prompt, parameters: sent, pictures, isIdentifiedBySeed: isIdentified };
}

/** What providers need to call the service. */
export interface VendorWebhooks {
  /** Whether providers can call the service. */
  readonly isPublic: boolean;
  /** Where a provider calls for a submission; `null` when it can't. */
  urlFor(providerId: string, requestKey: string): string | null;
}

/** How long a provider may take to answer a question. */
const ANSWER_MS = 15_000;

/** Aborted with `signal`, and when a provider takes too long to answer a question. */
export function answerWithin(signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(ANSWER_MS);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Whether a provider that has thrown this may answer later. */
export function isForNow(error: unknown): boolean {
  if (error instanceof DOMException && error.name === 'TimeoutError') return true;
  return error instanceof ProviderFailure || error instanceof NotAccepted;
}

/** Aborted some time after `signal`, with its reason. */
export function delayed(signal: AbortSignal, ms: number): AbortSignal {
  const late = new AbortController();
  const abort = (): void => void setTimeout(() => late.abort(signal.reason), ms);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return late.signal;
}
