import { performance } from 'node:perf_hooks';
import type { Response } from 'express';
import type { ApiRequest } from './request.ts';

/**
 * Sends `Server-Timing` with the headers of the response: milliseconds of the service's own work (`x12`), and of waiting for
 * vendors, the storage and generations (`wait`).
 */
export function timeResponse(request: ApiRequest, response: Response): void {
  const startedAt = performance.now();
  const writeHead = response.writeHead;
  response.writeHead = function (this: Response, ...args: Parameters<typeof writeHead>) {
    if (!response.headersSent) {
      const wait = request.waits?.ms ?? 0;
      const own = Math.max(0, performance.now() - startedAt - wait);
      response.setHeader('Server-Timing', `x12;dur=${own.toFixed(1)}, wait;dur=${wait.toFixed(1)}`);
    }
    return writeHead.apply(this, args);
  } as typeof writeHead;
}
