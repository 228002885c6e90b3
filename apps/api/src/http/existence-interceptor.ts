import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { catchError, type Observable } from 'rxjs';
import { DomainError, type ErrorCode } from '#kernel';
import { EXISTING, type ExistingTarget } from './existing.ts';
import { ExistenceChecks } from './existence-checks.ts';

/** Refusals that come after existence in the order of checks. */
const AFTER_EXISTENCE: readonly ErrorCode[] = [
  'plan_required',
  'forbidden',
  'validation_failed',
  'too_large',
  'unsupported_media_type',
];

/** Turns a refusal into 404 where `@Existing` says that the caller must not learn more. */
@Injectable()
export class ExistenceInterceptor implements NestInterceptor {
  readonly #checks: ExistenceChecks;
  readonly #reflector: Reflector;

  constructor(@Inject(ExistenceChecks) checks: ExistenceChecks, @Inject(Reflector) reflector: Reflector) {
    this.#checks = checks;
    this.#reflector = reflector;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const target = this.#reflector.get<ExistingTarget | undefined>(EXISTING, context.getHandler());
    if (!target) return next.handle();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (error instanceof DomainError && AFTER_EXISTENCE.includes(error.code)) {
          await this.#checks.require(target, context.switchToHttp().getRequest());
        }
        throw error;
      }),
    );
  }
}
