import {
  Global,
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { systemClock, type Clock } from '#kernel';
import { Database, PostgresUnitOfWork } from '#adapters/postgres';
import { openQueues, Outbox, type QueueConnection, type Queues } from '#adapters/queue';
import type { Settings } from '#config';
import { atMostEvery } from './at-most-every.ts';
import { ConnectionsModule, type ProcessKind } from './connections.module.ts';
import { clock, jobs, queue, queues, unitOfWork } from './platform.ts';
import { provide } from './provide.ts';

/** What every room builds on: clock, transactions, jobs. */
@Global()
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  static forRoot(settings: Settings, kind: ProcessKind): DynamicModule {
    const logger = new Logger('Outbox');
    const complain = atMostEvery(10, (message) => logger.error(message));
    const warn = atMostEvery(10, (message) => logger.warn(message));
    return {
      module: PlatformModule,
      imports: [ConnectionsModule.forRoot(settings, kind)],
      providers: [
        { provide: clock, useValue: systemClock },
        provide(PostgresUnitOfWork, Database),
        { provide: unitOfWork, useExisting: PostgresUnitOfWork },
        {
          provide: queues,
          useFactory: (by: QueueConnection) => openQueues(by, complain),
          inject: [queue],
        },
        {
          provide: Outbox,
          useFactory: (database: Database, work: PostgresUnitOfWork, to: Queues, time: Clock) =>
            new Outbox(database, work, to, time, (error) =>
              warn(`jobs wait for the next sweep: ${error instanceof Error ? error.message : String(error)}`),
            ),
          inject: [Database, PostgresUnitOfWork, queues, clock],
        },
        { provide: jobs, useExisting: Outbox },
      ],
      exports: [clock, PostgresUnitOfWork, unitOfWork, queues, Outbox, jobs],
    };
  }

  readonly #outbox: Outbox;
  readonly #queues: Queues;

  constructor(@Inject(Outbox) outbox: Outbox, @Inject(queues) opened: Queues) {
    this.#outbox = outbox;
    this.#queues = opened;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#outbox.close();
    await Promise.all(Object.values(this.#queues).map((each) => each.close()));
  }
}
