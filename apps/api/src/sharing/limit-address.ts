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
import { DomainError } from '#kernel';
import { type RateCounters, rateCounters } from '#wiring';
import { type ApiRequest, clientAddress, oncePerRoute } from '../http/index.ts';

interface AddressLimit {
  /** Routes with the same name count together. */
  readonly name: string;
  readonly calls: number;
  readonly seconds: number;
}

const ADDRESS_LIMIT = Symbol('address limit');

/** Limits what an address adds by a route, over all links. */
export function LimitAddress(limit: AddressLimit): MethodDecorator {
  return applyDecorators(SetMetadata(ADDRESS_LIMIT, limit), UseInterceptors(AddressLimitInterceptor));
}

/** Counts each call before it is made, so that concurrent calls count too; calls that fail are subtracted. */
@Injectable()
export class AddressLimitInterceptor implements NestInterceptor {
  readonly #logger = new Logger('RateLimit');
  readonly #counterOf = oncePerRoute((context) => {
    const { name, calls, seconds } = Reflect.getMetadata(ADDRESS_LIMIT, context.getHandler()) as AddressLimit;
    return this.counters({ name, points: calls, seconds });
  });

  constructor(@Inject(rateCounters) private readonly counters: RateCounters) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.#call(context, next));
  }

  async #call(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const counter = this.#counterOf(context);
    const http = context.switchToHttp();
    const key = clientAddress(http.getRequest<ApiRequest>().ip);
    await this.#count(counter, key, http.getResponse<Response>());
    try {
      return await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      await this.#takeBack(counter, key);
      throw error;
    }
  }

  async #count(counter: RateLimiterAbstract, key: string, response: Response): Promise<void> {
    try {
      await counter.consume(key);
    } catch (refusedOrFailed) {
      if (!(refusedOrFailed instanceof RateLimiterRes)) {
        this.#logger.warn({ err: refusedOrFailed }, 'calls cannot be counted');
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
