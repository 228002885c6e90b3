import type { JsonObject, ModelKind } from '#catalogue';
import type { GenerationError } from './generation.ts';
import type { InputSet } from './input-set.ts';

/** The vendor's reference to a job that it has started, as the provider returned it. */
export interface VendorHandle extends JsonObject {
  /** The vendor's own id of the job. Two submissions never share it. */
  readonly id: string;
}

/** An input picture as it was sent: by a public URL of the service, else by its bytes. */
export type SentPicture = { readonly url: string } | { readonly sha256: string };

/**
 * One request to a remote provider to run a generation. A generation has at most one at a time, and each is sent with
 * at most one POST.
 */
interface SubmissionBase {
  readonly generationId: number;
  /** The id of the provider. */
  readonly provider: string;
  /** A random UUID. It is sent along where the vendor accepts one. */
  readonly requestKey: string;
  /** 1 for the first submission of the generation. */
  readonly number: number;
  /** `null` when they were not recorded: earlier versions did not. */
  readonly pictures: InputSet<SentPicture> | null;
  /** Recorded just before the POST. */
  readonly intendedAt: Date;
  /** When the generation times out. With outputs on record, the time until which the vendor keeps these. */
  readonly deadline: Date;
}

/** Committed before the POST. A later run can't know whether the POST was sent. */
export interface IntendedSubmission extends SubmissionBase {
  readonly state: 'intended';
}

/** The provider accepts no work at the moment. */
export type RefusalCode = 'provider_busy' | 'provider_unavailable';

/** The provider may or may not have started the job. */
export interface UnknownSubmission extends SubmissionBase {
  readonly state: 'unknown';
  /** True if a webhook with the request key was received. */
  readonly hasReceivedWebhook: boolean;
  /** The provider's refusal; `null` when it sent no response. */
  readonly refusal: RefusalCode | null;
}

/** The provider has accepted the job. */
export interface SubmittedSubmission extends SubmissionBase {
  readonly state: 'submitted';
  readonly handle: VendorHandle;
  /** Number of status checks so far. */
  readonly checks: number;
  /** The first of the latest checks that were all inconclusive; `null` when the last check was conclusive. */
  readonly inconclusiveSince: Date | null;
}

/** The provider has ended the job; the generation is still open. */
export interface EndedSubmission extends SubmissionBase {
  readonly state: 'ended';
  readonly result: SubmissionResult;
}

/** The generation has ended; the job at the provider is still to be canceled. */
export interface CancelingSubmission extends SubmissionBase {
  readonly state: 'canceling';
  /** `null` when it is unknown whether the provider has started the job. */
  readonly handle: VendorHandle | null;
}

/** Generation and job have both ended. */
export interface ClosedSubmission extends SubmissionBase {
  readonly state: 'closed';
}

export type Submission =
  | IntendedSubmission
  | UnknownSubmission
  | SubmittedSubmission
  | EndedSubmission
  | CancelingSubmission
  | ClosedSubmission;
export type SubmissionState = Submission['state'];

export type SubmissionResult =
  | { readonly outputs: readonly VendorOutput[]; readonly cost: number | null }
  | { readonly failure: Failure };

export interface Labels {
  /** For masks only. */
  readonly label: string | null;
  /** For masks only: 0..1. */
  readonly score: number | null;
}

/** An output stored at the vendor. */
export interface VendorOutput extends Labels {
  /** An http, https or data URL. */
  readonly url: string;
}

export interface Failure extends GenerationError {
  /** True if a new submission may succeed. */
  readonly retryable: boolean;
}

/** Maximum submissions of one generation, when each failure is retryable. */
const MAX_SUBMISSIONS = 3;
/** A POST is not sent later than this, so that a search that starts later can't miss it. */
const SEND_WITHIN_SECONDS = 4;
/** Delay before the provider is asked for a submission in state `unknown`. A webhook may arrive in the meantime. */
const SEARCH_DELAY_SECONDS = { withWebhooks: 30, without: 5 } as const;
/** While the provider can't be asked, it is asked for so long after the deadline: the job may have ended in time. */
const SEARCH_AFTER_DEADLINE_SECONDS = 600;
const MAX_BACKOFF_SECONDS = 60;
const MAX_DOWNLOAD_WAIT_SECONDS = 4;
const FIRST_CHECK_SECONDS = 1;
const CHECK_FACTOR = 1.5;
const MAX_CHECK_SECONDS = { withWebhooks: 30, without: 15 } as const;
/** Bounds of the interval that a provider may request. */
const REQUESTED_CHECK_SECONDS = { min: 0.5, max: 60 } as const;
/** Inconclusive checks are final after this time, which is enough for three more checks. */
const INCONCLUSIVE_GRACE_SECONDS = 30;
const INCONCLUSIVE_CHECK_SECONDS = 10;
/** Time limit of one download: 700 MB, and the 2 GB of the weights of a style, at 10 Mbit/s. */
const DOWNLOAD_SECONDS = { style: 1_800, other: 600 } as const;
/** Cancellation is attempted for a day after the deadline. */
const CANCEL_WITHIN_SECONDS = 86_400;

