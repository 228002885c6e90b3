import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { DomainError } from '#kernel';
import type { ChangeListener, GenerationChange, GenerationSignals } from '#generation';
import type { EventSignals } from '#events';
import type { BoardListener, BoardSignals, ReviewKind } from '#review';
import { NOTICE } from './notices.ts';
import { anyOf, build, prepared, type RowOf } from './prepared.ts';

/** Notices of changes: `{subject, id, …}`. Each statement that changes something that is followed returns one. */
const CHANGES = 'changes';

/** The columns of a changed generation that `generationNotice` has. */
export const CHANGED = ['generations.id', 'generations.state', 'generations.progress', 'generations.batch_id'] as const;

const noticeOf = (fields: RawBuilder<unknown>) => sql<string>`json_build_object(${fields})::text`;

/** For watchers of each row of the CTE `changed`, which has the columns `CHANGED`. */
export const generationNotice = noticeOf(
  sql`'subject', 'generation', 'id', changed.id, 'state', changed.state, 'progress', changed.progress,
    'batchId', changed.batch_id`,
);

/** For watchers of each updated row of `batches`. */
export const batchNotice = noticeOf(sql`'subject', 'batch', 'id', batches.id`).as(NOTICE);

const ofBoard = sql`'subject', 'board', 'id', boards.id, 'version', boards.version`;

/** For watchers of each updated row of `boards`, which has its new version. */
export const boardNotice = noticeOf(ofBoard).as(NOTICE);

/** As `boardNotice`, for comments and decisions about a media item. */
export const reviewNotice = (kind: RawBuilder<ReviewKind>, mediaId: RawBuilder<number>) =>
  noticeOf(sql`${ofBoard}, 'review', json_build_object('kind', ${kind}::text, 'mediaId', ${mediaId}::bigint)`).as(
    NOTICE,
  );

/** As `boardNotice`, for boards that are deleted. */
export const deletionNotice = noticeOf(sql`'subject', 'board', 'id', boards.id, 'version', null`).as(NOTICE);

/** For watchers of a board: who looks at it has changed. */
export const presenceNotice = (boardId: RawBuilder<number>) =>
  noticeOf(sql`'subject', 'board', 'id', ${boardId}, 'presence', true`).as(NOTICE);

/** For watchers of the published events of a workspace; of id 0: for publishers, of events that were recorded. */
export const eventNotice = (workspaceId: RawBuilder<number>) =>
  noticeOf(sql`'subject', 'events', 'id', ${workspaceId}`);

/** The payload of a notice. */
type Notice =
  | (GenerationChange & { readonly subject: 'generation'; readonly id: number; readonly batchId: number | null })
  | { readonly subject: 'batch'; readonly id: number }
  | { readonly subject: 'events'; readonly id: number }
  | {
      readonly subject: 'board';
      readonly id: number;
      readonly version: number | null;
      readonly review?: { readonly kind: ReviewKind; readonly mediaId: number };
    }
  | { readonly subject: 'board'; readonly id: number; readonly presence: true };

type Listener<Subject extends Notice['subject']> = (notice: Extract<Notice, { subject: Subject }> | 'missed') => void;

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
const CHECK_EVERY_MS = 5_000;

const selectWatched = prepared<{ ids: readonly number[] }>()((param) =>
  build
    .selectFrom('generations')
    .select(['id', 'state', 'progress', 'batch_id as batchId'])
    .where('id', '=', anyOf(param('ids'))),
);

/**
 * Listens on one connection for each process, which opens with the first watcher and reconnects while there are any.
 * Notices may be lost with the process that sends them: every few seconds what is watched is read again.
 */
export class PostgresSignals implements GenerationSignals, BoardSignals, EventSignals {
  readonly #listeners = {
    generation: new Map<number, Set<Listener<'generation'>>>(),
    batch: new Map<number, Set<Listener<'batch'>>>(),
    board: new Map<number, Set<Listener<'board'>>>(),
    events: new Map<number, Set<() => void>>(),
  };
  #client: pg.Client | null = null;
  #connecting: Promise<void> | null = null;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #timer = setInterval(() => void this.check().catch(() => undefined), CHECK_EVERY_MS).unref();
  /** The generations with a notice since the last check began, which may have read an older state. */
  readonly #noticed = new Set<number>();

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

  watchEvents(of: number | 'recorded', listener: () => void): Promise<() => void> {
    return this.#watch(this.#listeners.events, of === 'recorded' ? 0 : of, () => listener());
  }

  /** Reads what is watched, and reports its state. Boards have a check of their own. */
  async check(): Promise<void> {
    const { generation, batch } = this.#listeners;
    for (const id of batch.keys()) notify(batch, id, 'missed');
    this.#noticed.clear();
    if (generation.size === 0) return;
    const { query, bind } = selectWatched;
    const { rows } = await this.pool.query<RowOf<typeof selectWatched>>(
      query.sql,
      bind({ ids: [...generation.keys()] }),
    );
    for (const row of rows)
      if (!this.#noticed.has(row.id)) notify(generation, row.id, { subject: 'generation', ...row });
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
      throw new DomainError('unavailable', 'changes cannot be followed now; try again', { cause: error });
    }
    return stop;
  }

  /** Closes the connection; listeners are no longer called. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#timer);
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
    client.on('notification', ({ payload }) => this.#notify(JSON.parse(payload!) as Notice));
    try {
      await client.connect();
      await client.query(`listen ${CHANGES}`);
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
    const { generation, batch, board, events } = this.#listeners;
    if (notice.subject === 'events') return notify(events, notice.id, notice);
    if (notice.subject === 'board') return notify(board, notice.id, notice);
    if (notice.subject === 'batch') return notify(batch, notice.id, notice);
    this.#noticed.add(notice.id);
    notify(generation, notice.id, notice);
    if (notice.batchId !== null) notify(batch, notice.batchId, { subject: 'batch', id: notice.batchId });
  }

  #notifyAll(): void {
    for (const listeners of Object.values(this.#listeners)) {
      for (const id of [...listeners.keys()]) notify<'missed'>(listeners, id, 'missed');
    }
  }
}

function notify<Value>(all: ReadonlyMap<number, ReadonlySet<(value: Value) => void>>, id: number, value: Value): void {
  for (const listener of all.get(id) ?? []) listener(value);
}
