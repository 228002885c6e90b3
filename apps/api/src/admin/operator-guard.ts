import { createHash, timingSafeEqual } from 'node:crypto';
import { applyDecorators, Controller, Inject, Injectable, Logger, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { DomainError } from '#kernel';
import { assertOperates, isMachineSecret, type MachineTokens, type Operator, type Operators } from '#identity';
import type { RequestOperator } from '#wiring';
import {
  type ApiRequest,
  bearerToken,
  clientAddress,
  errorBody,
  hasBearer,
  Public,
  SessionCookie,
  statusOf,
} from '../http/index.ts';

/**
 * Admits operators: by the session of an account that is an operator, by ADMIN_TOKEN, or by a machine token, as far as its
 * scopes allow. After too many wrong tokens, further wrong ones have to wait, by address.
 */
export class OperatorAccess {
  readonly #expected: Buffer | null;
  readonly #logger = new Logger('OperatorGuard');

  /**
   * @param token ADMIN_TOKEN; `null` without it
   * @param failures counts failed attempts by address
   */
  constructor(
    token: string | null,
    private readonly failures: RateLimiterAbstract,
    private readonly operators: Pick<Operators, 'bySession' | 'refuseDerived'>,
    private readonly machineTokens: Pick<MachineTokens, 'find'>,
    private readonly cookie: SessionCookie,
  ) {
    this.#expected = token === null ? null : digest(token);
  }

  /**
   * @returns the operator of the session, or the machine token; `null` for ADMIN_TOKEN
   * @throws DomainError `rate_limited`, with `Retry-After` on the response; `unauthenticated`; `not_found` without
   * ADMIN_TOKEN, for others than operators; `email_unverified`; `forbidden` for a change by cookie that another site may
   * have sent, and for a session of an operator that an API token has opened; `insufficient_scope`
   */
  async require(presented: string | null, request: Request, response: Response): Promise<RequestOperator> {
    const operator = await this.#operatorOf(request);
    if (operator) return { userId: operator.id, tokenId: operator.tokenId };
    // Before the wait: others who try tokens at the same address, such as a proxy's, must not keep operators out.
    if (this.#expected && presented !== null && timingSafeEqual(digest(presented), this.#expected)) return null;
    const machineToken = presented === null ? null : await this.machineTokens.find(presented);
    if (machineToken) {
      assertOperates(machineToken, { isRead: ['GET', 'HEAD'].includes(request.method) });
      return { machineToken: { id: machineToken.id, name: machineToken.name } };
    }
    const secret = this.#secretOf(request);
    if (secret !== null) await this.operators.refuseDerived(secret);
    if (!this.#expected && !isMachineSecret(presented ?? '')) throw new DomainError('not_found', 'no such endpoint');
    const address = clientAddress(request.ip);
    const seconds = await this.#secondsToWait(address);
    if (seconds > 0) {
      response.setHeader('Retry-After', seconds);
      throw new DomainError('rate_limited', `too many failed attempts; try again in ${seconds} seconds`);
    }
    // The first request of a browser has no password yet: this is not a failed attempt.
    if (presented !== null) await this.#count(address);
    throw new DomainError('unauthenticated', 'give the operator token as password');
  }

  async #operatorOf(request: Request): Promise<Operator | null> {
    const secret = this.#secretOf(request);
    const operator = secret === null ? null : await this.operators.bySession(secret);
    if (operator && !hasBearer(request)) this.cookie.requireOwnPage(request);
    return operator;
  }

  #secretOf(request: Request): string | null {
    return hasBearer(request) ? bearerToken(request) : this.cookie.tokenOf(request);
  }

  async #secondsToWait(address: string): Promise<number> {
    try {
      const counted = await this.failures.get(address);
      if (!counted || counted.consumedPoints < this.failures.points) return 0;
      return Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
    } catch (error) {
      this.#logger.warn({ err: error }, 'failed attempts cannot be counted');
      return 0;
    }
  }

  async #count(address: string): Promise<void> {
    this.#logger.warn(`wrong operator token from ${address}`);
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
      if (error.code === 'unauthenticated') {
        response.setHeader('WWW-Authenticate', 'Basic realm="Operators", charset="UTF-8"');
      }
      response.status(statusOf(error.code)).json(errorBody(error, (request as ApiRequest).id));
      return;
    }
    next();
  };
}

/** For the API of operators: takes ADMIN_TOKEN as `Bearer` only, which no browser adds by itself. */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(@Inject(OperatorAccess) private readonly access: OperatorAccess) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const token = bearerToken(request);
    request.operator = await this.access.require(token, request, http.getResponse<Response>());
    // Seals stored responses; a response to a session by cookie is sealed as that of a caller without a token.
    if (token !== null) request.token = token;
    return true;
  }
}

/**
 * @returns the user id of the operator; `null` for ADMIN_TOKEN
 * @throws DomainError `forbidden` for a machine token: only operators themselves give and take the right to operate
 */
export function requirePerson({ operator = null }: ApiRequest): number | null {
  if (!operator) return null;
  if ('userId' in operator) return operator.userId;
  throw new DomainError('forbidden', 'a machine token cannot do this: use ADMIN_TOKEN, or the session of an operator');
}

function basicPassword(request: Request): string | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

/** Digest of fixed length, as comparing in constant time requires. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A controller for operators, below `/admin/api`. */
export const ForOperators = (path = ''): ClassDecorator =>
  applyDecorators(Controller(`admin/api/${path}`), Public(), UseGuards(OperatorGuard));
