import { getQueueToken } from '@nestjs/bullmq';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { ObjectStorage } from '#upload';
import { LANES } from '#adapters/queue';
import { objectStorage, StorageModule } from '#wiring';
import { HealthChecks } from './health-checks.ts';

/** Registers what the service depends on besides its database. */
@Module({ imports: [StorageModule] })
export class DependenciesModule implements OnModuleInit {
  readonly #checks: HealthChecks;
  readonly #queue: Queue;
  readonly #storage: ObjectStorage;

  constructor(
    @Inject(HealthChecks) checks: HealthChecks,
    @Inject(getQueueToken(LANES[0])) queue: Queue,
    @Inject(objectStorage) storage: ObjectStorage,
  ) {
    this.#checks = checks;
    this.#queue = queue;
    this.#storage = storage;
  }

  onModuleInit(): void {
    this.#checks.register('queue', () => this.#queue.isPaused());
    this.#checks.register('storage', () => this.#storage.head('files/health'));
  }
}
