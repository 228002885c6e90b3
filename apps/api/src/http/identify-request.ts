import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { ApiRequest } from './api-request.ts';

/** Gives the request its id: the client's own where it is fit for logs and headers. */
export function identifyRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(given) ? given : randomUUID();
  (request as ApiRequest).id = id;
  response.setHeader('X-Request-Id', id);
  next();
}
