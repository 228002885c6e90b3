import type { Redis, RedisOptions } from 'ioredis';

/** Connections to a Redis or Valkey server. */
export interface RedisConnection {
  /**
   * For requests and sweeps: commands fail at once while the server is unreachable, and within seconds without a reply.
   */
  readonly client: Redis;
  /** For workers: commands wait while the server is unreachable. The first call opens the connection. */
  patient(): Redis;
  /** Ends all connections at once; waiting commands are rejected. */
  close(): void;
}

const CONNECT_MS = 5000;
const COMMAND_MS = 2000;
/** A server that accepts commands without replying counts as unreachable after this time. */
const SILENCE_MS = 3000;
const KEEP_ALIVE_MS = 10_000;

const SHARED = {
  lazyConnect: true,
  connectTimeout: CONNECT_MS,
  keepAlive: KEEP_ALIVE_MS,
  retryStrategy: (times: number) => Math.min(times * 200, 2000),
} satisfies RedisOptions;

/**
 * Connects to the server at `url`, whose path is the number of the database. Lost connections are opened again.
 *
 * @param url `redis://` or, with TLS, `rediss://`; user and password in it
 * @throws Error that says why the server can't be used, without the password
 */
export async function connectRedis(
  url: string,
  options: { readonly onError: (error: Error) => void },
): Promise<RedisConnection> {
  // Loaded only when needed: it takes 10 MB of memory.
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

/** The cause of a failure comes as an event; `connect` only rejects with "Connection is closed." */
async function firstConnection(client: Redis): Promise<void> {
  let cause: Error | undefined;
  const note = (error: Error): void => void (cause ??= error);
  client.on('error', note);
  try {
    await client.connect();
    // Without it, a number that the server doesn't have would select database 0.
    await client.select(client.options.db ?? 0);
  } catch (error) {
    client.disconnect();
    const reason = cause ?? (error as Error);
    // The server ended the connection without a reply.
    if (/max retries per request|connection is closed/i.test(reason.message)) {
      throw new Error('it closes the connection; if it expects TLS, the URL must start with rediss://');
    }
    throw reason;
  } finally {
    client.off('error', note);
  }
}
