import { type FileToAllocate, type UploadedFile, type UploadOptions, X12Error } from '../api/index.ts';
import { createStore, type Memory, type Store } from '../state/index.ts';
import { isRefused, isStuck, type UploadEntry, type UploadStatus, type UploadTarget } from './entry.ts';

export interface UploadRequest extends UploadTarget {
  /** Uses the stored file, such as for a slot. If it fails, `Try again` repeats only this step. */
  readonly then?: (saved: UploadedFile) => unknown;
}

/** An added upload. */
export interface Upload {
  readonly id: number;
  /** Resolves when the file is stored and used, after any number of retries; rejects when the upload is canceled. */
  readonly finished: Promise<UploadedFile>;
}

export class UploadCanceled extends Error {
  override readonly name = 'UploadCanceled';
}

/** Uploads and saves a file. */
export type SendFile = (file: File, options: UploadOptions) => Promise<UploadedFile>;

/** Allocates uploads for several files in one call; sending continues from their `state`. */
export type AllocateFiles = (files: readonly FileToAllocate[]) => Promise<void>;

interface Work {
  readonly file: File;
  readonly request: UploadRequest;
  /** The parts that the storage has: sending continues from there. */
  readonly state: NonNullable<UploadOptions['state']>;
  readonly finished: PromiseWithResolvers<UploadedFile>;
  /** Settles with the call that allocates this upload together with others. */
  allocated?: Promise<void>;
  stop?: AbortController;
}

type Kept = UploadTarget & Pick<UploadEntry, 'name' | 'size'>;

const AT_ONCE = 3;
/** Maximum uploads that are allocated in one call. */
const TOGETHER = 100;

/** Uploads files, several at once, independently of the open screen. */
export class Uploads {
  /** Oldest first. */
  readonly entries = createStore<readonly UploadEntry[]>([]);
  readonly #work = new Map<number, Work>();
  /** The part of unfinished uploads that survives a reload. */
  #kept: Store<readonly Kept[]> | undefined;
  #lastId = 0;
  #userId: number | null = null;

  constructor(
    private readonly send: SendFile,
    private readonly memory: Memory,
    private readonly allocate: AllocateFiles,
  ) {}

