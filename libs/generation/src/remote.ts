import type { Model } from '#catalogue';
import type { GenerationRequest } from './domain/generation.ts';
import { isIdentifiedBySeed, seedOf } from './domain/seed.ts';
import type { Submission } from './domain/submission.ts';
import { NotAccepted, ProviderFailure, type SubmittedTask } from './ports.ts';

/** An outcome of a submission. The names are label values of a metric. */
export interface SubmissionReport {
  readonly submission: Submission;
  readonly outcome:
    /** The provider has accepted it. */
    | 'submitted'
    /** The provider accepts no work now. */
    | 'not_accepted'
    /** The provider has refused it. */
    | 'refused'
    /** The provider may or may not have started it. */
    | 'lost'
    /** A search has found it at the provider. */
    | 'found'
    /** A search has shown that the provider did not receive it. */
    | 'absent'
    /** It remains unknown whether the provider has started it. */
    | 'outcome_unknown'
    | 'ended'
    | 'failed'
    | 'timed_out'
    /** The provider's responses to a cancel request. */
    | 'canceled'
    | 'too_late'
    | 'unsupported'
    | 'not_there'
    /** It could not be canceled within a day. */
    | 'not_told';
  readonly error?: unknown;
}

/** Called with each outcome, for metrics and the operator. */
export type SubmissionReporter = (report: SubmissionReport) => void;

/** The task of a submission, the same for each attempt. A seed is always sent: a search recognises the job by it. */
export function submittedTask(
  { requestKey, pictures }: Pick<Submission, 'requestKey' | 'pictures'>,
  { prompt, parameters, trainedStyle }: GenerationRequest,
  model: Model,
): SubmittedTask {
  const seed = seedOf(model, parameters, requestKey);
  const sent = seed === null ? parameters : { ...parameters, seed };
  const isIdentified = isIdentifiedBySeed(model, parameters);
  const trigger = trainedStyle?.trigger ?? null;
  return { requestKey, model, prompt, parameters: sent, trigger, pictures, isIdentifiedBySeed: isIdentified };
}

/** The webhooks that providers call. */
export interface VendorWebhooks {
  /** True if providers can call the service. */
  readonly isPublic: boolean;
  /** The webhook URL of a submission; `null` when the service is not public. */
  urlFor(providerId: string, requestKey: string): string | null;
}

/** Time limit of a request to a provider, except for submissions and downloads. */
const RESPONSE_MS = 15_000;

/** Aborted with `signal`, and after the time limit of a request to a provider. */
export function withResponseLimit(signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(RESPONSE_MS);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Reports whether the request to the provider may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof DOMException && error.name === 'TimeoutError') return true;
  return error instanceof ProviderFailure || error instanceof NotAccepted;
}

/** Aborted `ms` after `signal`, with its reason. */
export function delayed(signal: AbortSignal, ms: number): AbortSignal {
  const late = new AbortController();
  const abort = (): void => void setTimeout(() => late.abort(signal.reason), ms);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return late.signal;
}