/** Next step of a run for a generation. */
export type Step =
  /** Record a submission, in place of the failed one, and send one POST. */
  | { readonly do: 'submit'; readonly after: EndedSubmission | null }
  /** Record that the outcome of the POST is unknown. */
  | { readonly do: 'mark_unknown'; readonly submission: IntendedSubmission }
  /** Ask the provider whether it has the job. */
  | { readonly do: 'find'; readonly submission: UnknownSubmission }
  /** Nothing: status checks or the cancel job continue with it. */
  | { readonly do: 'nothing' }
  | { readonly do: 'fetch'; readonly submission: EndedSubmission; readonly outputs: readonly VendorOutput[] }
  | { readonly do: 'fail'; readonly failure: Failure };

/**
 * The next step of a run that starts with this submission. A run that starts with an intended submission never sends a
 * POST for it.
 */
export function nextStep(submission: Submission | null): Step {
  switch (submission?.state) {
    case undefined:
      return { do: 'submit', after: null };
    case 'intended':
      return { do: 'mark_unknown', submission };
    case 'unknown':
      return { do: 'find', submission };
    case 'submitted':
    case 'canceling':
    case 'closed':
      return { do: 'nothing' };
    case 'ended':
      return afterResult(submission);
  }
}

/** A new submission may follow only a submission that the provider has ended. */
function afterResult(submission: EndedSubmission): Step {
  const { result, number } = submission;
  if (!('failure' in result)) return { do: 'fetch', submission, outputs: result.outputs };
  const { failure } = result;
  return failure.retryable && number < MAX_SUBMISSIONS ? { do: 'submit', after: submission } : { do: 'fail', failure };
}

/** The first submission of a generation. */
export function intend(
  request: Pick<SubmissionBase, 'generationId' | 'provider' | 'requestKey' | 'pictures'>,
  timeLimitSeconds: number,
  at: Date,
): IntendedSubmission {
  return { ...request, state: 'intended', number: 1, intendedAt: at, deadline: after(at, timeLimitSeconds) };
}

/** A new submission after a failed one, with a new request key and the same deadline. */
export function intendRetry(
  { generationId, provider, number, pictures, deadline }: EndedSubmission,
  requestKey: string,
  at: Date,
): IntendedSubmission {
  const request = { generationId, provider, requestKey, number: number + 1, pictures, deadline };
  return { ...request, state: 'intended', intendedAt: at };
}

/** The same submission, when the provider has never received it. */
export function intendResend(unknown: UnknownSubmission, at: Date): IntendedSubmission {
  const { generationId, provider, requestKey, number, pictures, deadline } = unknown;
  return { state: 'intended', generationId, provider, requestKey, number, pictures, intendedAt: at, deadline };
}

/** Reports whether the POST may still be sent: not when the process was suspended in between. */
export function maySend({ intendedAt }: IntendedSubmission, now: Date): boolean {
  return now < after(intendedAt, SEND_WITHIN_SECONDS);
}

/** Seconds from `now` until the provider is asked whether it has the submission; 0 when it is due. */
export function searchDelaySeconds(
  { intendedAt }: Pick<SubmissionBase, 'intendedAt'>,
  hasWebhooks: boolean,
  now: Date,
): number {
  const delay = hasWebhooks ? SEARCH_DELAY_SECONDS.withWebhooks : SEARCH_DELAY_SECONDS.without;
  // The upper limit matters when the clock was set back.
  return Math.min(Math.max(0, secondsUntil(after(intendedAt, delay), now)), delay);
}

/**
 * A job that the provider has started before this time is not the submission. When the clock was set back, the search
 * reaches back by the time limit.
 */
export function searchStart({ intendedAt, deadline }: SubmissionBase, now: Date): Date {
  return intendedAt <= now ? intendedAt : after(now, -secondsUntil(deadline, intendedAt));
}

