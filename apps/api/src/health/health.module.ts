import { Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { Database } from '#adapters/postgres';
import { HealthController } from './health.controller.ts';
import { HealthChecks } from './health-checks.ts';

/** Liveness and readiness; a module registers what it depends on with `HealthChecks` when it starts. */
@Global()
@Module({ controllers: [HealthController], providers: [HealthChecks], exports: [HealthChecks] })
export class HealthModule implements OnModuleInit {
  readonly #checks: HealthChecks;
  readonly #database: Database;

  constructor(@Inject(HealthChecks) checks: HealthChecks, @Inject(Database) database: Database) {
    this.#checks = checks;
    this.#database = database;
  }

  onModuleInit(): void {
    this.#checks.register('database', () => this.#database.query('select 1'));
  }
}
