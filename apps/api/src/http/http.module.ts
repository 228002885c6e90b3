import { Global, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { Database, PostgresIdempotencyKeys } from '#adapters/postgres';
import { IdentityModule, provide, settings } from '#wiring';
import { BodyInterceptor } from './body/body-interceptor.ts';
import { ErrorFilter } from './error-filter.ts';
import { ExistenceChecks } from './existence.ts';
import { IdempotencyInterceptor } from './idempotency/idempotency-interceptor.ts';
import { FailureLimitInterceptor } from './rate-limit/failure-limit.ts';
import { RequestLimits } from './rate-limit/request-limits.ts';
import { RequestInterceptors } from './request-interceptors.ts';
import { requestLog } from './request-log.ts';
import { Routes } from './routes.ts';
import { SessionCookie } from './session-cookie.ts';
import { TokenGuard } from './token-guard.ts';

/** What all controllers share: logging, guard, interceptors and error filter. */
@Global()
@Module({
  imports: [DiscoveryModule, IdentityModule, LoggerModule.forRootAsync({ useFactory: requestLog, inject: [settings] })],
  providers: [
    BodyInterceptor,
    ExistenceChecks,
    FailureLimitInterceptor,
    IdempotencyInterceptor,
    RequestLimits,
    Routes,
    SessionCookie,
    provide(PostgresIdempotencyKeys, Database),
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: TokenGuard },
    { provide: APP_INTERCEPTOR, useClass: RequestInterceptors },
  ],
  exports: [ExistenceChecks, RequestLimits, Routes, SessionCookie],
})
export class HttpModule implements OnApplicationBootstrap {
  constructor(
    @Inject(Routes) private readonly routes: Routes,
    @Inject(ExistenceChecks) private readonly existence: ExistenceChecks,
  ) {}

  onApplicationBootstrap(): void {
    for (const { id, existing } of this.routes.all()) {
      const unknown = existing.find(({ kind }) => !this.existence.has(kind));
      if (unknown) throw new Error(`${id}: no existence check is registered for ${unknown.kind}`);
    }
  }
}
