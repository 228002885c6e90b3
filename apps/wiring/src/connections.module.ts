import {
  Global,
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { connectPostgres, Database, type PostgresConnection } from '#adapters/postgres';
import { connectQueueToPostgres, connectQueueToRedis, type QueueConnection } from '#adapters/queue';
import { connectRedis, inspectRedis, type RedisConnection } from '#adapters/redis';
import type { Settings } from '#config';
import { StartError } from '#process';
import { atMostEvery } from './at-most-every.ts';
import { postgres, queue, redis, settings } from './platform.ts';

/** What a process is, as far as its connections go: a worker listens on every queue at once. */
export type ProcessKind = 'api' | 'worker';

/** The settings, and the connections to what they name; closed after everything that uses them. */
@Global()
@Module({})
export class ConnectionsModule implements OnApplicationShutdown {
  static forRoot(values: Settings, kind: ProcessKind): DynamicModule {
    const logger = new Logger('Connections');
    const say = atMostEvery(10, (message) => logger.error(message));
    const onError = ({ message }: Error): void => say(message);
    return {
      module: ConnectionsModule,
      providers: [
        { provide: settings, useValue: values },
        {
          provide: postgres,
          useFactory: async () => {
            const url = databaseUrl(values);
            const connection = await connectPostgres(url, { poolSize: values.database.poolSize, onError });
            await orRefuse(`PostgreSQL at ${new URL(url).host}`, connection.database.query('select'));
            return connection;
          },
        },
        {
          provide: redis,
          useFactory: async () => {
            if (values.redis.url === null) return null;
            const { url } = values.redis;
            const connection = await orRefuse(
              `Redis at ${new URL(url).host}`,
              connectRedis(url, { onError }),
            );
            const { flaws } = await inspectRedis(connection.client);
            for (const { finding, advice } of flaws) logger.warn(`Redis: ${finding}; ${advice}`);
            return connection;
          },
        },
        {
          provide: queue,
          useFactory: (by: RedisConnection | null) =>
            by
              ? connectQueueToRedis(by)
              : connectQueueToPostgres(databaseUrl(values), {
                  poolSize: kind === 'worker' ? 12 : 3,
                  onError,
                }),
          // After PostgreSQL, so that what is told is that, where both are the same.
          inject: [redis, postgres],
        },
        { provide: Database, useFactory: (to: PostgresConnection) => to.database, inject: [postgres] },
      ],
      exports: [settings, postgres, redis, queue, Database],
    };
  }

  readonly #postgres: PostgresConnection;
  readonly #redis: RedisConnection | null;
  readonly #queue: QueueConnection;

  constructor(
    @Inject(postgres) to: PostgresConnection,
    @Inject(redis) memory: RedisConnection | null,
    @Inject(queue) by: QueueConnection,
  ) {
    this.#postgres = to;
    this.#redis = memory;
    this.#queue = by;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#queue.close();
    this.#redis?.close();
    await this.#postgres.close();
  }
}

/** @throws StartError with what is wrong with `engine`, in one line */
async function orRefuse<T>(engine: string, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    const { message, code } = rootOf(error);
    throw new StartError(`${engine} can not be used: ${message || code}`, { cause: error });
  }
}

function rootOf(error: unknown): NodeJS.ErrnoException {
  return error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
}

function databaseUrl(values: Settings): string {
  if (!values.database.url) throw new Error('DATABASE_URL is missing: `npm start` provides one');
  return values.database.url;
}
