import { Global, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { Database, PostgresIdempotencyKeys } from '#adapters/postgres';
import { IdentityModule, provide, settings } from '#wiring';
import { AnswerEdge } from './answer-edge.ts';
import { FormEdge } from './body/form-edge.ts';
import { EdgesInterceptor } from './edges-interceptor.ts';
import { ErrorFilter } from './error-filter.ts';
import { ExistenceChecks } from './existence-checks.ts';
import { ExistenceEdge } from './existence-edge.ts';
import { IdempotencyEdge } from './idempotency/idempotency-edge.ts';
import { FailureLimitEdge } from './rate-limit/failure-limit-edge.ts';
import { rateCounters, sharedRateCounters } from './rate-limit/rate-counters.ts';
import { RequestLimits } from './rate-limit/request-limits.ts';
import { requestLog } from './request-log.ts';
import { Routes } from './routes.ts';
import { TokenGuard } from './token-guard.ts';

/** The edges that every route shares. */
@Global()
@Module({
  imports: [
    DiscoveryModule,
    IdentityModule,
    LoggerModule.forRootAsync({ useFactory: requestLog, inject: [settings] }),
  ],
  providers: [
    AnswerEdge,
    ExistenceChecks,
    ExistenceEdge,
    FailureLimitEdge,
    FormEdge,
    IdempotencyEdge,
    RequestLimits,
    Routes,
    sharedRateCounters,
    provide(PostgresIdempotencyKeys, Database),
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: TokenGuard },
    { provide: APP_INTERCEPTOR, useClass: EdgesInterceptor },
  ],
  exports: [ExistenceChecks, rateCounters, Routes],
})
export class HttpModule implements OnApplicationBootstrap {
  readonly #routes: Routes;
  readonly #existence: ExistenceChecks;

  constructor(@Inject(Routes) routes: Routes, @Inject(ExistenceChecks) existence: ExistenceChecks) {
    this.#routes = routes;
    this.#existence = existence;
  }

  onApplicationBootstrap(): void {
    for (const { id, existing } of this.#routes.all()) {
      const unknown = existing.find(({ kind }) => !this.#existence.has(kind));
      if (unknown) throw new Error(`${id}: nothing registered knows whether a ${unknown.kind} exists`);
    }
  }
}
