import { batchEvents, type BatchChange } from './batch-events.ts';
import { boardEvents, type BoardEvent } from './board-events.ts';
import { configure, type X12Options } from './configure.ts';
import { keepingCookies } from './cookies.ts';
import { GenerationError } from './generation-error.ts';
import { generationEvents, type GenerationEvent } from './generation-events.ts';
import { type Client, createClient } from './generated/client/index.ts';
import type {
  BatchDto,
  BatchRequest,
  BatchResponse,
  EventDto,
  CellDto,
  GenerateRequest,
  GenerateResponse,
  GenerationResponse,
} from './generated/index.ts';
import { Operations } from './generated/operations.gen.ts';
import { pictureSrcset, pictureUrl } from './picture-url.ts';
import { saveFile } from '#open-file';
import { randomKey, retryingFetch } from './retrying-fetch.ts';
import { sleep } from './sleep.ts';
import {
  allocateAll,
  type FileToAllocate,
  upload,
  type UploadedFile,
  type UploadOptions,
  type UploadSource,
} from './upload.ts';
import { type EventsToFollow, workspaceEvents } from './workspace-events.ts';
import { errorOfResponse, throwIfAborted, X12Error } from './x12-error.ts';

/** Fields of `POST /v2/generate`, and the parameters of the model. */
export type GenerateInput = GenerateRequest & { readonly model: string };

/** As `GenerateInput`, with files instead of URLs of pictures: they are uploaded first. */
export type RunInput = { readonly [Field in keyof GenerateRequest]: GenerateRequest[Field] | Blob } & {
  readonly model: string;
};

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface StartOptions extends CallOptions {
  /** A program that starts again with the same key and the same input gets what it started, and pays once. Default: a new one. */
  readonly idempotencyKey?: string;
}

export interface WaitOptions extends CallOptions {
  /** Called with each state and progress, from 0 to 1. */
  readonly onProgress?: (progress: { readonly state: State; readonly progress: number }) => void;
}

/** Fields of `POST /v2/batches`. */
export type BatchInput = Omit<BatchRequest, 'dry_run'>;

export interface BatchWaitOptions extends CallOptions {
  /** Called with each change of the batch. */
  readonly onProgress?: (batch: BatchDto) => void;
}

type State = GenerationResponse['state'];

/** A condition to wait for. */
interface Wait<T> {
  /** Reads its state now. */
  readonly read: () => Promise<T>;
  readonly hasEnded: (state: T) => boolean;
  /** Resolves when its events report the end; may fail. */
  readonly follow: (signal: AbortSignal) => Promise<void>;
  readonly onRead?: (state: T) => void;
}

const PICTURE_URLS = { url: pictureUrl, srcset: pictureSrcset };

const FIRST_POLL_MS = 1000;
const LONGEST_POLL_MS = 15_000;
const NEVER = new Promise<never>(() => {});
const CELLS_OF_A_PAGE = 100;

/** A client of the service: its operations by their ids, and methods that take more than one call. */
export class X12 extends Operations {
  /** For the function of each operation: `boardsGet({ client: x12.client, path: { id } })`. */
  declare readonly client: Client;
  readonly #options: X12Options;

