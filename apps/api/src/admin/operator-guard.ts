import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { DomainError } from '#kernel';
import { token as tokenOf } from '#wiring';
import { type ApiRequest, bearerToken, clientAddress, errorBody } from '../http/index.ts';

/** `null` without ADMIN_TOKEN. */
export const operatorAccess = tokenOf<OperatorAccess | null>('OperatorAccess');

/** Checks the operator's token. After too many failed attempts, an address has to wait. */
export class OperatorAccess {
  private readonly expected: Buffer;
  private readonly logger = new Logger('OperatorGuard');

  /** @param failures counts failed attempts by address */
  constructor(
    token: string,
    private readonly failures: RateLimiterAbstract,
  ) {
    this.expected = digest(token);
  }

  /** @throws DomainError `rate_limited`, with `Retry-After` on the response; `unauthenticated` */
  async require(presented: string | null, request: Request, response: Response): Promise<void> {
    const address = clientAddress(request.ip);
    const seconds = await this.secondsToWait(address);
    if (seconds > 0) {
      response.setHeader('Retry-After', seconds);
      throw new DomainError('rate_limited', `too many failed attempts; try again in ${seconds} seconds`);
    }
    if (presented !== null && timingSafeEqual(digest(presented), this.expected)) return;
    // The first request of a browser has no password yet: this is not a failed attempt.
    if (presented !== null) await this.count(address);
    throw new DomainError('unauthenticated', 'give the operator token as password');
  }

  private async secondsToWait(address: string): Promise<number> {
    try {
      const counted = await this.failures.get(address);
      if (!counted || counted.consumedPoints < this.failures.points) return 0;
      return Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
    } catch (error) {
      this.logger.warn({ err: error }, 'failed attempts can not be counted');
      return 0;
    }
  }

  private async count(address: string): Promise<void> {
    this.logger.warn(`wrong operator token from ${address}`);
    // Rejects for too many attempts and for errors of the counter; the next attempt handles both.
    await this.failures.consume(address).catch(() => undefined);
  }
}

/** For pages: takes the token as the password of HTTP Basic too, with any user name, which browsers ask for. */
export function operatorPages(access: OperatorAccess): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    try {
      await access.require(bearerToken(request) ?? basicPassword(request), request, response);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const isLocked = error.code === 'unauthenticated';
      if (isLocked) response.setHeader('WWW-Authenticate', 'Basic realm="Operators", charset="UTF-8"');
      response.status(isLocked ? 401 : 429).json(errorBody(error, (request as ApiRequest).id));
      return;
    }
    next();
  };
}

/**
 * For the API of operators: takes the token as `Bearer` only, which no browser adds by itself. Without ADMIN_TOKEN it
 * responds with 404.
 */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(@Inject(operatorAccess) private readonly access: OperatorAccess | null) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    if (!this.access) throw new DomainError('not_found', 'no such endpoint');
    const request = http.getRequest<Request>();
    await this.access.require(bearerToken(request), request, http.getResponse<Response>());
    return true;
  }
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
