import { type FileToAllocate, type UploadedFile, type UploadOptions, X12Error } from '../api/index.ts';
import { createStore, type Memory, type Store } from '../state/index.ts';
import { isRefused, isStuck, type UploadEntry, type UploadStatus, type UploadTarget } from './entry.ts';

export interface UploadRequest extends UploadTarget {
  /** Does what the file is for. When it fails, `Try again` repeats it alone. */
  readonly then?: (saved: UploadedFile) => unknown;
}

/** A file that was handed over. */
export interface Upload {
  readonly id: number;
  /** Resolves when the file is stored and used, however often it is tried again; rejects when it is canceled. */
  readonly finished: Promise<UploadedFile>;
}

export class UploadCanceled extends Error {
  override readonly name = 'UploadCanceled';
}

/** Sends the bytes of a file and saves them. */
export type SendFile = (file: File, options: UploadOptions) => Promise<UploadedFile>;

/** Allocates places for several files in one call; sending goes on from their `state`. */
export type AllocateFiles = (files: readonly FileToAllocate[]) => Promise<void>;

interface Work {
  readonly file: File;
  readonly request: UploadRequest;
  /** What of the bytes the storage has: sending goes on from there. */
  readonly state: NonNullable<UploadOptions['state']>;
  readonly finished: PromiseWithResolvers<UploadedFile>;
  /** Resolves when its place was asked for together with those of others. */
  allocated?: Promise<void>;
  stop?: AbortController;
}

type Forgotten = UploadTarget & Pick<UploadEntry, 'name' | 'size'>;

const AT_ONCE = 3;
/** Files whose places are allocated in one call. */
const TOGETHER = 100;

/** Sends files, some at once, while people go from screen to screen. */
export class Uploads {
  /** Oldest first. */
  readonly entries = createStore<readonly UploadEntry[]>([]);
  private readonly work = new Map<number, Work>();
  /** What of unfinished uploads outlives a reload: nothing else of them does. */
  private forgotten: Store<readonly Forgotten[]> | undefined;
  private lastId = 0;
  private userId: number | null = null;

  constructor(
    private readonly send: SendFile,
    private readonly memory: Memory,
    private readonly allocate: AllocateFiles,
  ) {}

  /** Sends a file, or goes on with the one of that name and size which a reload interrupted. */
  add(file: File, request: UploadRequest = {}): Upload {
    const lost = this.entries
      .get()
      .find((entry) => entry.status === 'lost' && entry.name === file.name && entry.size === file.size);
    if (lost && !request.then) return this.start(lost, file, request);
    if (lost) this.remove(lost.id);
    const { then: _, ...target } = request;
    const fresh = { status: 'waiting', sent: 0, error: null, saved: null } as const;
    const entry: UploadEntry = { ...target, ...fresh, id: ++this.lastId, name: file.name, size: file.size };
    this.entries.set([...this.entries.get(), entry]);
    return this.start(entry, file, request);
  }

  pause(id: number): void {
    if (['waiting', 'sending'].includes(this.statusOf(id))) this.halt(id, 'paused');
  }

  /** Goes on with what is paused, and tries again what failed. */
  resume(id: number): void {
    if (['paused', 'failed'].includes(this.statusOf(id))) this.change(id, { status: 'waiting', error: null });
  }

  /** Stops an upload and forgets it. A file that is stored already stays. */
  remove(id: number): void {
    const work = this.work.get(id);
    this.work.delete(id);
    work?.stop?.abort();
    work?.finished.reject(new UploadCanceled('the upload was canceled'));
    this.set(this.entries.get().filter((entry) => entry.id !== id));
  }

  /** Forgets what failed on its way into a place that has been filled since. */
  forgetFailed(place: string): void {
    for (const entry of this.entries.get()) if (entry.place === place && isStuck(entry)) this.remove(entry.id);
  }

  /** Tries again what the network interrupted. */
  readonly resumeOnline = (): void => {
    const interrupted = ({ error }: UploadEntry) => error instanceof X12Error && error.code === 'network_error';
    for (const { id } of this.entries.get().filter(interrupted)) this.resume(id);
  };

