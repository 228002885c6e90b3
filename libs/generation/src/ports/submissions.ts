import type { Unfetched } from '../download-limits.ts';
import type { ClockStep } from '../domain/clock-steps.ts';
import type { Running } from '../domain/generation.ts';
import type {
  CancelingSubmission,
  EndedSubmission,
  IntendedSubmission,
  RefusalCode,
  Submission,
  SubmissionResult,
  SubmittedSubmission,
  UnknownSubmission,
  VendorHandle,
} from '../domain/submission.ts';

/** The submission of each generation. Outside a unit of work, each method is committed at once. */
export interface SubmissionStore {
  get(generationId: number): Promise<Submission | null>;

  /**
   * Records the submission that the current run is about to send, in place of `replaced`.
   *
   * @returns false, without effect, when the run is not current, or `replaced` is not the generation's submission
   */
  intend(
    running: Running,
    intended: IntendedSubmission,
    replaced: EndedSubmission | UnknownSubmission | null,
  ): Promise<boolean>;

  /** Removes a submission that the provider has not started. Without effect when a later run owns it. */
  remove(running: Running, intended: IntendedSubmission): Promise<void>;

  /**
   * Records that the outcome of the POST is unknown. Without effect when a later run owns the submission, or the outcome
   * is known.
   *
   * @param refusal the provider's refusal, if it sent one
   */
  markUnknown(running: Running, intended: IntendedSubmission, refusal: RefusalCode | null): Promise<void>;

  /**
   * Records the handle of a submission, for any run: the handle belongs to the request key.
   *
   * @returns `canceling` when the generation has ended in the meantime; without effect, `taken` when another submission
   * has this handle, `null` when the submission is closed or already has a handle
   */
  submit(
    submission: Submission,
    handle: VendorHandle,
    at: Date,
    nextCheckAt: Date,
  ): Promise<'submitted' | 'canceling' | 'taken' | null>;

  /** Leases submissions of a provider that are due for a status check, oldest first, at most twice `limit`. */
  lease(provider: string, times: LeaseTimes, limit: number): Promise<readonly SubmittedSubmission[]>;

  /** Leases submissions past their deadline whose provider is not in `providers`. */
  leaseAbandoned(
    providers: readonly string[],
    times: LeaseTimes,
    limit: number,
  ): Promise<readonly SubmittedSubmission[]>;

  /**
   * Records the results of status checks whose lease is still valid, and the progress of their generations.
   *
   * @returns the generations whose submission has ended by this
   */
  record(checks: readonly CheckRecord[]): Promise<readonly GenerationToFinish[]>;

  /**
   * Makes the submission with this request key due for a status check.
   *
   * @returns false when there is none, or it needs no check
   */
  checkNow(requestKey: string, now: Date): Promise<boolean>;

  /** The generations whose outputs are to be fetched now, or are being fetched. */
  unfetched(workspaceId: number, now: Date): Promise<Unfetched>;

  /** Closes a submission whose job was canceled, or can't be canceled. */
  close(canceling: CancelingSubmission): Promise<void>;
}

export interface LeaseTimes {
  readonly now: Date;
  /** When the lease expires. */
  readonly until: Date;
  /** A check scheduled later than this was scheduled by a wrong clock, and is due. */
  readonly latest: Date;
  /** Deadlines of submissions whose check was scheduled before it move along, once. */
  readonly step: ClockStep;
}

/** The result of a status check. */
export interface CheckRecord {
  /** As it was leased. */
  readonly submission: SubmittedSubmission;
  /** 0..1; `null` when the provider reports none. */
  readonly progress: number | null;
  readonly nextCheckAt: Date;
  readonly deadline: Date;
  readonly inconclusiveSince: Date | null;
  /** `null` while the job is pending. */
  readonly result: SubmissionResult | null;
}

/** A generation whose submission has ended. */
export interface GenerationToFinish {
  readonly generationId: number;
  readonly workspaceId: number;
  /** The batch that it is a cell of. */
  readonly batchId: number | null;
  /** The latest run of the generation. */
  readonly attempt: number;
  /** The trace of the submission; `null` when there is none. */
  readonly traceparent: string | null;
}
