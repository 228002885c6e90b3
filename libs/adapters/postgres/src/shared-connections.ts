import { DatabaseError, type Client } from 'pg';

interface Shared {
  readonly client: Client;
  /** The number of statements without a result. */
  running: number;
  /** True if statements are corked until this turn of the event loop ends. */
  isGathering: boolean;
}

/**
 * Connections that all callers share. Statements are pipelined, so that no caller waits for a free connection. The
 * statements of one turn of the event loop are sent in one write, which saves most of their processor time. Each has its
 * own result or error. When a connection is lost, its statements fail, and the next statement opens another connection.
 */
export class SharedConnections {
  readonly #shared: Shared[] = [];
  #opening: Promise<void> | null = null;

  /**
   * @param settings SQL for each new connection, such as a statement timeout: a slow statement delays the next ones
   * @param open returns a client with `pipeline` that is not connected
   */
  constructor(
    private readonly max: number,
    private readonly settings: string,
    private readonly open: () => Client,
  ) {}

  async query(sql: string, values: readonly unknown[]): Promise<{ readonly rows: unknown[] }> {
    const connection = this.#leastBusy() ?? (await this.#first());
    connection.running++;
    gather(connection);
    try {
      return await connection.client.query(sql, values as unknown[]);
    } catch (error) {
      const isOver = !(error instanceof DatabaseError) || error.severity === 'FATAL';
      if (isOver) this.#drop(connection);
      throw error;
    } finally {
      connection.running--;
    }
  }

  async end(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await Promise.all(this.#shared.map(({ client }) => client.end()));
  }

  /** While all connections are busy, also opens one for later statements. */
  #leastBusy(): Shared | undefined {
    let found: Shared | undefined;
    for (const each of this.#shared) if (!found || each.running < found.running) found = each;
    const isFull = this.#shared.length >= this.max;
    if (found && found.running > 0 && !isFull) this.#more().catch(() => undefined);
    return found;
  }

  async #first(): Promise<Shared> {
    await this.#more();
    return this.#leastBusy() ?? this.#first();
  }

  #more(): Promise<void> {
    this.#opening ??= this.#connect().finally(() => (this.#opening = null));
    return this.#opening;
  }

  async #connect(): Promise<void> {
    const client = this.open();
    const connection = { client, running: 0, isGathering: false };
    client.on('end', () => this.#drop(connection));
    client.on('error', () => this.#drop(connection));
    await client.connect();
    // Not a startup parameter: poolers refuse it.
    await client.query(this.settings);
    this.#shared.push(connection);
  }

  #drop(connection: Shared): void {
    const index = this.#shared.indexOf(connection);
    if (index < 0) return;
    this.#shared.splice(index, 1);
    connection.client.end().catch(() => undefined);
  }
}

function gather(connection: Shared): void {
  if (connection.isGathering) return;
  connection.isGathering = true;
  corkThisTurn(connection.client);
  setImmediate(() => (connection.isGathering = false));
}

/** Sends all statements of this turn of the event loop in one write when the turn ends. */
export function corkThisTurn({ connection: { stream } }: Client): void {
  stream.cork();
  setImmediate(() => stream.uncork());
}
