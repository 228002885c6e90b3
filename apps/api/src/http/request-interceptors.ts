import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  RequestMethod,
} from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Action } from '#identity';
import { requestCaller } from '#wiring';
import { BodyInterceptor } from './body/body-interceptor.ts';
import { ExistenceChecks } from './existence.ts';
import { IdempotencyInterceptor } from './idempotency/idempotency-interceptor.ts';
import { FailureLimitInterceptor } from './rate-limit/failure-limit.ts';
import { type ApiRequest, type Around, oncePerRoute, type RequestInterceptor, type RouteMethod } from './request.ts';
import { jsonResponses } from './responds.ts';
import { May } from './token-guard.ts';

/** Names the caller to the units of work of a request that may change something. */
const namesCaller: RequestInterceptor = {
  around(method) {
    if (Reflect.getMetadata(METHOD_METADATA, method) === RequestMethod.GET) return null;
    const action = Reflect.getMetadata(May.KEY, method) as Action | undefined;
    return ({ actor }, _response, next) => (actor ? requestCaller.run({ actor, action }, next) : next());
  },
};

/** Runs the interceptors of a route, as one interceptor of Nest's: each of those costs every request time. */
@Injectable()
export class RequestInterceptors implements NestInterceptor {
  private readonly aroundOf: (context: ExecutionContext) => Around | null;

  constructor(
    @Inject(ExistenceChecks) existence: ExistenceChecks,
    @Inject(BodyInterceptor) body: BodyInterceptor,
    @Inject(FailureLimitInterceptor) failureLimit: FailureLimitInterceptor,
    @Inject(IdempotencyInterceptor) idempotency: IdempotencyInterceptor,
  ) {
    // From the outside in: an outer one sees the errors of the inner ones.
    const all: readonly RequestInterceptor[] = [existence, body, failureLimit, idempotency, namesCaller, jsonResponses];
    this.aroundOf = oncePerRoute((context) => {
      const method = context.getHandler() as RouteMethod;
      return all.map((interceptor) => interceptor.around(method)).reduceRight(nested, null);
    });
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const around = this.aroundOf(context);
    if (!around) return next.handle();
    const http = context.switchToHttp();
    const call = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(around(http.getRequest<ApiRequest>(), http.getResponse<Response>(), call));
  }
}

function nested(inner: Around | null, outer: Around | null): Around | null {
  if (!inner || !outer) return inner ?? outer;
  return (request, response, next) => outer(request, response, () => inner(request, response, next));
}
