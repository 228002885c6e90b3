import { sql } from 'kysely';
import pg from 'pg';
import { DomainError } from '#kernel';
import type { ChangeListener, GenerationChange, GenerationSignals } from '#generation';

/** Each statement that changes a state or progress notifies this channel. */
const GENERATION_CHANGES = 'generation_changes';

/** Notifies watchers of each row of the CTE `changed`. */
export const notifyChange = sql<null>`pg_notify(
  ${sql.lit(GENERATION_CHANGES)},
  json_build_object('id', changed.id, 'state', changed.state, 'progress', changed.progress)::text)`;

/** The payload of a notification. */
type Notice = GenerationChange & { readonly id: number };

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/**
 * Listens on one connection for each process, which opens with the first watcher and reconnects while there are any.
 */
export class PostgresGenerationSignals implements GenerationSignals {
  readonly #listeners = new Map<number, Set<ChangeListener>>();
  #client: pg.Client | null = null;
  #connecting: Promise<void> | null = null;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param pool gives the settings of the connection; its own connections stay free */
  constructor(private readonly pool: pg.Pool) {}

  async watch(generationId: number, listener: ChangeListener): Promise<() => void> {
    const listeners = this.#listeners.get(generationId) ?? new Set();
    this.#listeners.set(generationId, listeners.add(listener));
    const stop = (): void => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(generationId) === listeners) {
        this.#listeners.delete(generationId);
      }
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
    this.#listeners.clear();
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
      await client.query(`listen ${GENERATION_CHANGES}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
  }

  #reconnect(waitMs: number): void {
    if (this.#closed || this.#listeners.size === 0) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#connected().then(
        () => this.#notifyAll(),
        () => this.#reconnect(Math.min(waitMs * 2, LONGEST_WAIT_MS)),
      );
    }, waitMs);
  }

  #notify({ id, state, progress }: Notice): void {
    for (const listener of this.#listeners.get(id) ?? []) listener({ state, progress });
  }

  #notifyAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener('missed');
  }
}
