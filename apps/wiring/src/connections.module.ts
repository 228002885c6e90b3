import { Global, Inject, Logger, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import {
  connectPostgres,
  Database,
  NewerDatabase,
  type PostgresConnection,
  readSchemaVersion,
} from '#adapters/postgres';
import { connectQueueToPostgres, connectQueueToRedis } from '#adapters/queue';
import { connectRedis, inspectRedis, type RedisConnection } from '#adapters/redis';
import type { Settings } from '#config';
import { describeRelease, RELEASE, StartError } from '#process';
import { atMostEvery } from './logging.ts';
import { noTracing, type Tracing } from '#kernel';
import { OpenConnections } from './open-connections.ts';
import { postgres, queue, redis, settings, tracing } from './platform.ts';
import { provideMade } from './provide.ts';
import { rateCounters, sharedRateCounters } from './rate-counters.ts';

/** A worker needs one more connection for the notifications of each queue. */
export type ProcessKind = 'api' | 'worker';

/** Longest wait of a request for a lock: it reserves a connection meanwhile. */
const LOCK_MS = 2_000;

/** The settings and the connections. Connections close after all modules that use them. */
@Global()
@Module({})
export class ConnectionsModule implements OnApplicationShutdown {
  static forRoot(values: Settings, kind: ProcessKind, opened: OpenConnections): DynamicModule {
    const logger = new Logger('Connections');
    const report = atMostEvery(10, (message) => logger.error(message));
    const onError = ({ message }: Error): void => report(message);
    return {
      module: ConnectionsModule,
      providers: [
        { provide: settings, useValue: values },
        { provide: OpenConnections, useValue: opened },
        provideMade(tracing, [], async () => {
          const traces = await openTracing(values, kind);
          await opened.add({ close: () => traces.close?.() });
          return traces;
        }),
        provideMade(postgres, [], () =>
          opened.orClose(async () => {
            const url = databaseUrl(values);
            const { poolSize, allowNewer } = values.database;
            const connection = await opened.add(
              connectPostgres(url, { poolSize, onError, ...(kind === 'api' && { lockMs: LOCK_MS }) }),
            );
            await orStartError('DATABASE_URL', `PostgreSQL at ${new URL(url).host}`, connection.pool.query('select'));
            if (!allowNewer) await refuseNewer(connection);
            return connection;
          }),
        ),
        provideMade(redis, [], async () => {
          const { url } = values.redis;
          if (url === null) return null;
          const connection = await opened.add(openRedis(url, onError));
          const { flaws } = await inspectRedis(connection.client);
          for (const { finding, advice } of flaws) logger.warn(`Redis: ${finding}; ${advice}`);
          return connection;
        }),
        {
          provide: queue,
          useFactory: (by: RedisConnection | null) =>
            opened.add(
              by
                ? connectQueueToRedis(by)
                : connectQueueToPostgres(databaseUrl(values), { poolSize: kind === 'worker' ? 13 : 3, onError }),
            ),
          // After PostgreSQL, whose error is then reported first.
          inject: [redis, postgres],
        },
        provideMade(Database, [postgres], ({ database }) => database),
        sharedRateCounters,
      ],
      exports: [settings, tracing, postgres, redis, queue, Database, rateCounters],
    };
  }

  constructor(@Inject(OpenConnections) private readonly opened: OpenConnections) {}

  async onApplicationShutdown(): Promise<void> {
    await this.opened.close();
  }
}

/** @throws StartError when a newer version has migrated the database: statements of this version may fail */
async function refuseNewer(connection: PostgresConnection): Promise<void> {
  const schema = await readSchemaVersion(connection.database);
  if (schema.newer.length === 0) return;
  throw new StartError(new NewerDatabase(schema, describeRelease(RELEASE)).message);
}

/** Loads OpenTelemetry only if configured: it costs memory and start time. */
async function openTracing({ traces }: Settings, kind: ProcessKind): Promise<Tracing & { close?(): Promise<void> }> {
  const { endpoint, ratio } = traces;
  if (endpoint === null) return noTracing;
  const { OtlpTracing } = await import('#adapters/tracing');
  const logger = new Logger('Tracing');
  const onError = atMostEvery(60, (message) => logger.warn(message));
  const serviceVersion = describeRelease(RELEASE);
  return new OtlpTracing({ endpoint, ratio, serviceName: `x12-${kind}`, serviceVersion, onError });
}

/** @throws StartError */
export function openRedis(url: string, onError: (error: Error) => void): Promise<RedisConnection> {
  return orStartError('REDIS_URL', `Redis at ${new URL(url).host}`, connectRedis(url, { onError }));
}

/** @throws StartError that names the variable, `engine` and the reason in one line */
export async function orStartError<T>(variable: string, engine: string, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    const { message, code } = rootOf(error);
    throw new StartError(`${engine} cannot be used: ${message || code}; check ${variable}, and whether it runs`, {
      cause: error,
    });
  }
}

function rootOf(error: unknown): NodeJS.ErrnoException {
  return error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
}

function databaseUrl(values: Settings): string {
  if (!values.database.url) throw new Error('DATABASE_URL is missing: `npm start` provides one');
  return values.database.url;
}
