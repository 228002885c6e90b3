import { Global, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { Database, PostgresIdempotencyKeys } from '#adapters/postgres';
import { IdentityModule, provide, settings } from '#wiring';
import { ResponseInterceptor } from './response-interceptor.ts';
import { BodyInterceptor } from './body/body-interceptor.ts';
import { RequestInterceptors } from './request-interceptors.ts';
import { ErrorFilter } from './error-filter.ts';
import { ExistenceChecks } from './existence-checks.ts';
import { ExistenceInterceptor } from './existence-interceptor.ts';
import { IdempotencyInterceptor } from './idempotency/idempotency-interceptor.ts';
import { FailureLimitInterceptor } from './rate-limit/failure-limit-interceptor.ts';
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
    ResponseInterceptor,
    ExistenceChecks,
    ExistenceInterceptor,
    FailureLimitInterceptor,
    BodyInterceptor,
    IdempotencyInterceptor,
    RequestLimits,
    Routes,
    sharedRateCounters,
    provide(PostgresIdempotencyKeys, Database),
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: TokenGuard },
    { provide: APP_INTERCEPTOR, useClass: RequestInterceptors },
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
