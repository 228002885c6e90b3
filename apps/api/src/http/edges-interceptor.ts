import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { AnswerEdge } from './answer-edge.ts';
import type { ApiRequest } from './api-request.ts';
import { FormEdge } from './body/form-edge.ts';
import type { Edge, Exchange, RouteMethod } from './edge.ts';
import { ExistenceEdge } from './existence-edge.ts';
import { IdempotencyEdge } from './idempotency/idempotency-edge.ts';
import { FailureLimitEdge } from './rate-limit/failure-limit-edge.ts';

/** Runs the edges of a route: one interceptor for all of them, as each that Nest runs costs every request time. */
@Injectable()
export class EdgesInterceptor implements NestInterceptor {
  readonly #edges: readonly Edge[];
  readonly #edgesOf = new WeakMap<RouteMethod, readonly Edge[]>();

  constructor(
    @Inject(ExistenceEdge) existence: ExistenceEdge,
    @Inject(FormEdge) form: FormEdge,
    @Inject(FailureLimitEdge) failureLimit: FailureLimitEdge,
    @Inject(IdempotencyEdge) idempotency: IdempotencyEdge,
    @Inject(AnswerEdge) answer: AnswerEdge,
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

  #of(method: RouteMethod): readonly Edge[] {
    let edges = this.#edgesOf.get(method);
    if (!edges) {
      edges = this.#edges.filter((edge) => edge.concerns(method));
      this.#edgesOf.set(method, edges);
    }
    return edges;
  }
}
