import type { Running } from '../domain/generation.ts';
import type {
  Canceling,
  Intended,
  Over,
  Pending,
  RefusalCode,
  Submission,
  SubmissionResult,
  UnknownOutcome,
  VendorHandle,
} from '../domain/submission.ts';

/** The submissions of generations. Outside a unit of work, each method is committed at once. */
export interface SubmissionStore {
  of(generationId: number): Promise<Submission | null>;

  /**
   * Records what the current run is about to submit, in place of `replaced`.
   *
   * @returns false, without effect, when the run is not current, or the generation's submission is another one
   */
  intend(running: Running, intended: Intended, replaced: Over | UnknownOutcome | null): Promise<boolean>;

  /** Removes a submission that its provider has not started; without effect when a later run has it. */
  remove(running: Running, intended: Intended): Promise<void>;

  /**
   * Records that the outcome is unknown; without effect when a later run has it, or the outcome is known.
   *
   * @param refusal why the provider says that it has not started it
   */
  lose(running: Running, intended: Intended, refusal: RefusalCode | null): Promise<void>;

  /**
   * Records the handle, whichever run has got it: it belongs to the request key.
   *
   * @returns `canceling` when the generation has ended meanwhile; without effect, `taken` when another submission has
   * this handle, `null` when the submission is closed, or has a handle already
   */
  submit(
    asked: Submission,
    handle: VendorHandle,
    at: Date,
    nextCheckAt: Date,
  ): Promise<'submitted' | 'canceling' | 'taken' | null>;

  /** Takes those of a provider that are due for a check, oldest first, at most twice `limit`. */
  lease(provider: string, times: LeaseTimes, limit: number): Promise<readonly Pending[]>;

  /** Like `lease`, those to be given up whose provider is none of these. */
  leaseAbandoned(providers: readonly string[], times: LeaseTimes, limit: number): Promise<readonly Pending[]>;

  /**
   * Records what checks have found, of those that nobody has leased since, and progress with the generations.
   *
   * @returns those that are over now
   */
  record(checks: readonly CheckRecord[]): Promise<readonly EndedSubmission[]>;

  /**
   * Makes the submission with this request key due for a check.
   *
   * @returns false when there is none, or it needs none
   */
  checkNow(requestKey: string, now: Date): Promise<boolean>;

  /** Ends a submission whose provider was told, or can't be. */
  close(canceling: Canceling): Promise<void>;
}

export interface LeaseTimes {
  readonly now: Date;
  /** Nobody else gets them before this. */
  readonly until: Date;
  /** What is to be checked later than this was put off by a clock that was set back since: it is due too. */
  readonly latest: Date;
}

/** What a check has found. */
export interface CheckRecord {
  /** As it was leased. */
  readonly pending: Pending;
  /** 0..1; `null` when the provider does not say. */
  readonly progress: number | null;
  readonly nextCheckAt: Date;
  readonly giveUpAt: Date;
  readonly doubtfulSince: Date | null;
  /** `null` while it is pending. */
  readonly result: SubmissionResult | null;
}

export interface EndedSubmission {
  readonly generationId: number;
  readonly workspaceId: number;
  /** The latest run of the generation. */
  readonly attempt: number;
  /** The trace that it belongs to; `null` for none. */
  readonly traceparent: string | null;
}
