import type { GenerationError } from './generation.ts';
import type { InputSet } from './input-set.ts';
import type { JsonObject } from './json.ts';

/** What a provider gave to ask for a submission again. */
export interface VendorHandle extends JsonObject {
  /** The provider's own id of it. It belongs to one submission. */
  readonly id: string;
}

/** An input picture as a provider gets it: by a public URL of the service, else its bytes. */
export type SentPicture = { readonly url: string } | { readonly sha256: string };

/** What a remote provider is asked to do for a generation: one at a time, each with at most one POST. */
interface Asked {
  readonly generationId: number;
  /** The id of the provider. */
  readonly provider: string;
  /** A random UUID, which the provider gets where it takes one. */
  readonly requestKey: string;
  /** 1 for the first submission of the generation. */
  readonly number: number;
  /** `null` where they were not recorded: of a submission of an earlier version. */
  readonly pictures: InputSet<SentPicture> | null;
  /** When the POST was about to be sent. */
  readonly intendedAt: Date;
  /** When the generation is given up. */
  readonly giveUpAt: Date;
}

/** Committed before the POST: whoever finds it can't know whether that was sent. */
export interface Intended extends Asked {
  readonly state: 'intended';
}

/** A provider takes no work now. */
export type RefusalCode = 'provider_busy' | 'provider_unavailable';

/** The provider may have started it, or not. */
export interface UnknownOutcome extends Asked {
  readonly state: 'unknown';
  /** Whether a webhook with its request key has come. */
  readonly wasHeardOf: boolean;
  /** Why the provider says that it has not started it; `null` where it has not answered. */
  readonly refusal: RefusalCode | null;
}

export interface Pending extends Asked {
  readonly state: 'submitted';
  readonly handle: VendorHandle;
  /** How often the provider was asked for it. */
  readonly checks: number;
  /** Since when it did not know it, or could not show what it has made, each time that it was asked. */
  readonly doubtfulSince: Date | null;
}

/** The provider has ended it, and the generation has not. */
export interface Over extends Asked {
  readonly state: 'ended';
  readonly result: SubmissionResult;
}

/** The generation has ended, and the provider has to be told. */
export interface Canceling extends Asked {
  readonly state: 'canceling';
  /** `null` when the provider may not have started it. */
  readonly handle: VendorHandle | null;
}

export interface Closed extends Asked {
  readonly state: 'closed';
}

export type Submission = Intended | UnknownOutcome | Pending | Over | Canceling | Closed;
export type SubmissionState = Submission['state'];

export type SubmissionResult =
  { readonly outputs: readonly VendorOutput[]; readonly cost: number | null } | { readonly failure: Failure };

export interface Labels {
  /** Of a mask. */
  readonly label: string | null;
  /** Of a mask: 0..1. */
  readonly score: number | null;
}

/** An output at the vendor. */
export interface VendorOutput extends Labels {
  /** Where it is: an http, https or data URL. */
  readonly url: string;
}

export interface Failure extends GenerationError {
  /** Whether a new submission may succeed. */
  readonly retryable: boolean;
}

/** How often a generation is submitted, where its provider says that it may try again. */
const MAX_SUBMISSIONS = 3;
const FIRST_CHECK_SECONDS = 1;
const CHECK_FACTOR = 1.5;
const LONGEST_CHECK_SECONDS = { withWebhooks: 30, without: 15 } as const;
const LONGEST_WISH_SECONDS = 60;
const SHORTEST_WISH_SECONDS = 0.5;
const DOUBT_SECONDS = 30;
/** In that time it is asked three more times. */
const DOUBT_PAUSE_SECONDS = 10;
const OUTCOME_WAIT_SECONDS = { withWebhooks: 30, without: 5 } as const;
const LONGEST_PAUSE_SECONDS = 60;
const LONGEST_PLACE_WAIT_SECONDS = 4;
/** How long outputs may be fetched that were made at the end of the time. */
const FETCH_LATE_SECONDS = 60;
/** How long after the end of its time a provider is told to stop. */
const TELL_WITHIN_SECONDS = 86_400;
/** How late a POST may be sent: `find` must be asked later, so that it can't miss one that is still to come. */
const SEND_WITHIN_SECONDS = 4;

