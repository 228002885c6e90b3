import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Global, Logger, Module, type DynamicModule } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { systemClock, type Clock } from '#kernel';
import { Database, PostgresUnitOfWork } from '#adapters/postgres';
import { LANES, Outbox, type Delivery, type QueueConnection, type Queues } from '#adapters/queue';
import type { Settings } from '#config';
import { ConnectionsModule, type ProcessKind } from './connections.module.ts';
import { clock, jobs, queue, unitOfWork } from './platform.ts';
import { provide } from './provide.ts';

/** What every room builds on: clock, transactions, jobs. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot(settings: Settings, kind: ProcessKind): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ConnectionsModule.forRoot(settings, kind),
        BullModule.forRootAsync({
          useFactory: ({ connection }: QueueConnection) => ({ connection }),
          inject: [queue],
        }),
        BullModule.registerQueue(...LANES.map((name) => ({ name }))),
      ],
      providers: [
        { provide: clock, useValue: systemClock },
        provide(PostgresUnitOfWork, Database),
        { provide: unitOfWork, useExisting: PostgresUnitOfWork },
        {
          provide: Outbox,
          useFactory: openOutbox,
          inject: [Database, PostgresUnitOfWork, clock, ...LANES.map((lane) => getQueueToken(lane))],
        },
        { provide: jobs, useExisting: Outbox },
      ],
      exports: [clock, PostgresUnitOfWork, unitOfWork, Outbox, jobs, BullModule],
    };
  }
}

async function openOutbox(
  database: Database,
  work: PostgresUnitOfWork,
  time: Clock,
  ...queues: Queue<Delivery>[]
): Promise<Outbox> {
  const logger = new Logger('Outbox');
  for (const each of queues)
    each.on('error', (error) => logger.error(`queue ${each.name}: ${error.message}`));
  // A queue whose first connection fails never makes another one: such a process must not start.
  await Promise.all(queues.map((each) => each.waitUntilReady()));
  const byLane = Object.fromEntries(LANES.map((lane, index) => [lane, queues[index]])) as Queues;
  return new Outbox(database, work, byLane, time, (error) =>
    logger.warn(`jobs wait for the next sweep: ${error instanceof Error ? error.message : String(error)}`),
  );
}