  /** Uploads a file, or continues an interrupted upload of a file with the same name and size. */
  add(file: File, request: UploadRequest = {}): Upload {
    const lost = this.entries
      .get()
      .find((entry) => entry.status === 'lost' && entry.name === file.name && entry.size === file.size);
    if (lost && !request.then) return this.#start(lost, file, request);
    if (lost) this.remove(lost.id);
    const { then: _, ...target } = request;
    const fresh = { status: 'waiting', sent: 0, error: null, saved: null } as const;
    const entry: UploadEntry = { ...target, ...fresh, id: ++this.#lastId, name: file.name, size: file.size };
    this.entries.set([...this.entries.get(), entry]);
    return this.#start(entry, file, request);
  }

  pause(id: number): void {
    if (['waiting', 'sending'].includes(this.#statusOf(id))) this.#halt(id, 'paused');
  }

  /** Continues a paused upload, and retries a failed upload. */
  resume(id: number): void {
    if (['paused', 'failed'].includes(this.#statusOf(id))) this.#change(id, { status: 'waiting', error: null });
  }

  /** Stops and removes an upload. A stored file stays. */
  remove(id: number): void {
    const work = this.#work.get(id);
    this.#work.delete(id);
    work?.stop?.abort();
    work?.finished.reject(new UploadCanceled('the upload was canceled'));
    this.#set(this.entries.get().filter((entry) => entry.id !== id));
  }

  /** Removes failed uploads into a place that has been filled since. */
  forgetFailed(place: string): void {
    for (const entry of this.entries.get()) if (entry.place === place && isStuck(entry)) this.remove(entry.id);
  }

  /** Retries uploads that the network interrupted. */
  readonly resumeOnline = (): void => {
    const interrupted = ({ error }: UploadEntry) => error instanceof X12Error && error.code === 'network_error';
    for (const { id } of this.entries.get().filter(interrupted)) this.resume(id);
  };

  /** Removes the uploads of another user, and restores the interrupted uploads of this user. */
  belongTo(userId: number): void {
    if (this.#userId === userId) return;
    for (const { id } of this.entries.get()) this.remove(id);
    this.#userId = userId;
    this.#kept = createStore([], { memory: this.memory, name: 'x12-uploads', owner: String(userId) });
    const lost = { status: 'lost', sent: 0, error: null, saved: null } as const;
    this.#set(this.#kept.get().map((entry) => ({ ...entry, ...lost, id: ++this.#lastId })));
  }

  #start({ id }: UploadEntry, file: File, request: UploadRequest): Upload {
    const finished = Promise.withResolvers<UploadedFile>();
    finished.promise.catch(() => {});
    this.#work.set(id, { file, request, state: {}, finished });
    this.#change(id, { status: 'waiting' });
    return { id, finished: finished.promise };
  }

  #fill(): void {
    const running = this.entries.get().filter(({ status }) => status === 'sending' || status === 'using').length;
    const next = this.entries.get().find(({ status }) => status === 'waiting');
    // The start is a change, which calls this method again for the next upload.
    if (next && running < AT_ONCE) void this.#run(next);
  }

  async #run({ id, saved, personaId, temporary }: UploadEntry): Promise<void> {
    const work = this.#work.get(id)!;
    const stop = new AbortController();
    work.stop = stop;
    this.#change(id, { status: saved ? 'using' : 'sending' });
    const onProgress = ({ sent }: { sent: number }) => !stop.signal.aborted && this.#change(id, { sent });
    try {
      const options = { personaId, temporary, signal: stop.signal, state: work.state, onProgress };
      if (!saved && this.#allocateWith(id)) await work.allocated;
      if (stop.signal.aborted) return;
      const stored = saved ?? (await this.send(work.file, options));
      if (stop.signal.aborted) return;
      this.#change(id, { status: 'using', saved: stored });
      await work.request.then?.(stored);
      this.#change(id, { status: 'done' });
      work.finished.resolve(stored);
      this.#work.delete(id);
    } catch (error) {
      if (!stop.signal.aborted) this.#change(id, { status: 'failed', error });
    }
  }

  /** Allocates an upload together with waiting uploads. @returns whether `allocated` has to be awaited */
  #allocateWith(id: number): boolean {
    const work = this.#work.get(id)!;
    if (work.state.ticket) return false;
    if (work.allocated) return true;
    const waiting = this.entries
      .get()
      .filter((entry) => entry.id === id || (entry.status === 'waiting' && !entry.saved));
    const together = waiting.filter((entry) => !this.#work.get(entry.id)!.allocated).slice(0, TOGETHER);
    if (together.length === 1) return false;
    const files = together.map(({ id: each, personaId, temporary }) => {
      const { file: source, state } = this.#work.get(each)!;
      return { source, state, personaId, temporary };
    });
    // One refused file fails the whole call. Each upload is then allocated separately, and shows its own error.
    const allocated = this.allocate(files).catch(() => {});
    for (const entry of together) this.#work.get(entry.id)!.allocated = allocated;
    return true;
  }

  #halt(id: number, status: UploadStatus): void {
    this.#work.get(id)?.stop?.abort();
    this.#change(id, { status });
  }

  #statusOf(id: number): UploadStatus | '' {
    return this.entries.get().find((entry) => entry.id === id)?.status ?? '';
  }

  #change(id: number, part: Partial<UploadEntry>): void {
    const changed = this.entries.get().map((entry) => (entry.id === id ? { ...entry, ...part } : entry));
    if (part.status === undefined) this.entries.set(changed);
    else this.#set(changed);
  }

  #set(entries: readonly UploadEntry[]): void {
    this.entries.set(entries);
    this.#keep();
    this.#fill();
  }

  #keep(): void {
    const open = this.entries.get().filter((entry) => entry.saved === null && !isRefused(entry));
    this.#kept?.set(
      open.map(({ name, size, personaId, temporary, purpose }) => ({ name, size, personaId, temporary, purpose })),
    );
  }
}
