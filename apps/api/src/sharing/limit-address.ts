import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { DomainError, type ErrorCode } from '#kernel';
import { type RateCounters, rateCounters } from '#wiring';
import { type ApiRequest, clientAddress, type FieldValues, oncePerRoute, requestFields } from '../http/index.ts';

interface AddressLimit {
  /** Routes with the same name count together. */
  readonly name: string;
  readonly calls: number;
  readonly seconds: number;
  /** Only calls that try something, and end with this error, count; other calls are not limited. Default: all calls. */
  readonly tries?: {
    readonly isTry: (request: ApiRequest, fields: FieldValues) => boolean;
    readonly failsWith: ErrorCode;
  };
}

const ADDRESS_LIMIT = Symbol('address limit');

/** Limits the calls of an address to a route, over all links. */
export function LimitAddress(limit: AddressLimit): MethodDecorator {
  return applyDecorators(SetMetadata(ADDRESS_LIMIT, limit), UseInterceptors(AddressLimitInterceptor));
}

/** Counts each call before it is made, so that concurrent calls count too; calls that do not count are subtracted. */
@Injectable()
export class AddressLimitInterceptor implements NestInterceptor {
  readonly #logger = new Logger('RateLimit');
  readonly #limitOf = oncePerRoute((context) => {
    const limit = Reflect.getMetadata(ADDRESS_LIMIT, context.getHandler()) as AddressLimit;
    const { name, calls: points, seconds, tries } = limit;
    return { counter: this.counters({ name, points, seconds }), tries };
  });

  constructor(@Inject(rateCounters) private readonly counters: RateCounters) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.#call(context, next));
  }

  async #call(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const { counter, tries } = this.#limitOf(context);
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    if (tries && !tries.isTry(request, await requestFields(context)))
      return lastValueFrom(next.handle(), { defaultValue: undefined });
    const key = clientAddress(request.ip);
    await this.#count(counter, key, http.getResponse<Response>());
    try {
      const result = await lastValueFrom(next.handle(), { defaultValue: undefined });
      if (tries) await this.#takeBack(counter, key);
      return result;
    } catch (error) {
      const counts = !tries || (error instanceof DomainError && error.code === tries.failsWith);
      if (!counts) await this.#takeBack(counter, key);
      throw error;
    }
  }

  async #count(counter: RateLimiterAbstract, key: string, response: Response): Promise<void> {
    try {
      await counter.consume(key);
    } catch (refusedOrFailed) {
      if (!(refusedOrFailed instanceof RateLimiterRes)) {
        this.#logger.warn({ err: refusedOrFailed }, 'calls can not be counted');
        return;
      }
      const seconds = Math.max(1, Math.ceil(refusedOrFailed.msBeforeNext / 1000));
      response.setHeader('Retry-After', seconds);
      const minutes = Math.ceil(seconds / 60);
      throw new DomainError('rate_limited', `too many tries from your address: try again in ${minutes} minutes`);
    }
  }

  async #takeBack(counter: RateLimiterAbstract, key: string): Promise<void> {
    await counter.reward(key).catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'a call that does not count stays counted');
    });
  }
}
