import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ResponseInterceptor } from './response-interceptor.ts';
import type { ApiRequest } from './api-request.ts';
import { BodyInterceptor } from './body/body-interceptor.ts';
import type { RequestInterceptor, Exchange, RouteMethod } from './request-interceptor.ts';
import { ExistenceInterceptor } from './existence-interceptor.ts';
import { IdempotencyInterceptor } from './idempotency/idempotency-interceptor.ts';
import { FailureLimitInterceptor } from './rate-limit/failure-limit-interceptor.ts';

/** Runs the edges of a route: one interceptor for all of them, as each that Nest runs costs every request time. */
@Injectable()
export class RequestInterceptors implements NestInterceptor {
  readonly #edges: readonly RequestInterceptor[];
  readonly #edgesOf = new WeakMap<RouteMethod, readonly RequestInterceptor[]>();

  constructor(
    @Inject(ExistenceInterceptor) existence: ExistenceInterceptor,
    @Inject(BodyInterceptor) form: BodyInterceptor,
    @Inject(FailureLimitInterceptor) failureLimit: FailureLimitInterceptor,
    @Inject(IdempotencyInterceptor) idempotency: IdempotencyInterceptor,
    @Inject(ResponseInterceptor) answer: ResponseInterceptor,
  ) {
    // From the outside in: what an inner one throws, an outer one sees.
    this.#edges = [existence, form, failureLimit, idempotency, answer];
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const method = context.getHandler() as RouteMethod;
    const edges = this.#of(method);
    if (edges.length === 0) return next.handle();
    const http = context.switchToHttp();
    const exchange: Exchange = {
      request: http.getRequest<ApiRequest>(),
      response: http.getResponse<Response>(),
      method,
    };
    const run = (index: number): Promise<unknown> =>
      index < edges.length
        ? edges[index]!.around(exchange, () => run(index + 1))
        : lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(run(0));
  }

  #of(method: RouteMethod): readonly RequestInterceptor[] {
    let edges = this.#edgesOf.get(method);
    if (!edges) {
      edges = this.#edges.filter((edge) => edge.concerns(method));
      this.#edgesOf.set(method, edges);
    }
    return edges;
  }
}
