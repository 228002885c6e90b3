import { BullModule, getQueueToken } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Global,
  Inject,
  Logger,
  Module,
  type DynamicModule,
} from '@nestjs/common';
import type { Queue } from 'bullmq';
import { systemClock, type Clock } from '#kernel';
import { Database, PostgresUnitOfWork } from '#adapters/postgres';
import {
  LANES,
  Outbox,
  readyQueues,
  type Delivery,
  type QueueConnection,
  type Queues,
} from '#adapters/queue';
import type { Settings } from '#config';
import { atMostEvery } from './at-most-every.ts';
import { ConnectionsModule, type ProcessKind } from './connections.module.ts';
import { RegistryModule } from './metrics/registry.module.ts';
import { clock, jobs, queue, queues, unitOfWork } from './platform.ts';
import { provide } from './provide.ts';

/** What every room builds on: clock, transactions, jobs. */
@Global()
@Module({})
export class PlatformModule implements BeforeApplicationShutdown {
  static forRoot(settings: Settings, kind: ProcessKind): DynamicModule {
    const logger = new Logger('Outbox');
    const complain = atMostEvery(10, (message) => logger.error(message));
    const warn = atMostEvery(10, (message) => logger.warn(message));
    return {
      module: PlatformModule,
      imports: [
        ConnectionsModule.forRoot(settings, kind),
        RegistryModule,
        // Each with options of its own: those shared by `forRoot` count as optional, and a queue would go to localhost
        // when the connection it should have fails.
        BullModule.registerQueueAsync(
          ...LANES.map((name) => ({
            name,
            useFactory: ({ queues: options }: QueueConnection) => options,
            inject: [queue],
          })),
        ),
      ],
      providers: [
        { provide: clock, useValue: systemClock },
        provide(PostgresUnitOfWork, Database),
        { provide: unitOfWork, useExisting: PostgresUnitOfWork },
        {
          provide: queues,
          useFactory: (...opened: Queue<Delivery>[]) => readyQueues(opened, complain),
          inject: LANES.map((lane) => getQueueToken(lane)),
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

  constructor(@Inject(Outbox) outbox: Outbox) {
    this.#outbox = outbox;
  }

  /** Before anything is closed: a hand-over to a queue that is closed never ends. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#outbox.close();
  }
}
