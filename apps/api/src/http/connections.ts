import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError, type ErrorCode, invalidField } from '#kernel';
import { hasBody } from './body/read-body.ts';
import { errorBody, statusOf } from './errors.ts';
import { type ApiRequest, COMMON_HEADERS } from './request.ts';

/** How long a client may occupy a connection. */
export interface ConnectionLimits {
  readonly headersMs: number;
  /** For the body of a request, except uploads. */
  readonly bodyMs: number;
  /** The connection ends if the body brings less than `minBytes` in this time; for uploads the time is `bodyMs`. */
  readonly progressMs: number;
  readonly minBytes: number;
  /** Bytes of the body that are read after an early response, so that the client receives it. */
  readonly lingerMs: number;
  readonly lingerBytes: number;
  /** Maximum idle time between two requests of a connection. */
  readonly idleMs: number;
  /** Requests of one connection that wait for their responses. */
  readonly unanswered: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 10_000,
  bodyMs: 29_000,
  progressMs: 10_000,
  minBytes: 5000,
  lingerMs: 5000,
  lingerBytes: 4 * 1024 * 1024,
  // Longer than clients and proxies keep idle connections, so that they close first and no request is lost.
  idleMs: 65_000,
  unanswered: 20,
};

/** Errors of the HTTP parser, by code; for any other code the request is not valid HTTP. */
const PARSER_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'the URL and the headers must have at most 16384 bytes together'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['too_large', 'leave out the chunk extensions'],
  HPE_INVALID_EOF_STATE: ['validation_failed', 'the request ended before it was complete'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'the request did not arrive in time: send it faster'],
};

/** Configures a server before it listens. */
export function limitConnections(server: Server, limits: ConnectionLimits, uploadMs: number): void {
  const logger = new Logger('Http');
  const refused = new WeakSet<Socket>();
  const checking = { connectionsCheckingInterval: limits.headersMs / 5, requireHostHeader: false };
  // Node counts the time for headers from the first byte of a request, not while the connection is idle.
  const times = { headersTimeout: limits.headersMs, keepAliveTimeout: limits.idleMs, requestTimeout: uploadMs };
  Object.assign(server, checking, times);
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse }) => {
    // Each further chunk of a refused client is another error.
    if (refused.has(socket)) return;
    if (!socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
    refused.add(socket);
    const [code, message] = PARSER_ERRORS[error.code!] ?? ['validation_failed', 'the request is not valid HTTP'];
    const id = randomUUID();
    logger.log({ request_id: id, err: error, msg: message });
    socket.end(rawResponse(new DomainError(code, message), id));
    setTimeout(() => socket.destroy(), limits.lingerMs).unref();
  });
}

function rawResponse(error: DomainError, id: string): string {
  const body = JSON.stringify(errorBody(error, id));
  const headers = [
    ...COMMON_HEADERS,
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', Buffer.byteLength(body)],
    ['Connection', 'close'],
    ['X-Request-Id', id],
  ];
  const lines = [`HTTP/1.1 ${statusOf(error.code)} Refused`, ...headers.map((each) => each.join(': '))];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

const unansweredOf = new WeakMap<Socket, number>();

/** @returns how many requests of the connection wait for a response, after one more or one less */
export function countUnanswered(socket: Socket, change: 1 | -1): number {
  const unanswered = (unansweredOf.get(socket) ?? 0) + change;
  unansweredOf.set(socket, unanswered);
  return unanswered;
}

/**
 * Pipelined requests arrive together, and would be worked on together.
 *
 * @throws DomainError `rate_limited` for one too many; the connection ends with its response
 */
export function limitUnanswered(unanswered: number, response: Response, { unanswered: limit }: ConnectionLimits): void {
  if (unanswered <= limit) return;
  response.setHeader('Connection', 'close');
  throw new DomainError('rate_limited', `a connection may have ${limit} requests without a response`);
}

/**
 * Proxies and this service may read several Host headers, or none, differently.
 *
 * @throws DomainError `validation_failed` without exactly one
 */
export function requireOneHost(request: Request, response: Response): void {
  const { host = [] } = request.headersDistinct;
  if (host.length === 1 || (host.length === 0 && request.httpVersion === '1.0')) return;
  response.setHeader('Connection', 'close');
  throw invalidField('Host', 'must be given once');
}

/** Ends the connection if the body comes too slowly, or not to its end after an early response. */
export function limitBody(request: ApiRequest, response: Response, limits: ConnectionLimits): void {
  if (!hasBody(request)) return;
  // Most bodies come with the headers: they need no watch.
  setImmediate(() => {
    if (!request.complete) endSlowBody(request, response, limits);
  });
  response.once('finish', () => drain(request, limits));
}

function endSlowBody(request: ApiRequest, response: Response, limits: ConnectionLimits): void {
  const { socket } = request;
  const { bodyMs, progressMs, minBytes } = limits;
  const startedAt = Date.now();
  let [since, bytes] = [startedAt, socket.bytesRead];
  const timer = setInterval(() => {
    if (request.complete || response.writableEnded || socket.destroyed) return clearInterval(timer);
    const now = Date.now();
    const isLate = !request.isUpload && now - startedAt >= bodyMs;
    if (!isLate && now - since < (request.isUpload ? bodyMs : progressMs)) return;
    // Bytes that wait to be read are our delay, not the client's.
    if (!isLate && (socket.bytesRead - bytes >= minBytes || request.readableLength > 0)) {
      [since, bytes] = [now, socket.bytesRead];
      return;
    }
    clearInterval(timer);
    refuseSlow(request, response);
  }, progressMs / 20);
  request.once('close', () => clearInterval(timer));
}

function refuseSlow(request: ApiRequest, response: Response): void {
  if (response.headersSent) return void request.socket.destroy();
  const error = new DomainError(...PARSER_ERRORS.ERR_HTTP_REQUEST_TIMEOUT!);
  response.setHeader('Connection', 'close');
  response.status(statusOf(error.code)).json(errorBody(error, request.id));
}

/** Reads on after an early response, then closes the connection. */
function drain(request: ApiRequest, { lingerMs, lingerBytes }: ConnectionLimits): void {
  if (request.complete) return;
  const { socket } = request;
  const [until, maxRead] = [Date.now() + lingerMs, socket.bytesRead + lingerBytes];
  request.resume();
  const timer = setInterval(() => {
    if (!request.complete && Date.now() < until && socket.bytesRead < maxRead) return;
    clearInterval(timer);
    if (!request.complete) socket.destroy();
  }, lingerMs / 10);
}
