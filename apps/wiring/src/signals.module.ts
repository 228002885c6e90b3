import { Inject, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { PostgresSignals } from '#adapters/postgres';
import { postgres } from './platform.ts';
import { provideMade } from './provide.ts';

/** Committed changes of what clients follow, from all processes. */
@Module({
  providers: [provideMade(PostgresSignals, [postgres], ({ pool }) => new PostgresSignals(pool))],
  exports: [PostgresSignals],
})
export class SignalsModule implements BeforeApplicationShutdown {
  constructor(@Inject(PostgresSignals) private readonly signals: PostgresSignals) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.signals.close();
  }
}
