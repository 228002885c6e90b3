import type { Redis, RedisOptions } from 'ioredis';

/** A Redis or Valkey server, under the name that operators know it by. */
export interface RedisConnection {
  /**
   * For requests and sweeps: while the server is away a command fails at once, and one that gets no answer fails
   * within seconds.
   */
  readonly client: Redis;
  /** Another connection, for workers: while the server is away its commands wait. The first call opens it. */
  patient(): Redis;
  /** Ends all connections at once; commands that still wait are rejected. */
  close(): void;
}

const CONNECT_MS = 5000;
const COMMAND_MS = 2000;
/** A server that accepts commands and answers none is taken for gone: from then on commands fail at once. */
const SILENCE_MS = 3000;
const KEEP_ALIVE_MS = 10_000;

const SHARED = {
  lazyConnect: true,
  connectTimeout: CONNECT_MS,
  keepAlive: KEEP_ALIVE_MS,
  retryStrategy: (times: number) => Math.min(times * 200, 2000),
} satisfies RedisOptions;

/**
 * Connects to the server at `url`, whose path is the number of the database. A connection that is lost later
 * comes back by itself.
 *
 * @param url `redis://` or, with TLS, `rediss://`; user and password in it
 * @throws Error that says why the server can't be used, and never tells the password
 */
export async function connectRedis(
  url: string,
  options: { readonly onError: (error: Error) => void },
): Promise<RedisConnection> {
  // Loaded where it is needed: it is 10 MB of memory.
  const { Redis: Client } = await import('ioredis');
  const client = new Client(url, {
    ...SHARED,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    socketTimeout: SILENCE_MS,
  });
  await firstConnection(client);
  client.on('error', options.onError);

  let patient: Redis | null = null;
  return {
    client,
    patient() {
      if (!patient) {
        patient = new Client(url, { ...SHARED, maxRetriesPerRequest: null });
        patient.on('error', options.onError);
      }
      return patient;
    },
    close() {
      client.disconnect();
      patient?.disconnect();
    },
  };
}

/** What went wrong is told by an event, while `connect` rejects with "Connection is closed." */
async function firstConnection(client: Redis): Promise<void> {
  let cause: Error | undefined;
  const note = (error: Error): void => void (cause ??= error);
  client.on('error', note);
  try {
    await client.connect();
    // Without this a number that the server doesn't have would leave us in database 0.
    await client.select(client.options.db ?? 0);
  } catch (error) {
    client.disconnect();
    const reason = cause ?? (error as Error);
    // A connection that ends without a word of the server's.
    if (/max retries per request|connection is closed/i.test(reason.message)) {
      throw new Error('it closes the connection; where it speaks TLS, the URL begins with rediss://');
    }
    throw reason;
  } finally {
    client.off('error', note);
  }
}
