import { DatabaseError, type Client } from 'pg';

interface Shared {
  readonly client: Client;
  /** Statements that have no result yet. */
  running: number;
  /** Whether statements wait for the end of the turn. */
  isGathering: boolean;
}

/**
 * A few connections that all callers share. A statement is sent behind those that still run on its connection
 * (pipelining), so that nobody waits for a free connection. The statements of one turn of the event loop are sent
 * together when it ends: sending costs more than most of the rest of a statement. Each has its own result or error. A
 * connection that is lost fails the statements on it, and the next one opens another.
 */
export class SharedConnections {
  readonly #shared: Shared[] = [];
  #opening: Promise<void> | null = null;

  /**
   * @param settings SQL that limits how long a statement may take, for the sake of those behind it
   * @param open a client that is not connected yet, with `pipeline`
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

  /** Opens one more, for later statements, while all are busy. */
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
    // Not when connecting: poolers refuse it there.
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
  holdBack(connection.client);
  setImmediate(() => (connection.isGathering = false));
}

/** Holds back what is sent on the connection until this turn of the event loop ends, so that it is sent together. */
export function holdBack({ connection: { stream } }: Client): void {
  stream.cork();
  setImmediate(() => stream.uncork());
}
