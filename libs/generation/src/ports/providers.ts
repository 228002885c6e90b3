import type { JsonValue, Model, ModelKind, ParameterValues } from '#catalogue';
import type { Marking } from '#files';
import type { FilePreview } from '#sources';
import type { InputSet } from '../domain/input-set.ts';
import type { Labels, RefusalCode, SentPicture, VendorHandle, VendorOutput } from '../domain/submission.ts';

export type { Labels, VendorOutput } from '../domain/submission.ts';

/** Creates pictures and videos in the worker itself. */
export interface GenerationProvider {
  /** The `provider` of its models in the catalogue. */
  readonly id: string;
  /** The models that this machine can run, by target. */
  readonly models: readonly Model[];

  /**
   * Runs a task to its end, in bounded time. For a model with a seed, the same task gives the same outputs. An
   * interrupted task can be run again.
   *
   * @param watch.signal when aborted, the provider stops soon, frees its resources and throws the signal's reason
   * @throws ProviderFailure
   */
  run(task: GenerationTask, watch: RunWatch): Promise<readonly ProviderOutput[]>;
}

export interface GenerationTask {
  /** The same for all runs of the generation. */
  readonly generationId: number;
  /** The target of the model. */
  readonly model: string;
  readonly prompt: string | null;
  /** All declared parameters that were given or have a default. */
  readonly parameters: ParameterValues;
  /** The input image; for a video model its start frame. */
  readonly image: InputPicture | null;
  readonly style: InputPicture | null;
  /** In the size of the image, white where it changes. */
  readonly mask: InputPicture | null;
  /** The pictures that a style is trained on. */
  readonly pictures: readonly InputPicture[];
  /** The trained style to use: a file that a model of the same provider made. */
  readonly trainedStyle: InputPicture | null;
  /** An empty folder of this run. The caller deletes it. */
  readonly folder: string;
}

/** An input picture as a validated local file, without metadata except orientation and colour profile. */
export interface InputPicture {
  readonly file: string;
  readonly contentType: string;
}

export interface RunWatch {
  /** Reports progress, 0..1. Cheap to call often. */
  progress(fraction: number): void;
  /** Aborted when the run must stop. */
  readonly signal: AbortSignal;
}

/** An output as a file in the task's folder. */
export interface ProviderOutput {
  readonly file: string;
  readonly contentType: string;
  /** Pixels; `null` for a style. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds; `null` for a picture or a style. */
  readonly duration: number | null;
  /** Thing that a mask covers. */
  readonly label?: string;
  /** Confidence in a mask: 0..1. */
  readonly score?: number;
}

/** A checked output, with its mark, and its thumbnails, as files in the task's folder. */
export interface CheckedOutput extends Labels {
  readonly file: string;
  readonly contentType: string;
  /** `null` for an output without a picture, and for a video that the service can't read. */
  readonly preview: FilePreview | null;
  /** `null` where outputs are not marked. */
  readonly marking: Marking | null;
}

/**
 * A vendor that runs jobs remotely. Each method throws ProviderFailure `provider_unavailable` (retryable) when the vendor
 * can't be reached, and `provider_misconfigured` when the vendor refuses the key, unless its comment says otherwise.
 */
export interface RemoteProvider {
  /** Its id in the catalogue. */
  readonly id: string;
  /** True if the vendor calls a webhook for each submission. */
  readonly hasWebhooks: boolean;
  /** How long it keeps the outputs of a job after its end. They are fetched again and again for so long. */
  readonly keepsOutputsSeconds: number;

  /**
   * Submits a task by exactly one POST that starts or bills anything.
   *
   * @returns the vendor's handle, or the outputs from a synchronous vendor
   * @throws NotAccepted when the vendor accepts no work now; ProviderFailure when the vendor refuses this task, so that
   * nothing was started; OutcomeUnknown when the vendor may have started it
   */
  submit(task: RemoteTask, options: SubmitOptions): Promise<SubmitResult>;

  /**
   * Searches for the job of a submission whose outcome is unknown. A match must be certain: the job has the request key,
   * or was started after `since` with the same fields, the same pictures and an identifying seed.
   *
   * @param since by our clock, which may differ from the vendor's
   */
  find(task: SubmittedTask, since: Date, signal: AbortSignal): Promise<Found>;

  /** Reads the state of a job. Changes nothing at the vendor. */
  check(handle: VendorHandle, signal: AbortSignal): Promise<VendorState>;

  /**
   * Downloads an output into the file `target`.
   *
   * @param kind of the model that made it
   * @throws ProviderFailure `unusable_output` when it is gone or too large; `provider_unavailable` (retryable)
   */
  fetchOutput(output: VendorOutput, target: string, kind: ModelKind, signal: AbortSignal): Promise<void>;

  /** Requests the cancellation of a job. */
  cancel(handle: VendorHandle, signal: AbortSignal): Promise<'canceled' | 'too_late' | 'unsupported'>;

  /** Verifies the vendor's signature of a webhook. */
  isAuthentic(body: Buffer, headers: Readonly<Record<string, string>>): Promise<boolean>;

  /** Checks that the vendor can be reached, accepts the key, and has the model's target. Costs nothing. */
  health(model: Model | null, signal: AbortSignal): Promise<ProviderHealth>;
}

