import { batchEvents, type BatchChange } from './batch-events.ts';
import { boardEvents, type BoardEvent } from './board-events.ts';
import { configure, type X12Options } from './configure.ts';
import { GenerationError } from './generation-error.ts';
import { generationEvents, type GenerationEvent } from './generation-events.ts';
import { type Client, createClient } from './generated/client/index.ts';
import type { GenerateRequest, GenerateResponse, GenerationResponse } from './generated/index.ts';
import { Operations } from './generated/operations.gen.ts';
import { sleep } from './sleep.ts';
import {
  allocateAll,
  type FileToAllocate,
  upload,
  type UploadedFile,
  type UploadOptions,
  type UploadSource,
} from './upload.ts';
import { X12Error } from './x12-error.ts';

/** Fields of `POST /v2/generate`, and the parameters of the model. */
export type GenerateInput = GenerateRequest & { readonly model: string };

/** As `GenerateInput`, with files instead of URLs of pictures: they are uploaded first. */
export type RunInput = { readonly [Field in keyof GenerateRequest]: GenerateRequest[Field] | Blob } & {
  readonly model: string;
};

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface WaitOptions extends CallOptions {
  /** Called with each state and progress, from 0 to 1. */
  readonly onProgress?: (progress: { readonly state: State; readonly progress: number }) => void;
}

type State = GenerationResponse['state'];

const FIRST_POLL_MS = 1000;
const LONGEST_POLL_MS = 15_000;
const NEVER = new Promise<never>(() => {});

/** A client of the service: its operations by their ids, and methods that take more than one call. */
export class X12 extends Operations {
  /** For the function of each operation: `boardsGet({ client: x12.client, path: { id } })`. */
  declare readonly client: Client;
  readonly #options: X12Options;

  /** @param options.client a client to configure; by default a new one is created */
  constructor(options: X12Options & { readonly client?: Client } = {}) {
    const { client = createClient() } = options;
    super({ client });
    this.#options = options;
    configure(client, options);
  }

  /** Uploads a file and saves it. @throws X12Error */
  upload(source: UploadSource, options: UploadOptions = {}): Promise<UploadedFile> {
    const { fetch, maxRetries } = this.#options;
    return upload(this.uploads, source, options, { fetch, maxRetries });
  }

  /**
   * Allocates uploads for up to 100 files in one call, for all or for none. Then `upload` each file with its `state`.
   *
   * @throws X12Error
   */
  allocateUploads(files: readonly FileToAllocate[], { signal }: CallOptions = {}): Promise<void> {
    return allocateAll(this.uploads, files, signal);
  }

  /** Starts a generation. @throws X12Error */
  async generate(input: GenerateInput, { signal }: CallOptions = {}): Promise<GenerateResponse> {
    return (await this.generations.create(input, { signal })) as GenerateResponse;
  }

  /** Follows a generation to its end, through broken connections. */
  events(id: number, { signal }: CallOptions = {}): AsyncIterable<GenerationEvent> {
    return generationEvents(this.client, id, signal);
  }

  /** Follows a batch to its end, through broken connections. */
  batchEvents(id: number, { signal }: CallOptions = {}): AsyncIterable<BatchChange> {
    return batchEvents(this.client, id, signal);
  }

  /** Follows a board until the signal is aborted, through broken connections. Throws once the board is deleted. */
  boardEvents(id: number, { signal }: CallOptions = {}): AsyncIterable<BoardEvent> {
    return boardEvents(this.client, id, signal);
  }

  /**
   * Resolves when the generation has ended, in any end state. While the service can't be reached or is overloaded, it keeps
   * polling until the signal aborts.
   *
   * @throws X12Error
   */
  async waitFor(id: number, { signal, onProgress }: WaitOptions = {}): Promise<GenerationResponse> {
    const over = new AbortController();
    const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    let done: Promise<void> = this.#untilDone(id, { signal: stop, onProgress });
    try {
      for (let delay = FIRST_POLL_MS; ; delay = Math.min(delay * 1.5, LONGEST_POLL_MS)) {
        const generation = await this.#poll(id, signal);
        if (generation && generation.finished_at !== null) return generation;
        if (generation) onProgress?.(generation);
        const isDone = await Promise.race([sleep(delay, stop), done.then(() => true)]);
        if (isDone) done = NEVER;
      }
    } finally {
      over.abort();
    }
  }

  /** @returns null after a transient error */
  async #poll(id: number, signal?: AbortSignal): Promise<GenerationResponse | null> {
    try {
      return await this.generations.get({ id }, { signal });
    } catch (error) {
      if (error instanceof X12Error && error.isTransient) return null;
      throw error;
    }
  }

  /** Resolves when the events report the end of the generation; never if the events can't be read. */
  async #untilDone(id: number, options: WaitOptions): Promise<void> {
    try {
      for await (const event of this.events(id, options)) if (event.type !== 'done') options.onProgress?.(event);
    } catch {
      await NEVER;
    }
  }

  /**
   * Uploads the files among the inputs, generates, and waits for the end. An abort cancels the generation.
   *
   * @throws X12Error, GenerationError if it did not succeed
   */
  async run(input: RunInput, options: WaitOptions = {}): Promise<GenerationResponse> {
    const { generation_id: id } = await this.generate(await this.#withUrls(input, options), options);
    try {
      const generation = await this.waitFor(id, options);
      if (generation.state !== 'succeeded') throw new GenerationError(generation);
      return generation;
    } catch (error) {
      if (options.signal?.aborted) await this.generations.cancel({ id }).catch(() => {});
      throw error;
    }
  }

  async #withUrls(input: RunInput, { signal }: CallOptions): Promise<GenerateInput> {
    const fields = Object.entries(input).map(async ([name, value]) => {
      if (!(value instanceof Blob)) return [name, value];
      const { url } = await this.upload(value, { temporary: true, signal });
      return [name, url];
    });
    return Object.fromEntries(await Promise.all(fields));
  }
}
