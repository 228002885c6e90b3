import { Global, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { Database, PostgresIdempotencyKeys } from '#adapters/postgres';
import { FileUrlsModule, IdentityModule, provide, settings } from '#wiring';
import { ErrorFilter } from './error-filter.ts';
import { ExistenceChecks } from './existence.ts';
import { OwnOperations } from './own-operations.ts';
import { RequestLimits } from './rate-limit/request-limits.ts';
import { logParams } from './request-log.ts';
import { Routes } from './routes.ts';
import { SessionCookie } from './session-cookie.ts';
import { TokenGuard } from './token-guard.ts';

/** Parts that all controllers share: logging, guard and error filter. */
@Global()
@Module({
  imports: [
    DiscoveryModule,
    FileUrlsModule,
    IdentityModule,
    LoggerModule.forRootAsync({ useFactory: logParams, inject: [settings] }),
  ],
  providers: [
    ExistenceChecks,
    OwnOperations,
    RequestLimits,
    Routes,
    SessionCookie,
    provide(PostgresIdempotencyKeys, Database),
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: TokenGuard },
  ],
  exports: [
    ExistenceChecks,
    FileUrlsModule,
    OwnOperations,
    PostgresIdempotencyKeys,
    RequestLimits,
    Routes,
    SessionCookie,
  ],
})
export class HttpModule implements OnApplicationBootstrap {
  constructor(
    @Inject(Routes) private readonly routes: Routes,
    @Inject(ExistenceChecks) private readonly existence: ExistenceChecks,
  ) {}

  onApplicationBootstrap(): void {
    for (const { handler, existing } of this.routes.all()) {
      const unknown = existing.find(({ kind }) => !this.existence.has(kind));
      if (unknown) throw new Error(`${handler}: no existence check is registered for ${unknown.kind}`);
    }
  }
}
