import { randomUUID } from 'node:crypto';
import { Inject, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database, PostgresPresence, PostgresSignals } from '#adapters/postgres';
import { BoardWatch, Presence, TICK_MS } from '#review';
import { BoardModule, boardViews } from './board.module.ts';
import { atMostEvery } from './logging.ts';
import { provide, provideMade, SharedModule } from './provide.ts';
import { SignalsModule } from './signals.module.ts';

/** Event streams of boards. Only the API imports it. */
@SharedModule(
  [BoardModule, SignalsModule],
  provide(PostgresPresence, Database),
  provideMade(Presence, [PostgresPresence], (store) => {
    const logger = new Logger('Presence');
    const warn = atMostEvery(60, (message) => logger.warn(message));
    return new Presence(store, randomUUID(), (error) =>
      warn(`who looks at boards is not up to date: ${String(error)}`),
    );
  }),
  provide(BoardWatch, PostgresSignals, boardViews, Presence),
)
export class BoardLiveModule implements OnModuleInit, BeforeApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(BoardWatch) private readonly watch: BoardWatch,
    @Inject(Presence) private readonly presence: Presence,
  ) {}

  onModuleInit(): void {
    this.#timer = setInterval(() => {
      void this.presence.tick();
      // While the database is unavailable, streams stay open: the next check finds what changed.
      this.watch.check().catch(() => undefined);
    }, TICK_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.presence.close();
  }
}