  /**
   * @param options.client a client to configure; by default a new one is created
   * @throws TypeError without `baseUrl`, unless there is a page or a client
   */
  constructor(options: X12Options & { readonly client?: Client } = {}) {
    if (!options.baseUrl && !options.client && !('location' in globalThis)) {
      throw new TypeError('baseUrl is missing: give the address of the service, such as https://x12.example.com');
    }
    const { client = createClient(), cookies, ...given } = options;
    super({ client });
    this.#options = cookies ? { ...given, fetch: keepingCookies(given.fetch) } : given;
    configure(client, this.#options);
  }

  /** Files of the workspace, and the URLs at which pictures are served in a size and format. */
  override get files(): Operations['files'] & typeof PICTURE_URLS {
    return Object.assign(super.files, PICTURE_URLS);
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

  /**
   * Writes what a URL has to a file, such as an output or the zip of `downloads.create`. Only on Node.
   *
   * @throws X12Error; the file is then as before
   */
  async download(url: string, path: string, { signal }: CallOptions = {}): Promise<void> {
    const response = await retryingFetch(this.#options)(url, { signal });
    if (!response.ok) throw errorOfResponse(response, await response.json().catch(() => null));
    await saveFile(path, response.body!).catch((error: unknown) => {
      throwIfAborted(signal);
      throw error;
    });
  }

  /** The result of a call with the response that it came in: `x12.asResponse((x12) => x12.boards.list())`. @throws X12Error */
  async asResponse<T>(call: (x12: X12) => PromiseLike<T>): Promise<{ readonly data: T; readonly response: Response }> {
    const { fetch: send = globalThis.fetch } = this.#options;
    let response: Response | undefined;
    const fetch: typeof send = async (...request) => {
      const received = await send(...request);
      response = received.clone();
      return received;
    };
    const data = await call(new X12({ ...this.#options, client: createClient(), fetch }));
    return { data, response: response! };
  }

  /** Starts a generation. An abort cancels it, also while its response is under way. @throws X12Error */
  generate(input: GenerateInput, options: StartOptions = {}): Promise<GenerateResponse> {
    return this.#start(
      async (call) => (await this.generations.create(input, call)) as GenerateResponse,
      ({ generation_id: id }) => this.generations.cancel({ id }),
      options,
    );
  }

  /** The service may have accepted a call whose response an abort has cut off: the key finds out what it has started. */
  async #start<T>(
    create: (options: CallOptions & { readonly headers: Record<string, string> }) => Promise<T>,
    cancel: (started: T) => Promise<unknown>,
    { signal, idempotencyKey = randomKey() }: StartOptions,
  ): Promise<T> {
    throwIfAborted(signal);
    const headers = { 'Idempotency-Key': idempotencyKey };
    try {
      return await create({ signal, headers });
    } catch (error) {
      if (signal?.aborted)
        await create({ headers })
          .then(cancel)
          .catch(() => {});
      throw error;
    }
  }

  /** Follows the events of the workspace until the signal is aborted, through broken connections. */
  followEvents(which: EventsToFollow = {}, { signal }: CallOptions = {}): AsyncIterable<EventDto> {
    return workspaceEvents(this.client, which, signal);
  }

  /** Follows a generation to its end, through broken connections. */
  generationEvents(id: number, { signal }: CallOptions = {}): AsyncIterable<GenerationEvent> {
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
  waitFor(id: number, { signal, onProgress }: WaitOptions = {}): Promise<GenerationResponse> {
    const wait: Wait<GenerationResponse> = {
      read: () => this.generations.get({ id }, { signal }),
      hasEnded: ({ finished_at }) => finished_at !== null,
      follow: async (stop) => {
        for await (const event of this.generationEvents(id, { signal: stop }))
          if (event.type !== 'done') onProgress?.(event);
      },
      onRead: onProgress,
    };
    return untilEnd(wait, signal);
  }

  /** As `waitFor`, for a batch. @throws X12Error */
  waitForBatch(id: number, { signal, onProgress }: BatchWaitOptions = {}): Promise<BatchDto> {
    const wait: Wait<BatchDto> = {
      read: async () => (await this.batches.get({ id, limit: 1 }, { signal })).batch,
      hasEnded: ({ state }) => state === 'ended',
      follow: async (stop) => {
        for await (const { type, batch } of this.batchEvents(id, { signal: stop })) {
          if (type !== 'done') onProgress?.(batch);
        }
      },
      onRead: onProgress,
    };
    return untilEnd(wait, signal);
  }

  /** Starts a batch and waits for its end. Some cells may have failed. An abort cancels it. @throws X12Error */
  async runBatch(input: BatchInput, options: BatchWaitOptions & StartOptions = {}): Promise<BatchDto> {
    const cancel = ({ batch }: BatchResponse) => this.batches.cancel({ id: batch.id });
    const create = async (call: CallOptions) => (await this.batches.create(input, call)) as BatchResponse;
    const started = await this.#start(create, cancel, options);
    try {
      return await this.waitForBatch(started.batch.id, options);
    } catch (error) {
      if (options.signal?.aborted) await cancel(started).catch(() => {});
      throw error;
    }
  }

  /** The cells of a batch in their order, page by page. @throws X12Error */
  async *cells(
    id: number,
    { state, signal }: CallOptions & { readonly state?: State } = {},
  ): AsyncGenerator<CellDto, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.batches.get({ id, state, limit: CELLS_OF_A_PAGE, cursor }, { signal });
      yield* page.cells;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /**
   * Uploads the files among the inputs, generates, and waits for the end. An abort cancels the generation.
   *
   * @throws X12Error, GenerationError if it did not succeed
   */
  async run(input: RunInput, options: WaitOptions & StartOptions = {}): Promise<GenerationResponse> {
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

  async #withUrls(input: RunInput, { signal, idempotencyKey: key }: StartOptions): Promise<GenerateInput> {
    const fields = Object.entries(input).map(async ([name, value]) => {
      if (!(value instanceof Blob)) return [name, value];
      const idempotencyKey = key === undefined ? undefined : `${key}:${name}`;
      const { url } = await this.upload(value, { temporary: true, signal, idempotencyKey });
      // The signature of a private file changes from hour to hour: the same input has to be the same call.
      return [name, url.replace(/\?.*/, '')];
    });
    return Object.fromEntries(await Promise.all(fields));
  }
}

/** Polls until the end, and at once when the events report it. */
async function untilEnd<T>({ read, hasEnded, follow, onRead }: Wait<T>, signal?: AbortSignal): Promise<T> {
  const over = new AbortController();
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  let done: Promise<void> = follow(stop).catch(() => NEVER);
  try {
    for (let delay = FIRST_POLL_MS; ; delay = Math.min(delay * 1.5, LONGEST_POLL_MS)) {
      const state = await unlessTransient(read);
      if (state !== null && hasEnded(state)) return state;
      if (state !== null) onRead?.(state);
      const isDone = await Promise.race([sleep(delay, stop), done.then(() => true)]);
      if (isDone) done = NEVER;
    }
  } finally {
    over.abort();
  }
}

/** @returns null after a transient error */
async function unlessTransient<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof X12Error && error.isTransient) return null;
    throw error;
  }
}