/** The remote providers of the catalogue by their ids. Operators may change them at any time. */
export type RemoteProviders = ReadonlyMap<string, RemoteProvider>;

export interface RemoteTask {
  /** A lower-case UUID, the same for each attempt at this submission. */
  readonly requestKey: string;
  readonly model: Model;
  readonly prompt: string | null;
  /** All declared parameters that were given or have a default; a declared `seed` always. */
  readonly parameters: ParameterValues;
  readonly inputs: RemoteInputs;
  readonly trainedStyle: RemoteStyle | null;
  /** An empty folder of this run. The caller deletes it. */
  readonly folder: string;
}

/** The properties by which a search recognises the job of a task. */
export interface SubmittedTask extends Omit<RemoteTask, 'inputs' | 'trainedStyle' | 'folder'> {
  /** The word of the trained style that is made or used; `null` without one. */
  readonly trigger: string | null;
  /** `null` when unknown. */
  readonly pictures: InputSet<SentPicture> | null;
  /** True if no other submission has the same seed. */
  readonly isIdentifiedBySeed: boolean;
}

/** An input picture for a vendor, which receives it by URL, as bytes, or by the vendor's upload. */
export interface RemoteInput extends InputPicture {
  /** A public URL of the service; `null` when the vendor could not reach it. */
  readonly url: string | null;
}

export type RemoteInputs = InputSet<RemoteInput>;

/** A trained style for a vendor. */
export interface RemoteStyle {
  /** The word that prompts call the style by: `{trigger}` while it is trained, else `{style_trigger}`. */
  readonly trigger: string;
  /** `null` for the style that the task trains. */
  readonly weights: RemoteWeights | null;
}

/** The weights of a style: a signed URL, a file when the vendor could not reach that, or the vendor's own reference. */
export type RemoteWeights = { readonly url: string } | InputPicture | { readonly reference: JsonValue };

export interface SubmitOptions {
  /** The webhook URL, which contains the request key; `null` when the service is not public. */
  readonly webhookUrl: string | null;
  /** The workspace of the generation; absent for the operator's own calls. */
  readonly workspaceId?: number;
  readonly signal: AbortSignal;
}

export type SubmitResult =
  | { readonly handle: VendorHandle }
  | { readonly outputs: readonly FetchedOutput[]; readonly cost: number | null };

export type Found = { readonly handle: VendorHandle } | 'absent' | 'unknown';

export type VendorState =
  | {
      readonly state: 'pending';
      /** 0..1; `null` when the vendor reports none. */
      readonly progress: number | null;
      /** The delay that the vendor requests before the next check; `null` when it requests none. */
      readonly checkAfterSeconds: number | null;
    }
  | {
      readonly state: 'ended';
      readonly outputs: readonly VendorOutput[];
      /** In the vendor's currency; `null` when the vendor reports none. */
      readonly cost: number | null;
    }
  /** `retryable`: the job has ended, and a new submission of the same task may succeed. */
  | { readonly state: 'failed'; readonly failure: ProviderFailure }
  | { readonly state: 'canceled' }
  /**
   * The vendor does not know the job or can't show its result, perhaps temporarily. The check is repeated for a while;
   * then the job has failed with `failure`, which is `retryable` when a job unknown to the vendor can't be running.
   */
  | { readonly state: 'inconclusive'; readonly failure: ProviderFailure };

/** An output from the response of a synchronous vendor, as a file in the task's folder. */
export interface FetchedOutput extends Labels {
  readonly file: string;
}

export interface ProviderHealth {
  readonly isReachable: boolean;
  /** `null` when unknown. */
  readonly isKeyAccepted: boolean | null;
  readonly hasTarget: boolean | null;
  /** Action that the operator has to take; `null` when the vendor is healthy. */
  readonly remedy: string | null;
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
 * Why a provider failed. The message is public: one sentence, without addresses, paths or secrets. `cause` has the
 * details for the operator.
 */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly code: FailureCode;
  /** True if the same task may succeed later. */
  readonly retryable: boolean;
  /** True if the vendor has said that it has no such model. */
  readonly isModelUnknown: boolean;

  constructor(
    code: FailureCode,
    message: string,
    options: { retryable?: boolean; isModelUnknown?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.isModelUnknown = options.isModelUnknown ?? false;
  }
}

/** The vendor accepts no work now: it is busy or down, or our own limits are reached. */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted';
  /** True if the vendor has received the POST. If so, it may have started the task in spite of its refusal. */
  readonly wasSent: boolean;

  constructor(
    /** The error code of the generation when the vendor accepts it at no time before the deadline. */
    readonly code: RefusalCode,
    /** The delay that the vendor requests; `null` when it requests none. */
    readonly retryAfterSeconds: number | null,
    { cause, wasSent = false }: { cause?: unknown; wasSent?: boolean } = {},
  ) {
    super('the provider accepts no work now', { cause });
    this.wasSent = wasSent;
  }
}

/** The vendor may have started the task: the connection ended without a response. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';

  constructor(options: { cause?: unknown } = {}) {
    super('the provider has not responded', options);
  }
}