  /** Forgets the uploads of anybody else, and remembers those of this user that a reload interrupted. */
  belongTo(userId: number): void {
    if (this.userId === userId) return;
    for (const { id } of this.entries.get()) this.remove(id);
    this.userId = userId;
    this.forgotten = createStore([], { memory: this.memory, name: 'x12-uploads', owner: String(userId) });
    const lost = { status: 'lost', sent: 0, error: null, saved: null } as const;
    this.set(this.forgotten.get().map((entry) => ({ ...entry, ...lost, id: ++this.lastId })));
  }

  private start({ id }: UploadEntry, file: File, request: UploadRequest): Upload {
    const finished = Promise.withResolvers<UploadedFile>();
    finished.promise.catch(() => {});
    this.work.set(id, { file, request, state: {}, finished });
    this.change(id, { status: 'waiting' });
    return { id, finished: finished.promise };
  }

  private fill(): void {
    const running = this.entries.get().filter(({ status }) => status === 'sending' || status === 'using').length;
    const next = this.entries.get().find(({ status }) => status === 'waiting');
    // Its start is a change, after which the next is looked for.
    if (next && running < AT_ONCE) void this.run(next);
  }

  private async run({ id, saved, personaId, temporary }: UploadEntry): Promise<void> {
    const work = this.work.get(id)!;
    const stop = new AbortController();
    work.stop = stop;
    this.change(id, { status: saved ? 'using' : 'sending' });
    const onProgress = ({ sent }: { sent: number }) => !stop.signal.aborted && this.change(id, { sent });
    try {
      const options = { personaId, temporary, signal: stop.signal, state: work.state, onProgress };
      if (!saved && this.allocateWith(id)) await work.allocated;
      if (stop.signal.aborted) return;
      const stored = saved ?? (await this.send(work.file, options));
      if (stop.signal.aborted) return;
      this.change(id, { status: 'using', saved: stored });
      await work.request.then?.(stored);
      this.change(id, { status: 'done' });
      work.finished.resolve(stored);
      this.work.delete(id);
    } catch (error) {
      if (!stop.signal.aborted) this.change(id, { status: 'failed', error });
    }
  }

  /** Allocates the place of an upload with those that wait behind it. @returns whether that is under way */
  private allocateWith(id: number): boolean {
    const work = this.work.get(id)!;
    if (work.state.ticket) return false;
    if (work.allocated) return true;
    const waiting = this.entries
      .get()
      .filter((entry) => entry.id === id || (entry.status === 'waiting' && !entry.saved));
    const together = waiting.filter((entry) => !this.work.get(entry.id)!.allocated).slice(0, TOGETHER);
    if (together.length === 1) return false;
    const files = together.map(({ id: each, personaId, temporary }) => {
      const { file: source, state } = this.work.get(each)!;
      return { source, state, personaId, temporary };
    });
    // One that is refused refuses all: each then asks for its own place, and is told why.
    const allocated = this.allocate(files).catch(() => {});
    for (const entry of together) this.work.get(entry.id)!.allocated = allocated;
    return true;
  }

  private halt(id: number, status: UploadStatus): void {
    this.work.get(id)?.stop?.abort();
    this.change(id, { status });
  }

  private statusOf(id: number): UploadStatus | '' {
    return this.entries.get().find((entry) => entry.id === id)?.status ?? '';
  }

  private change(id: number, part: Partial<UploadEntry>): void {
    const changed = this.entries.get().map((entry) => (entry.id === id ? { ...entry, ...part } : entry));
    if (part.status === undefined) this.entries.set(changed);
    else this.set(changed);
  }

  private set(entries: readonly UploadEntry[]): void {
    this.entries.set(entries);
    this.remember();
    this.fill();
  }

  private remember(): void {
    const open = this.entries.get().filter((entry) => entry.saved === null && !isRefused(entry));
    this.forgotten?.set(
      open.map(({ name, size, personaId, temporary, purpose }) => ({ name, size, personaId, temporary, purpose })),
    );
  }
}
