import type { ThumbnailFile } from '#sources';
import type { Output } from '../domain/generation.ts';
import type { InputSet } from '../domain/input-set.ts';
import type { Model } from '../domain/model.ts';
import type { ParameterValues } from '../domain/parameters.ts';
import type { Labels, RefusalCode, SentPicture, VendorHandle, VendorOutput } from '../domain/submission.ts';

export type { Labels, VendorOutput } from '../domain/submission.ts';

/** Makes pictures and videos in the worker itself. */
export interface GenerationProvider {
  /** Name as `GET /v2/models` shows it. */
  readonly id: string;
  /** Those that it can run on this machine now, by their targets. */
  readonly models: readonly Model[];

  /**
   * Runs a task to its end, in bounded time. The same task gives the same outputs where the model has a seed. The task
   * can be run again after an interrupted run.
   *
   * @param watch.progress called now and then with 0..1
   * @param watch.signal when aborted, the provider stops soon, frees everything and throws the signal's reason
   * @throws ProviderFailure
   */
  run(task: GenerationTask, watch: RunWatch): Promise<readonly ProviderOutput[]>;
}

export interface GenerationTask {
  /** The same for all attempts. */
  readonly generationId: number;
  /** The target of the model. */
  readonly model: string;
  readonly prompt: string | null;
  /** Every declared parameter that was given or has a default. */
  readonly parameters: ParameterValues;
  /** The input image; for a video model the frame it starts with. */
  readonly image: InputPicture | null;
  readonly style: InputPicture | null;
  /** An empty folder for this run alone; the caller deletes it. */
  readonly folder: string;
}

/** An input picture as a local file, already validated, and without metadata but orientation and colour profile. */
export interface InputPicture {
  readonly file: string;
  readonly contentType: string;
}

export interface RunWatch {
  /** Reports progress, 0..1; cheap, however often it is called. */
  progress(fraction: number): void;
  /** Aborted when the run must stop. */
  readonly signal: AbortSignal;
}

/** A finished output as a file in the task's folder. */
export interface ProviderOutput {
  readonly file: string;
  readonly contentType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Seconds; `null` for a picture. */
  readonly duration: number | null;
}

/** An output that was checked, with its thumbnails, as files in the task's folder. */
export interface CheckedOutput extends Omit<Output, 'fileId' | 'thumbnails'> {
  readonly file: string;
  readonly thumbnails: readonly ThumbnailFile[];
}

/**
 * A vendor with jobs of its own. A method that fails without saying more throws ProviderFailure `provider_unavailable`
 * (retryable) where the vendor can't be reached, `provider_misconfigured` where it refuses the key.
 */
export interface RemoteProvider {
  /** Its id in the catalogue. */
  readonly id: string;
  /** Whether it calls a webhook for each submission. */
  readonly hasWebhooks: boolean;

  /**
   * Asks the vendor to run a task: exactly one POST that starts or bills anything.
   *
   * @returns the vendor's handle as it gave it; or the outputs, from a vendor that answers with them
   * @throws NotAccepted when nothing was started, and it may be tried later; ProviderFailure when the vendor refuses
   * this task, and nothing was started; OutcomeUnknown when the vendor may have started it
   */
  submit(task: RemoteTask, options: SubmitOptions): Promise<Submitted>;

  /**
   * Looks for a submission whose outcome is unknown. The task is the one that was submitted. Only what can be no other
   * submission is found: a job with its request key; else one that is not older than `since`, with all of its fields and
   * pictures and a seed that identifies it.
   *
   * @param since by our clock, which may differ from the vendor's
   */
  find(task: SubmittedTask, since: Date, signal: AbortSignal): Promise<Found>;

  /** Asks how far it is. Changes nothing at the vendor. */
  check(handle: VendorHandle, signal: AbortSignal): Promise<VendorState>;

  /**
   * Fetches an output into the file `target`.
   *
   * @throws ProviderFailure `unusable_output` when it is gone or too large; `provider_unavailable` (retryable)
   */
  fetchOutput(output: VendorOutput, target: string, signal: AbortSignal): Promise<void>;

  /** Asks the vendor to stop. */
  cancel(handle: VendorHandle, signal: AbortSignal): Promise<'canceled' | 'too_late' | 'unsupported'>;

  /** Whether the vendor has sent this webhook. What it says is not believed: it only brings the next check forward. */
  isAuthentic(body: Buffer, headers: Readonly<Record<string, string>>): Promise<boolean>;

  /** Whether it can be reached, accepts the key, and has the target; without a bill. */
  health(model: Model | null, signal: AbortSignal): Promise<ProviderHealth>;
}

