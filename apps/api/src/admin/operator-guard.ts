import { createHash, timingSafeEqual } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { DomainError } from '#kernel';
import { type ApiRequest, bearerToken, clientAddress, errorBody } from '../http/index.ts';

/**
 * Requires the operator's token: as `Bearer`, or as the password of HTTP Basic with any user name, which browsers ask
 * for. After too many failed attempts an address has to wait.
 *
 * @param failures counts failed attempts by address
 */
export function operatorGuard(token: string, failures: RateLimiterAbstract): RequestHandler {
  const expected = digest(token);
  const logger = new Logger('OperatorGuard');

  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const address = clientAddress(request.ip);
    const seconds = await secondsToWait(address);
    if (seconds > 0) return refuseForNow(request, response, seconds);
    const presented = bearerToken(request) ?? basicPassword(request);
    if (presented !== null && timingSafeEqual(digest(presented), expected)) return next();
    // The first request of a browser has no password yet, which is no failed attempt.
    if (presented !== null) await count(address);
    response.setHeader('WWW-Authenticate', 'Basic realm="Operators", charset="UTF-8"');
    const error = new DomainError('unauthenticated', 'give the operator token as password');
    response.status(401).json(errorBody(error, (request as ApiRequest).id));
  };

  async function secondsToWait(address: string): Promise<number> {
    try {
      const counted = await failures.get(address);
      if (!counted || counted.consumedPoints < failures.points) return 0;
      return Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
    } catch (error) {
      logger.warn({ err: error }, 'failed attempts can not be counted');
      return 0;
    }
  }

  async function count(address: string): Promise<void> {
    logger.warn(`wrong operator token from ${address}`);
    // Rejects for too many attempts and for errors of the counter; the next attempt handles both.
    await failures.consume(address).catch(() => undefined);
  }
}

function refuseForNow(request: Request, response: Response, seconds: number): void {
  const error = new DomainError('rate_limited', `too many failed attempts; try again in ${seconds} seconds`);
  response.setHeader('Retry-After', seconds);
  response.status(429).json(errorBody(error, (request as ApiRequest).id));
}

function basicPassword(request: Request): string | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

/** Of fixed length, as comparing in constant time requires. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