/** Reports whether a submission is no longer searched for at a provider that can't be asked. */
export function isSearchOver({ deadline, refusal }: UnknownSubmission, now: Date): boolean {
  // An explicit refusal is trusted.
  return now >= (refusal === null ? after(deadline, SEARCH_AFTER_DEADLINE_SECONDS) : deadline);
}

/** The next step after the provider was asked for a submission in state `unknown`. */
export function afterSearch(
  submission: UnknownSubmission,
  found: 'found' | 'absent' | 'unknown',
  now: Date,
): 'record' | 'submit' | 'time_out' | 'fail' {
  // Even after the deadline: the next check shows whether the job ended in time.
  if (found === 'found') return 'record';
  // A webhook proves that the job exists.
  if (submission.hasReceivedWebhook) return 'fail';
  // An explicit refusal is trusted when the provider can't be searched.
  if (found === 'unknown' && submission.refusal === null) return 'fail';
  return isTimedOut(submission, now) ? 'time_out' : 'submit';
}

/**
 * The delay before the next attempt at a provider that accepts no work.
 *
 * @param attempt 1 for the first attempt
 * @param requested the delay that the provider asks for
 * @returns seconds; `null` when the deadline has passed
 */
export function retrySubmitSeconds(
  attempt: number,
  requested: number | null,
  deadline: Date,
  now: Date,
): number | null {
  const left = secondsUntil(deadline, now);
  if (left <= 0) return null;
  return Math.min(requested ?? backoffSeconds(attempt), left);
}

/** 1 s, 2 s, 4 s, … up to a minute. */
export function backoffSeconds(attempt: number): number {
  return Math.min(2 ** (attempt - 1), MAX_BACKOFF_SECONDS);
}

/** The delay before a run tries again to fetch outputs, when the vendor's limit of downloads is reached. */
export function downloadWaitSeconds(attempt: number): number {
  return Math.min(backoffSeconds(attempt), MAX_DOWNLOAD_WAIT_SECONDS);
}

/**
 * The delay before the next status check.
 *
 * @param checks number of checks so far
 * @param requested the delay that the provider asks for
 */
export function nextCheckSeconds(checks: number, hasWebhooks: boolean, requested: number | null = null): number {
  const { min, max } = REQUESTED_CHECK_SECONDS;
  if (requested !== null) return Math.min(Math.max(requested, min), max);
  const longest = hasWebhooks ? MAX_CHECK_SECONDS.withWebhooks : MAX_CHECK_SECONDS.without;
  return Math.min(FIRST_CHECK_SECONDS * CHECK_FACTOR ** checks, longest);
}

/** The time of the next status check. The last one is at the deadline. */
export function nextCheckAt({ deadline }: SubmissionBase, seconds: number, now: Date): Date {
  const next = after(now, seconds);
  return next < deadline || now >= deadline ? next : deadline;
}

/**
 * The delay before outputs are fetched again after a failure that may pass. The time limit measures the vendor's work: it
 * ends when the outputs are on record. From then on they are fetched as long as the vendor keeps them, and at least once.
 *
 * @param attempt 1 for the first attempt
 * @returns seconds; `null` when the vendor keeps the outputs no longer
 */
export function fetchAgainSeconds(attempt: number, { deadline }: EndedSubmission, now: Date): number | null {
  return now < deadline ? backoffSeconds(attempt) : null;
}

/** The time limit of one download. */
export function downloadSeconds(kind: ModelKind): number {
  return kind === 'style' ? DOWNLOAD_SECONDS.style : DOWNLOAD_SECONDS.other;
}

/** When to check again after an inconclusive check, and whether it is final. */
export function recheckInconclusive({ inconclusiveSince }: SubmittedSubmission, now: Date) {
  const since = inconclusiveSince ?? now;
  const isFinal = now >= after(since, INCONCLUSIVE_GRACE_SECONDS);
  return { since, isFinal, checkAfterSeconds: INCONCLUSIVE_CHECK_SECONDS };
}

export function isTimedOut({ deadline }: SubmissionBase, now: Date): boolean {
  return now >= deadline;
}

export function isCancelExpired({ deadline }: CancelingSubmission, now: Date): boolean {
  return now >= after(deadline, CANCEL_WITHIN_SECONDS);
}

export function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}

function secondsUntil(time: Date, now: Date): number {
  return (time.getTime() - now.getTime()) / 1000;
}
