import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type ErrorCode } from '#kernel';
import type { RequestInterceptor, Exchange, RouteMethod } from './request-interceptor.ts';
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
export class ExistenceInterceptor implements RequestInterceptor {
  readonly #checks: ExistenceChecks;

  constructor(@Inject(ExistenceChecks) checks: ExistenceChecks) {
    this.#checks = checks;
  }

  concerns(method: RouteMethod): boolean {
    return existingTargets(method).length > 0;
  }

  async around({ request, method }: Exchange, next: () => Promise<unknown>): Promise<unknown> {
    try {
      return await next();
    } catch (error) {
      if (error instanceof DomainError && AFTER_EXISTENCE.includes(error.code)) {
        await this.#checks.require(existingTargets(method), request);
      }
      throw error;
    }
  }
}
