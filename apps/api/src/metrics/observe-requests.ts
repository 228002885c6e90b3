import type { Request, Response } from 'express';
import { Histogram, type Registry } from 'prom-client';

/**
 * Measures requests by route template, as there are too many paths.
 *
 * @returns what is called when a request begins, which returns what is called when its response has ended
 */
export function observeRequests(registry: Registry) {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return (request: Request, response: Response): (() => void) => {
    const stop = durations.startTimer();
    return () => {
      stop({ method: methodOf(request), route: routeOf(request), status: response.statusCode });
    };
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method, if it is a common one. */
export function methodOf({ method }: Request): string {
  return METHODS.has(method) ? method : 'other';
}

/** The template of the route, or `none`. */
export function routeOf(request: Request): string {
  const path = (request.route as { path?: unknown } | undefined)?.path;
  // The path of a middleware is a pattern that matches everything.
  return typeof path === 'string' && path.startsWith('/') ? path : 'none';
}
