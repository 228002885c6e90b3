import pg from 'pg';
import { DomainError } from '#kernel';
import type { GenerationChange, GenerationSignals } from '#generation';
import { GENERATION_CHANGES, type GenerationNotice } from './generation-changes.ts';

type Listener = (change: GenerationChange | 'missed') => void;

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/**
 * Follows the changes on one connection a process, which it opens for the first watcher and, while there are any,
 * opens again when it was lost.
 */
export class PostgresGenerationSignals implements GenerationSignals {
  readonly #pool: pg.Pool;
  readonly #listeners = new Map<number, Set<Listener>>();
  #client: pg.Client | null = null;
  #connecting: Promise<void> | null = null;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param pool whose settings the connection has; none of its own connections is taken */
  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async watch(generationId: number, listener: Listener): Promise<() => void> {
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

  /** Stops following; watchers are told nothing more. */
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
    const client = new pg.Client(this.#pool.options);
    const lost = (): void => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#reconnect(FIRST_WAIT_MS);
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ payload }) => this.#tell(JSON.parse(payload!) as GenerationNotice));
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
        () => this.#tellAll(),
        () => this.#reconnect(Math.min(waitMs * 2, LONGEST_WAIT_MS)),
      );
    }, waitMs);
  }

  #tell({ id, state, progress }: GenerationNotice): void {
    for (const listener of this.#listeners.get(id) ?? []) listener({ state, progress });
  }

  #tellAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener('missed');
  }
}
