import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import type { IssuedUrls } from '#files';
import type { Actor } from '#identity';
import type { RequestCaller, RequestOperator, Waits } from '#wiring';

/**
 * The fields of a request body or query string by name, each given once. The values of a form are strings; values
 * of JSON have any type of JSON. No string in it holds a NUL character or a lone surrogate. It has no prototype.
 */
export type FieldValues = Readonly<Record<string, unknown>>;

/** A resource in the path of a request. */
export interface ExistingTarget {
  /** Its kind, as registered with `ExistenceChecks`. */
  readonly kind: string;
  /** The path parameter that holds its id. */
  readonly param: string;
}

/** Declarations by the decorators of a route. */
export interface Endpoint {
  /** Resources that must exist in the caller's workspace. */
  readonly existing: readonly ExistingTarget[];
  /** The result of its method as the text of a response with this status; absent if the method responds itself. */
  readonly toJson: ((result: unknown, status: number) => string) | undefined;
}

/** A request with what its guard and its parameters add to it. */
export interface ApiRequest extends Request {
  /** Unique to this request; part of its response and its log lines. */
  id: string;
  /** The caller; absent on public routes. */
  actor?: Actor;
  /** The caller's token, of the header or the cookie; absent on public routes. */
  token?: string;
  /** Makes the URLs of files as they are now for the caller, or for the guest; absent on public routes. */
  urls?: () => IssuedUrls;
  /** The declarations of its route; set by the guard. */
  endpoint?: Endpoint;
  /** The caller and what the route requires of them, for units of work to ask the gate again; absent on public routes. */
  caller?: RequestCaller;
  /** Checks what the path names, and the rights of a guest to it; set by the guard of guests, who have no workspace. */
  checkAsGuest?: () => Promise<void>;
  /** The operator who sent the request; set by the guard of operators. */
  operator?: RequestOperator;
  /** The fields of the body and the query string; set when they are first read. */
  fields?: Promise<FieldValues>;
  /** True if its body is a file, which may take longer than other bodies. */
  isUpload?: boolean;
  /** Time that it has waited for others. */
  waits?: Waits;
}

/** A controller's method, which carries the metadata of its decorators. */
export type RouteMethod = (...args: never[]) => unknown;

/** Calls `describe` once for the method of each route: metadata is too slow to read for every request. */
export function oncePerRoute<T>(describe: (context: ExecutionContext) => T): (context: ExecutionContext) => T {
  const described = new WeakMap<object, T>();
  return (context) => {
    const method = context.getHandler();
    if (!described.has(method)) described.set(method, describe(context));
    return described.get(method)!;
  };
}

/** Sets the request's id, the client's own if it is fit for logs and headers. */
export function identifyRequest(request: ApiRequest, response: Response): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(given) ? given : randomUUID();
  request.id = id;
  response.setHeader('X-Request-Id', id);
}

/** Headers of a response that pages of other origins may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Idempotent-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
];

/** Headers of every response. */
export const COMMON_HEADERS = new Map([
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  // Pages of any origin may show files and call the API; access to it depends on tokens.
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED_HEADERS.join(',')],
  // Responses hold tokens and private work; routes that serve files override this.
  ['Cache-Control', 'no-store'],
]);

/** Headers that proxies add. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Reports whether the request was sent by this machine: from a loopback address, and through no proxy that may stand
 * there.
 */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const peer = socket.remoteAddress ?? '';
  if (!ipaddr.isValid(peer) || ipaddr.process(peer).range() !== 'loopback') return false;
  return PROXY_HEADERS.every((name) => headers[name] === undefined);
}

/** The token of the request, or `null`. */
export function bearerToken(request: IncomingMessage): string | null {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

/** Reports whether the request names a bearer token, even a malformed one. */
export function hasBearer({ headers }: IncomingMessage): boolean {
  return /^Bearer\b/i.test(headers.authorization ?? '');
}

/** The path of the request as it was sent, without the query. */
export function pathOf({ originalUrl }: Request): string {
  const query = originalUrl.indexOf('?');
  return query < 0 ? originalUrl : originalUrl.slice(0, query);
}

/** The query string of the request. */
export function queryOf({ originalUrl }: Request): string {
  const query = originalUrl.indexOf('?');
  return query < 0 ? '' : originalUrl.slice(query + 1);
}

/** The address that limits count by: for IPv6 the /64 network, as a client has all addresses in it. */
export function clientAddress(ip: string | undefined): string {
  if (!ip || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.fromByteArray([...address.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}
