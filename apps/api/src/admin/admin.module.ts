import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { Database, PostgresOperatorViews } from '#adapters/postgres';
import type { Queues } from '#adapters/queue';
import {
  IdentityModule,
  MailModule,
  provide,
  provideMade,
  queues,
  rateCounters,
  settings,
  StorageModule,
} from '#wiring';
import { OperatorController } from './operator.controller.ts';
import { OperatorAccess, operatorAccess, operatorPages } from './operator-guard.ts';

const PATH = '/admin/queues';
const FAILURES_PER_MINUTE = 10;

/** The dashboard of queues and the API for operators. Without ADMIN_TOKEN both respond with 404. */
@Module({
  imports: [IdentityModule, MailModule, StorageModule],
  controllers: [OperatorController],
  providers: [
    provide(PostgresOperatorViews, Database),
    provideMade(operatorAccess, [settings, rateCounters], ({ admin: { token } }, counters) =>
      token === null
        ? null
        : new OperatorAccess(token, counters({ name: 'failures:operator', points: FAILURES_PER_MINUTE, seconds: 60 })),
    ),
  ],
})
export class AdminModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(operatorAccess) private readonly access: OperatorAccess | null,
    @Inject(queues) private readonly queues: Queues,
  ) {}

  async onModuleInit(): Promise<void> {
    if (!this.access) return;
    // Imported only if needed: it takes a quarter of a second.
    const { queueDashboard } = await import('./queue-dashboard.ts');
    const app = this.http.httpAdapter.getInstance<Express>();
    app.use(PATH, operatorPages(this.access), ...queueDashboard(PATH, this.queues));
  }
}
