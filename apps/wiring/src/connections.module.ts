import {
  Global,
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { connectPostgres, Database, type PostgresConnection } from '#adapters/postgres';
import { connectQueueToPostgres, type QueueConnection } from '#adapters/queue';
import type { Settings } from '#config';
import { postgres, queue, settings } from './platform.ts';

/** What a process is, as far as its connections go: a worker listens on every queue at once. */
export type ProcessKind = 'api' | 'worker';

/** The settings, and the connections to what they name; closed after everything that uses them. */
@Global()
@Module({})
export class ConnectionsModule implements OnApplicationShutdown {
  static forRoot(values: Settings, kind: ProcessKind): DynamicModule {
    const logger = new Logger('Connections');
    const onError = (error: Error): void => logger.error(error.message);
    return {
      module: ConnectionsModule,
      providers: [
        { provide: settings, useValue: values },
        {
          provide: postgres,
          useFactory: () =>
            connectPostgres(databaseUrl(values), { poolSize: values.database.poolSize, onError }),
        },
        {
          provide: queue,
          useFactory: () =>
            connectQueueToPostgres(databaseUrl(values), { poolSize: kind === 'worker' ? 12 : 3, onError }),
        },
        { provide: Database, useFactory: (to: PostgresConnection) => to.database, inject: [postgres] },
      ],
      exports: [settings, postgres, queue, Database],
    };
  }

  readonly #postgres: PostgresConnection;
  readonly #queue: QueueConnection;

  constructor(@Inject(postgres) to: PostgresConnection, @Inject(queue) by: QueueConnection) {
    this.#postgres = to;
    this.#queue = by;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#queue.close();
    await this.#postgres.close();
  }
}

function databaseUrl(values: Settings): string {
  if (!values.database.url) throw new Error('DATABASE_URL is missing: `npm start` provides one');
  return values.database.url;
}
