import { Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { DiskObjectStorage } from '#adapters/storage';
import type { ObjectStorage } from '#files';
import { DomainError } from '#kernel';
import { build, Database, prepared, readSchemaVersion } from '#adapters/postgres';
import type { QueueConnection } from '#adapters/queue';
import { objectStorage, queue, StorageModule } from '#wiring';
import { HealthChecks } from './health-checks.ts';
import { HealthController } from './health.controller.ts';

const PING = prepared<object>()(() => build.selectNoFrom(sql<number>`1`.as('one')));

/** Liveness and readiness; a module registers its dependencies with `HealthChecks` when it starts. */
@Global()
@Module({ controllers: [HealthController], providers: [HealthChecks], exports: [HealthChecks] })
export class HealthModule implements OnModuleInit {
  constructor(
    @Inject(HealthChecks) private readonly checks: HealthChecks,
    @Inject(Database) private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.checks.register('database', () => this.database.run(PING, {}), {
      isNeededToServe: true,
      current: () => this.#requireMigrations(),
      writes: () => this.database.checkWrites(),
    });
  }

  /** An API that starts before the migrations gets no requests until they have run. */
  async #requireMigrations(): Promise<void> {
    const { pending } = await readSchemaVersion(this.database);
    if (pending.length > 0) throw new DomainError('unavailable', `${pending.length} migrations are pending`);
  }
}

/** Registers the dependencies besides the database. */
@Module({ imports: [StorageModule] })
export class DependenciesModule implements OnModuleInit {
  constructor(
    @Inject(HealthChecks) private readonly checks: HealthChecks,
    @Inject(queue) private readonly queue: QueueConnection,
    @Inject(objectStorage) private readonly storage: ObjectStorage,
  ) {}

  onModuleInit(): void {
    // Jobs wait in the database while the queue is down: requests can be served without it.
    this.checks.register('queue', () => this.queue.check(), { isNeeded: false });
    const { storage } = this;
    // A bucket is never full.
    const writes = storage instanceof DiskObjectStorage ? { writes: () => storage.checkWrites() } : {};
    const space = () => storage.requireSpace();
    this.checks.register('storage', () => storage.head('files/health'), { space, ...writes });
  }
}
