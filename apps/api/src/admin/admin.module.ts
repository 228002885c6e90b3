import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import type { Queues } from '#adapters/queue';
import type { Settings } from '#config';
import { queues, type RateCounters, rateCounters, settings } from '#wiring';
import { operatorGuard } from './operator-guard.ts';

const PATH = '/admin/queues';
const FAILURES_PER_MINUTE = 10;

/** The dashboard of queues for operators; not served without ADMIN_TOKEN. */
@Module({})
export class AdminModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(settings) private readonly values: Settings,
    @Inject(queues) private readonly queues: Queues,
    @Inject(rateCounters) private readonly counters: RateCounters,
  ) {}

  async onModuleInit(): Promise<void> {
    const { token } = this.values.admin;
    if (token === null) return;
    // Imported only if needed: it takes a quarter of a second.
    const { queueDashboard } = await import('./queue-dashboard.ts');
    const failures = this.counters({ name: 'failures:operator', points: FAILURES_PER_MINUTE, seconds: 60 });
    const app = this.http.httpAdapter.getInstance<Express>();
    app.use(PATH, operatorGuard(token, failures), ...queueDashboard(PATH, this.queues));
  }
}
