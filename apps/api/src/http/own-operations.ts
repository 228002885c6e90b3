import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DomainError, type ErrorCode, type FieldErrors } from '#kernel';
import { IDEMPOTENCY_HEADER } from './idempotency/idempotency-interceptor.ts';
import { markOwnConnection } from './own-calls.ts';
import type { ApiRequest } from './request.ts';

export interface OwnCall {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly json?: object;
  /** An `Idempotency-Key`. */
  readonly key?: string | undefined;
}

/**
 * Calls operations of this API within the process, for what speaks another protocol to the outside: with the caller's token,
 * through the same guard, limits, idempotency and validation as any other call.
 */
@Injectable()
export class OwnOperations {
  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  /**
   * @returns the body of the response, as the OpenAPI document describes it
   * @throws DomainError the refusal of the operation
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each operation has its own body
  async call({ headers, socket, id, token }: ApiRequest, { method, path, json, key }: OwnCall): Promise<any> {
    const [near, far] = duplexPair();
    // The server takes it for a connection of the caller.
    Object.assign(far, { remoteAddress: socket.remoteAddress });
    markOwnConnection(far);
    (this.host.httpAdapter.getHttpServer() as Server).emit('connection', far);
    const { host = 'localhost', 'x-forwarded-for': forwarded } = headers;
    const sent = request({
      // Without an agent: no connection is kept, as it is that of one caller.
      createConnection: () => near,
      method,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        host,
        'x-request-id': id,
        ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
        ...(key !== undefined && { [IDEMPOTENCY_HEADER]: key }),
        ...(json && { 'content-type': 'application/json' }),
      },
    });
    sent.end(json && JSON.stringify(json));
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const body: unknown = JSON.parse(await text(response));
      if (response.statusCode! >= 400) throw refusalOf(response, body as Refusal);
      return body;
    } finally {
      near.destroy();
    }
  }
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors?: FieldErrors;
}

function refusalOf({ headers }: IncomingMessage, { code, message, errors }: Refusal): DomainError {
  const retryAfter = headers['retry-after'];
  return new DomainError(code, message, {
    ...(errors && { fields: errors }),
    ...(retryAfter !== undefined && { retrySeconds: Number(retryAfter) }),
  });
}
