import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Global, Inject, Logger, Module, type DynamicModule } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Gate } from '#identity';
import { type Sealer, systemClock, Vault } from '#kernel';
import {
  Database,
  PostgresAuditLog,
  PostgresTeams,
  PostgresTokens,
  PostgresUnitOfWork,
  ProviderKeys,
  TwoFactorSecrets,
} from '#adapters/postgres';
import { Outbox, QUEUES, readyQueues, type Delivery, type QueueConnection } from '#adapters/queue';
import { AesSealer } from '#adapters/secrets';
import { secretKeys, type Settings } from '#config';
import { CheckedUnitOfWork } from './checked-unit-of-work.ts';
import { atMostEvery } from './logging.ts';
import { ConnectionsModule, type ProcessKind } from './connections.module.ts';
import { OpenConnections } from './open-connections.ts';
import { RegistryModule } from './metrics/metrics-server.ts';
import {
  auditEntries,
  auditLog,
  clock,
  graceDays,
  labelText,
  jobs,
  queue,
  queues,
  sealer,
  settings as currentSettings,
  tracing,
  unitOfWork,
} from './platform.ts';
import { provide, provideAs, provideMade } from './provide.ts';
import { RequestAuditLog } from './request-audit-log.ts';

/** Shared by all modules: connections, clock, transactions, jobs. */
@Global()
@Module({})
export class PlatformModule implements BeforeApplicationShutdown {
  /** @param opened for a caller that closes the connections when the program can't be made */
  static forRoot(settings: Settings, kind: ProcessKind, opened = new OpenConnections()): DynamicModule {
    const logger = new Logger('Outbox');
    const report = atMostEvery(10, (message) => logger.error(message));
    const warn = atMostEvery(10, (message) => logger.warn(message));
    return {
      module: PlatformModule,
      imports: [
        ConnectionsModule.forRoot(settings, kind, opened),
        RegistryModule,
        // Own options for each queue: BullModule treats shared options as optional, and a queue would connect to
        // localhost when its connection fails.
        BullModule.registerQueueAsync(
          ...QUEUES.map((name) => ({
            name,
            useFactory: ({ queues: options }: QueueConnection) => options,
            inject: [queue],
          })),
        ),
      ],
      providers: [
        { provide: clock, useValue: systemClock },
        provide(PostgresUnitOfWork, Database),
        { provide: sealer, useValue: new AesSealer(() => secretKeys(settings)) },
        provideMade(Vault, [sealer, Database], vaultOf),
        provideMade(graceDays, [currentSettings], ({ uploads }) => uploads.deleteGraceDays),
        provideMade(labelText, [currentSettings], ({ provenance }) => provenance.label),
        provideMade(Gate, [Database, clock], (database, time) => {
          const { plans, emailVerification } = settings.accounts;
          const rules = { plans, requiresVerifiedEmail: emailVerification === 'required' };
          return new Gate(new PostgresTokens(database), new PostgresTeams(database), rules, time);
        }),
        provideMade(unitOfWork, [PostgresUnitOfWork, Gate], (inner, gate) => {
          return new CheckedUnitOfWork(inner, gate, settings.database.poolSize);
        }),
        provideAs(auditEntries, PostgresAuditLog, Database),
        provideAs(auditLog, RequestAuditLog, auditEntries, clock),
        {
          provide: queues,
          useFactory: (...opened: Queue<Delivery>[]) => readyQueues(opened, report),
          inject: QUEUES.map((name) => getQueueToken(name)),
        },
        provideMade(Outbox, [tracing, Database, PostgresUnitOfWork, queues, clock], (traces, ...to) => {
          const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
          const onError = (error: unknown) =>
            warn(`jobs were not added to their queues, the next sweep adds them: ${reason(error)}`);
          return new Outbox(...to, onError, traces);
        }),
        { provide: jobs, useExisting: Outbox },
      ],
      exports: [
        auditEntries,
        auditLog,
        clock,
        graceDays,
        labelText,
        PostgresUnitOfWork,
        Gate,
        unitOfWork,
        sealer,
        Vault,
        queues,
        Outbox,
        jobs,
      ],
    };
  }

  constructor(@Inject(Outbox) private readonly outbox: Outbox) {}

  /** Before connections close: adding to a closed queue never ends. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.outbox.close();
  }
}

/** Each table that keeps sealed secrets is added here. */
export function vaultOf(opens: Sealer, database: Database): Vault {
  return new Vault(opens, [new TwoFactorSecrets(database), new ProviderKeys(database)]);
}