/** What a run does for a generation. */
export type Step =
  /** Intend a submission, in place of the one that failed, and send one POST. */
  | { readonly do: 'submit'; readonly after: Over | null }
  /** Record that the outcome is unknown. */
  | { readonly do: 'lose'; readonly submission: Intended }
  /** Ask the provider whether it has it. */
  | { readonly do: 'find'; readonly submission: UnknownOutcome }
  /** Nothing: the checks, or the job that cancels it, go on with it. */
  | { readonly do: 'leave' }
  | { readonly do: 'fetch'; readonly submission: Over; readonly outputs: readonly VendorOutput[] }
  | { readonly do: 'fail'; readonly failure: Failure };

/** What a run does that finds this submission, `null` for none. One that finds `intended` never sends a POST. */
export function nextStep(submission: Submission | null): Step {
  switch (submission?.state) {
    case undefined:
      return { do: 'submit', after: null };
    case 'intended':
      return { do: 'lose', submission };
    case 'unknown':
      return { do: 'find', submission };
    case 'submitted':
    case 'canceling':
    case 'closed':
      return { do: 'leave' };
    case 'ended':
      return afterResult(submission);
  }
}

/** Only a submission that the provider has ended may be followed by another one. */
function afterResult(submission: Over): Step {
  const { result, number } = submission;
  if (!('failure' in result)) return { do: 'fetch', submission, outputs: result.outputs };
  const { failure } = result;
  return failure.retryable && number < MAX_SUBMISSIONS ? { do: 'submit', after: submission } : { do: 'fail', failure };
}

export function intend(
  asked: Pick<Asked, 'generationId' | 'provider' | 'requestKey' | 'pictures'>,
  timeLimitSeconds: number,
  at: Date,
): Intended {
  return { ...asked, state: 'intended', number: 1, intendedAt: at, giveUpAt: after(at, timeLimitSeconds) };
}

/** A new submission with a key of its own, within the time of the first one. */
export function intendAnother(
  { generationId, provider, number, pictures, giveUpAt }: Over,
  requestKey: string,
  at: Date,
): Intended {
  const asked = { generationId, provider, requestKey, number: number + 1, pictures, giveUpAt };
  return { ...asked, state: 'intended', intendedAt: at };
}

/** The same submission again, which the provider has never got. */
export function intendAgain(lost: UnknownOutcome, at: Date): Intended {
  const { generationId, provider, requestKey, number, pictures, giveUpAt } = lost;
  return { state: 'intended', generationId, provider, requestKey, number, pictures, intendedAt: at, giveUpAt };
}

/** Whether the POST may still be sent: not by a process that was stopped for a while. */
export function maySend({ intendedAt }: Intended, now: Date): boolean {
  return now < after(intendedAt, SEND_WITHIN_SECONDS);
}

/** @returns seconds from `now` until the provider is asked whether it has the submission; 0 when it is time */
export function outcomeWaitSeconds(lost: Pick<Asked, 'intendedAt'>, hasWebhooks: boolean, now: Date): number {
  const wait = hasWebhooks ? OUTCOME_WAIT_SECONDS.withWebhooks : OUTCOME_WAIT_SECONDS.without;
  // Not longer, where the clock was set back since.
  return Math.min(Math.max(0, secondsUntil(after(lost.intendedAt, wait), now)), wait);
}

/**
 * What a provider has started before this is not the submission. Where our clock was set back since, its time limit
 * before now.
 */
export function searchedSince({ intendedAt, giveUpAt }: Asked, now: Date): Date {
  return intendedAt <= now ? intendedAt : after(now, -secondsUntil(giveUpAt, intendedAt));
}

