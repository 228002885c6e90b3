import type { NextFunction, Request, Response } from 'express';
import type { Tracing } from '#kernel';
import { methodOf, routeOf } from '../metrics/observe-requests.ts';
import type { ApiRequest } from './request.ts';

/** Probes and scrapes, which come every few seconds. */
const UNTRACED = /^\/(health\/|metrics)/;

/** Middleware: a span around each request, which continues the trace of a caller that sends `traceparent`. */
export function traceRequests(tracing: Tracing) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (UNTRACED.test(request.originalUrl)) return next();
    const method = methodOf(request);
    const { traceparent } = request.headers;
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    void tracing.span(method, { kind: 'server', parent }, async (span) => {
      const closed = new Promise((resolve) => response.once('close', resolve));
      next();
      await closed;
      const route = routeOf(request);
      const { id, actor } = request as ApiRequest;
      span.rename(`${method} ${route}`);
      span.describe({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': response.statusCode,
        'x12.request.id': id,
        ...(actor ? { 'x12.workspace.id': actor.workspaceId } : {}),
      });
      if (response.statusCode >= 500) span.fail();
    });
  };
}
