import type { Response } from 'express';
import type { ApiRequest } from './api-request.ts';

/** A request on its way to a controller's method. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly response: Response;
  readonly method: RouteMethod;
}

/** A controller's method, which holds what its decorators say. */
export type RouteMethod = (...args: never[]) => unknown;

/** Something done around the methods of many routes. */
export interface RequestInterceptor {
  /** Whether there is anything to do for a method; asked once for each. */
  concerns(method: RouteMethod): boolean;

  /** @param next goes on inwards and resolves with what comes back, rejects with what is thrown there */
  around(exchange: Exchange, next: () => Promise<unknown>): Promise<unknown>;
}
