import type { Model, ParameterValue } from '../domain/model.ts';

/** An input picture as a file on this machine, checked already. */
export interface InputPicture {
  readonly file: string;
  readonly contentType: string;
}

export interface GenerationTask {
  /** Stable over all attempts: pass it to the vendor as its idempotency key. */
  readonly generationId: number;
  readonly model: string;
  readonly prompt: string | null;
  /** Every declared parameter that was given or has a default. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** The input image; for a video model the frame it starts with. */
  readonly image: InputPicture | null;
  readonly styleReference: InputPicture | null;
  /** An empty folder for this run alone; the caller deletes it. */
  readonly folder: string;
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

/** Why a provider could not do it. The message is shown to the caller: one sentence, no address, path or secret. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  /** Whether the same task may work when it is tried again. */
  readonly retryable: boolean;

  constructor(message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable;
  }
}

/** Makes pictures and videos: one implementation a vendor. */
export interface GenerationProvider {
  /** Name as `GET /v2/models` shows it. */
  readonly id: string;
  readonly models: readonly Model[];

  /**
   * Runs a task to its end, in bounded time. Same task, same outputs where the model has a seed. Running it again after an
   * interrupted run must be possible and must not be billed twice by the vendor.
   *
   * @param watch.progress called now and then with 0..1
   * @param watch.signal when aborted, stops soon, frees everything and throws the signal's reason
   * @throws ProviderFailure
   */
  run(
    task: GenerationTask,
    watch: { progress(fraction: number): void; readonly signal: AbortSignal },
  ): Promise<readonly ProviderOutput[]>;
}
