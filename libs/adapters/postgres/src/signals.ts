import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { DomainError } from '#kernel';
import type { ChangeListener, GenerationChange, GenerationSignals } from '#generation';
import type { BoardListener, BoardSignals, ReviewKind } from '#review';

/** Each statement that changes something that is followed notifies this channel: `{subject, id, …}`. */
const CHANGES = 'changes';
/**
 * The channel of version 0.1, of generations and batches alone. Processes of both versions may run during an upgrade:
 * those of this version notify both channels, and take from this one the notices without `subject`.
 */
const FORMER_CHANNEL = 'generation_changes';

/** The columns of a changed generation that `notifyChange` sends. */
export const NOTICE = ['generations.id', 'generations.state', 'generations.progress', 'generations.batch_id'] as const;

const notify = (channel: string, notice: RawBuilder<unknown>) => sql`pg_notify(${sql.lit(channel)}, ${notice}::text)`;

const notifyBoth = (notice: RawBuilder<unknown>, former: RawBuilder<unknown>) =>
  sql<null>`row(${notify(CHANGES, notice)}, ${notify(FORMER_CHANNEL, former)})`;

const changedGeneration = sql`json_build_object(
  'subject', 'generation', 'id', changed.id, 'state', changed.state, 'progress', changed.progress,
  'batchId', changed.batch_id)`;

/** Notifies watchers of each row of the CTE `changed`, which has the columns `NOTICE`. */
export const notifyChange = notifyBoth(changedGeneration, changedGeneration);

/** Notifies watchers of a batch. */
export function notifyBatch(batchId: RawBuilder<number>): RawBuilder<null> {
  return notifyBoth(
    sql`json_build_object('subject', 'batch', 'id', ${batchId}::bigint)`,
    sql`json_build_object('subject', 'batch', 'id', null, 'batchId', ${batchId}::bigint)`,
  );
}

/** Notifies watchers of each updated row of `boards`, which has its new version. */
export const notifyBoard = notify(
  CHANGES,
  sql`json_build_object('subject', 'board', 'id', boards.id, 'version', boards.version)`,
).as('notified');

/** As `notifyBoard`, for comments and decisions about a media item. */
export const notifyReview = (kind: RawBuilder<ReviewKind>, mediaId: RawBuilder<number>) =>
  notify(
    CHANGES,
    sql`json_build_object(
      'subject', 'board', 'id', boards.id, 'version', boards.version,
      'review', json_build_object('kind', ${kind}::text, 'mediaId', ${mediaId}::bigint))`,
  ).as('notified');

/** As `notifyBoard`, for boards that are deleted. */
export const notifyDeletion = notify(
  CHANGES,
  sql`json_build_object('subject', 'board', 'id', boards.id, 'version', null)`,
).as('notified');

/** Notifies watchers of a board of who looks at it. */
export const notifyPresence = (boardId: RawBuilder<number>) =>
  notify(CHANGES, sql`json_build_object('subject', 'board', 'id', ${boardId}, 'presence', true)`).as('notified');

/** The payload of a notification. */
type Notice =
  | (GenerationChange & { readonly subject: 'generation'; readonly id: number; readonly batchId: number | null })
  | { readonly subject: 'batch'; readonly id: number }
  | {
      readonly subject: 'board';
      readonly id: number;
      readonly version: number | null;
      readonly review?: { readonly kind: ReviewKind; readonly mediaId: number };
    }
  | { readonly subject: 'board'; readonly id: number; readonly presence: true };

/** The payload on the former channel: a change of a generation, or of a batch alone. */
type FormerNotice = GenerationChange & { readonly id: number | null; readonly batchId: number | null };

