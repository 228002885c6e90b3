import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Router, type Express, type RequestHandler } from 'express';
import { MachineTokens, Operators } from '#identity';
import { Database, PostgresOperatorViews } from '#adapters/postgres';
import type { Queues } from '#adapters/queue';
import {
  CreditsModule,
  ErasureModule,
  GenerationModule,
  IdentityModule,
  MailModule,
  provide,
  provideMade,
  queues,
  rateCounters,
  settings,
  StorageModule,
  TeamModule,
} from '#wiring';
import { SessionCookie } from '../http/index.ts';
import { CatalogueController } from './catalogue.controller.ts';
import { MachineTokensController } from './machine-tokens.controller.ts';
import { ModelUsageController } from './model-usage.controller.ts';
import { OperatorController } from './operator.controller.ts';
import { OperatorAccess, operatorPages } from './operator-guard.ts';
import { TrialsController } from './trials.controller.ts';
import { UsersController } from './users.controller.ts';
import { WorkspacesController } from './workspaces.controller.ts';

const PATH = '/admin/queues';
const FAILURES_PER_MINUTE = 10;

/** The dashboard of queues and the API for operators. */
@Module({
  imports: [CreditsModule, ErasureModule, GenerationModule, IdentityModule, MailModule, StorageModule, TeamModule],
  controllers: [
    OperatorController,
    CatalogueController,
    MachineTokensController,
    ModelUsageController,
    TrialsController,
    UsersController,
    WorkspacesController,
  ],
  providers: [
    provide(PostgresOperatorViews, Database),
    provideMade(
      OperatorAccess,
      [settings, rateCounters, Operators, MachineTokens, SessionCookie],
      ({ admin: { token } }, counters, operators, machineTokens, cookie) => {
        const failures = counters({ name: 'failures:operator', points: FAILURES_PER_MINUTE, seconds: 60 });
        return new OperatorAccess(token, failures, operators, machineTokens, cookie);
      },
    ),
  ],
})
export class AdminModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(OperatorAccess) private readonly access: OperatorAccess,
    @Inject(queues) private readonly queues: Queues,
  ) {}

  onModuleInit(): void {
    const app = this.http.httpAdapter.getInstance<Express>();
    app.use(PATH, operatorPages(this.access), this.#dashboard());
  }

  /** Imported with the first request: it takes a quarter of a second. */
  #dashboard(): RequestHandler {
    let loading: Promise<Router> | undefined;
    const load = async () => {
      const { queueDashboard } = await import('./queue-dashboard.ts');
      return Router().use(...queueDashboard(PATH, this.queues));
    };
    return async (request, response, next) => (await (loading ??= load()))(request, response, next);
  }
}
