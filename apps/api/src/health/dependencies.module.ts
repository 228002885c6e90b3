import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { ObjectStorage } from '#files';
import type { QueueConnection } from '#adapters/queue';
import { objectStorage, queue, StorageModule } from '#wiring';
import { HealthChecks } from './health-checks.ts';

/** Registers what the service depends on besides its database. */
@Module({ imports: [StorageModule] })
export class DependenciesModule implements OnModuleInit {
  readonly #checks: HealthChecks;
  readonly #queue: QueueConnection;
  readonly #storage: ObjectStorage;

  constructor(
    @Inject(HealthChecks) checks: HealthChecks,
    @Inject(queue) to: QueueConnection,
    @Inject(objectStorage) storage: ObjectStorage,
  ) {
    this.#checks = checks;
    this.#queue = to;
    this.#storage = storage;
  }

  onModuleInit(): void {
    // What is accepted without it waits in the outbox: better late than refused.
    this.#checks.register('queue', () => this.#queue.check(), { isNeeded: false });
    this.#checks.register('storage', () => this.#storage.head('files/health'));
  }
}
