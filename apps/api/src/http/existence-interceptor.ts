import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { DomainError, type ErrorCode } from '#kernel';
import { existingTargets } from './existing.ts';
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

  constructor(@Inject(ExistenceChecks) checks: ExistenceChecks) {
    this.#checks = checks;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const targets = existingTargets(context.getHandler());
    if (targets.length === 0) return next.handle();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (error instanceof DomainError && AFTER_EXISTENCE.includes(error.code)) {
          await this.#checks.require(targets, context.switchToHttp().getRequest());
        }
        throw error;
      }),
    );
  }
}