/** What follows from what a provider says of a submission whose outcome is unknown. */
export function afterUnknown(
  lost: UnknownOutcome,
  found: 'there' | 'absent' | 'cannot_tell',
  now: Date,
): 'there' | 'submit' | 'time_out' | 'fail' {
  // It may have ended in time: the next check tells.
  if (found === 'there') return 'there';
  // One that has sent a webhook for it has it, whatever its listing shows.
  if (lost.wasHeardOf) return 'fail';
  // Where it can't tell whether it has it, its word that it has not is believed.
  if (found === 'cannot_tell' && lost.refusal === null) return 'fail';
  return isTimedOut(lost, now) ? 'time_out' : 'submit';
}

/**
 * When a provider that takes no work now is asked again.
 *
 * @param tries how often it was asked, this time included
 * @param deadline when the generation is given up
 * @returns seconds; `null` when there is no time left
 */
export function retrySubmitSeconds(tries: number, wanted: number | null, deadline: Date, now: Date): number | null {
  const left = secondsUntil(deadline, now);
  if (left <= 0) return null;
  return Math.min(wanted ?? backoffSeconds(tries), left);
}

/** 1 s, 2 s, 4 s, … up to a minute. */
export function backoffSeconds(tries: number): number {
  return Math.min(2 ** (tries - 1), LONGEST_PAUSE_SECONDS);
}

/** When a run looks again for a free place at its provider. */
export function placeWaitSeconds(tries: number): number {
  return Math.min(backoffSeconds(tries), LONGEST_PLACE_WAIT_SECONDS);
}

/**
 * @param checks how often the provider was asked
 * @param wanted when it wants to be asked again, in seconds
 */
export function nextCheckSeconds(checks: number, hasWebhooks: boolean, wanted: number | null = null): number {
  if (wanted !== null) return Math.min(Math.max(wanted, SHORTEST_WISH_SECONDS), LONGEST_WISH_SECONDS);
  const longest = hasWebhooks ? LONGEST_CHECK_SECONDS.withWebhooks : LONGEST_CHECK_SECONDS.without;
  return Math.min(FIRST_CHECK_SECONDS * CHECK_FACTOR ** checks, longest);
}

/** When to ask again, but not after the generation is given up: it is asked one last time then. */
export function nextCheckAt({ giveUpAt }: Asked, seconds: number, now: Date): Date {
  const next = after(now, seconds);
  return next < giveUpAt || now >= giveUpAt ? next : giveUpAt;
}

/** When a submission that has ended with outputs is given up: they get a minute to be fetched, however late they are. */
export function fetchUntil({ giveUpAt }: Asked, endedAt: Date): Date {
  const late = after(endedAt, FETCH_LATE_SECONDS);
  return late > giveUpAt ? late : giveUpAt;
}

/** Seconds that are left for fetching its outputs; 0 when there are none. */
export function fetchSeconds({ giveUpAt }: Over, now: Date): number {
  return Math.max(0, secondsUntil(giveUpAt, now));
}

/**
 * What follows from a doubtful answer, which may pass.
 *
 * @returns since when answers are doubtful, whether for so long that they are believed, and else when to ask again
 */
export function doubt({ doubtfulSince }: Pending, now: Date) {
  const since = doubtfulSince ?? now;
  return { since, isBelieved: now >= after(since, DOUBT_SECONDS), checkAfterSeconds: DOUBT_PAUSE_SECONDS };
}

export function isTimedOut({ giveUpAt }: Asked, now: Date): boolean {
  return now >= giveUpAt;
}

/** Whether it is no use any more to tell the provider to stop. */
export function isForgotten({ giveUpAt }: Canceling, now: Date): boolean {
  return now >= after(giveUpAt, TELL_WITHIN_SECONDS);
}

export function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}

function secondsUntil(time: Date, now: Date): number {
  return (time.getTime() - now.getTime()) / 1000;
}