type Listener<Subject extends Notice['subject']> = (notice: Extract<Notice, { subject: Subject }> | 'missed') => void;

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Listens on one connection for each process, which opens with the first watcher and reconnects while there are any. */
export class PostgresSignals implements GenerationSignals, BoardSignals {
  readonly #listeners = {
    generation: new Map<number, Set<Listener<'generation'>>>(),
    batch: new Map<number, Set<Listener<'batch'>>>(),
    board: new Map<number, Set<Listener<'board'>>>(),
  };
  #client: pg.Client | null = null;
  #connecting: Promise<void> | null = null;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param pool gives the settings of the connection; its own connections stay free */
  constructor(private readonly pool: pg.Pool) {}

  watch(generationId: number, listener: ChangeListener): Promise<() => void> {
    return this.#watch(this.#listeners.generation, generationId, (notice) =>
      listener(notice === 'missed' ? notice : { state: notice.state, progress: notice.progress }),
    );
  }

  watchBatch(batchId: number, listener: () => void): Promise<() => void> {
    return this.#watch(this.#listeners.batch, batchId, () => listener());
  }

  watchBoard(boardId: number, listener: BoardListener): Promise<() => void> {
    return this.#watch(this.#listeners.board, boardId, (notice) => {
      if (notice === 'missed') listener(notice);
      else if ('presence' in notice) listener('presence');
      else listener({ version: notice.version, review: notice.review ?? null });
    });
  }

  async #watch<Each>(all: Map<number, Set<Each>>, id: number, listener: Each): Promise<() => void> {
    const listeners = all.get(id) ?? new Set();
    all.set(id, listeners.add(listener));
    const stop = (): void => {
      listeners.delete(listener);
      if (listeners.size === 0 && all.get(id) === listeners) all.delete(id);
    };
    try {
      await this.#connected();
    } catch (error) {
      stop();
      throw new DomainError('unavailable', 'changes can not be followed now; try again', { cause: error });
    }
    return stop;
  }

  /** Closes the connection; listeners are no longer called. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    for (const listeners of Object.values(this.#listeners)) listeners.clear();
    await this.#connecting?.catch(() => undefined);
    await this.#client?.end();
  }

  async #connected(): Promise<void> {
    if (this.#closed) throw new Error('closed');
    if (this.#client) return;
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = null));
    await this.#connecting;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.pool.options);
    const lost = (): void => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#reconnect(FIRST_WAIT_MS);
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ channel, payload }) => {
      const notice = JSON.parse(payload!) as Notice | FormerNotice;
      if (channel === CHANGES) this.#notify(notice as Notice);
      else if (!('subject' in notice)) this.#notifyFormer(notice);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANGES}; listen ${FORMER_CHANNEL}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
  }

  #reconnect(waitMs: number): void {
    const hasListeners = Object.values(this.#listeners).some(({ size }) => size > 0);
    if (this.#closed || !hasListeners) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#connected().then(
        () => this.#notifyAll(),
        () => this.#reconnect(Math.min(waitMs * 2, LONGEST_WAIT_MS)),
      );
    }, waitMs);
  }

  #notify(notice: Notice): void {
    const { generation, batch, board } = this.#listeners;
    if (notice.subject === 'board') return tell(board, notice.id, notice);
    if (notice.subject === 'batch') return tell(batch, notice.id, notice);
    tell(generation, notice.id, notice);
    if (notice.batchId !== null) tell(batch, notice.batchId, { subject: 'batch', id: notice.batchId });
  }

  #notifyFormer({ id, batchId, ...change }: FormerNotice): void {
    if (id !== null) this.#notify({ subject: 'generation', id, batchId, ...change });
    else if (batchId !== null) this.#notify({ subject: 'batch', id: batchId });
  }

  #notifyAll(): void {
    for (const listeners of Object.values(this.#listeners)) {
      for (const id of [...listeners.keys()]) tell<'missed'>(listeners, id, 'missed');
    }
  }
}

function tell<Value>(all: ReadonlyMap<number, ReadonlySet<(value: Value) => void>>, id: number, value: Value): void {
  for (const listener of all.get(id) ?? []) listener(value);
}
