import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { BodyInterceptor } from './body/body-interceptor.ts';
import { ExistenceInterceptor } from './existence.ts';
import { IdempotencyInterceptor } from './idempotency/idempotency-interceptor.ts';
import { FailureLimitInterceptor } from './rate-limit/failure-limit.ts';
import type { ApiRequest, Exchange, RequestInterceptor, RouteMethod } from './request.ts';
import { ResponseInterceptor } from './responds.ts';

/** Runs the interceptors of a route, as one interceptor of Nest's: each of those costs every request time. */
@Injectable()
export class RequestInterceptors implements NestInterceptor {
  private readonly all: readonly RequestInterceptor[];
  private readonly byMethod = new WeakMap<RouteMethod, readonly RequestInterceptor[]>();

  constructor(
    @Inject(ExistenceInterceptor) existence: ExistenceInterceptor,
    @Inject(BodyInterceptor) body: BodyInterceptor,
    @Inject(FailureLimitInterceptor) failureLimit: FailureLimitInterceptor,
    @Inject(IdempotencyInterceptor) idempotency: IdempotencyInterceptor,
    @Inject(ResponseInterceptor) response: ResponseInterceptor,
  ) {
    // From the outside in: an outer one sees the errors of the inner ones.
    this.all = [existence, body, failureLimit, idempotency, response];
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const method = context.getHandler() as RouteMethod;
    const interceptors = this.of(method);
    if (interceptors.length === 0) return next.handle();
    const http = context.switchToHttp();
    const exchange: Exchange = {
      request: http.getRequest<ApiRequest>(),
      response: http.getResponse<Response>(),
      method,
    };
    const run = (index: number): Promise<unknown> =>
      index < interceptors.length
        ? interceptors[index]!.around(exchange, () => run(index + 1))
        : lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(run(0));
  }

  private of(method: RouteMethod): readonly RequestInterceptor[] {
    let interceptors = this.byMethod.get(method);
    if (!interceptors) {
      interceptors = this.all.filter((interceptor) => interceptor.concerns(method));
      this.byMethod.set(method, interceptors);
    }
    return interceptors;
  }
}