export interface RemoteTask {
  /** A lower-case UUID: the same for each attempt at this submission. */
  readonly requestKey: string;
  readonly model: Model;
  readonly prompt: string | null;
  /** Every declared parameter that was given or has a default; `seed` always, where it is declared. */
  readonly parameters: ParameterValues;
  readonly inputs: RemoteInputs;
  /** An empty folder for this run alone; the caller deletes it. */
  readonly folder: string;
}

/** What a task is recognised by. */
export interface SubmittedTask extends Omit<RemoteTask, 'inputs' | 'folder'> {
  /** `null` when they are not known. */
  readonly pictures: InputSet<SentPicture> | null;
  /** Whether no other submission has its seed. */
  readonly isIdentifiedBySeed: boolean;
}

/** An input picture that the vendor gets by URL, as bytes, or by its own upload. */
export interface RemoteInput extends InputPicture {
  /** A public URL of the service; `null` when the vendor can't reach it. */
  readonly url: string | null;
}

export type RemoteInputs = InputSet<RemoteInput>;

export interface SubmitOptions {
  /** Where the vendor shall call; contains the request key. `null` when the service is not public. */
  readonly webhookUrl: string | null;
  /** Whose it is; absent when it is the operator's. */
  readonly workspaceId?: number;
  readonly signal: AbortSignal;
}

export type Submitted =
  { readonly handle: VendorHandle } | { readonly outputs: readonly FetchedOutput[]; readonly cost: number | null };

export type Found = { readonly handle: VendorHandle } | 'absent' | 'cannot_tell';

export type VendorState =
  | {
      readonly state: 'pending';
      /** 0..1; `null` when the vendor does not say. */
      readonly progress: number | null;
      /** When the vendor wants to be asked again; `null` when it does not say. */
      readonly checkAfterSeconds: number | null;
    }
  | {
      readonly state: 'ended';
      readonly outputs: readonly VendorOutput[];
      /** In the vendor's currency; `null` when it does not say. */
      readonly cost: number | null;
    }
  /** `retryable`: the vendor has ended it, and the same task may succeed as a new submission. */
  | { readonly state: 'failed'; readonly failure: ProviderFailure }
  | { readonly state: 'canceled' }
  /**
   * The vendor does not know it, or can't show what it has made. That may pass: it is asked again for a while, and only
   * then this is its end. `failure` is `retryable` where nothing can run at a vendor that does not know it.
   */
  | { readonly state: 'doubtful'; readonly failure: ProviderFailure };

/** An output that came with the answer: a file in the task's folder. */
export interface FetchedOutput extends Labels {
  readonly file: string;
}

export interface ProviderHealth {
  readonly isReachable: boolean;
  /** `null` when it could not be asked. */
  readonly isKeyAccepted: boolean | null;
  readonly hasTarget: boolean | null;
  /** What the operator has to do; `null` when all is well. */
  readonly remedy: string | null;
}

/** How a provider of the catalogue is reached. */
export interface ProviderSettings {
  readonly id: string;
  /** `replicate`, `fal`, `openai`, `comfyui`, … */
  readonly type: string;
  /** `null` for the vendor's own. */
  readonly baseUrl: string | null;
  /** The secret itself. */
  readonly key: string | null;
  /** Submissions sent to the vendor at a time, by one worker. */
  readonly maxConcurrent: number;
  /** From all workers together; `null` for no limit of ours. */
  readonly submissionsPerMinute: number | null;
}

export type FailureCode =
  | 'content_rejected'
  | 'invalid_input'
  | 'unusable_output'
  | 'provider_unavailable'
  | 'provider_busy'
  | 'provider_misconfigured'
  | 'provider_outcome_unknown'
  | 'timed_out';

/**
 * Why a provider failed. The message is shown to the caller: one sentence, no address, path or secret. What the
 * operator needs is in `cause`.
 */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly code: FailureCode;
  /** Whether the same task may succeed when it is tried again. */
  readonly retryable: boolean;

  constructor(code: FailureCode, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** The vendor has not started the task, and may later: it is busy, down, or our own limits are reached. */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted';
  /** Whether the vendor has got the POST. It may have started the task in spite of its answer, so it is asked first. */
  readonly wasSent: boolean;

  constructor(
    /** What the caller is told when it never does. */
    readonly code: RefusalCode,
    /** As the vendor asks; `null` when it does not say. */
    readonly retryAfterSeconds: number | null,
    { cause, wasSent = false }: { cause?: unknown; wasSent?: boolean } = {},
  ) {
    super('the provider takes no work now', { cause });
    this.wasSent = wasSent;
  }
}

/** The vendor may have started the task: the connection ended without an answer. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';

  constructor(options: { cause?: unknown } = {}) {
    super('the provider has not answered', options);
  }
}
