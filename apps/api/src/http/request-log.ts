import type { Response } from 'express';
import { type Params, PinoLogger } from 'nestjs-pino';
import type { Settings } from '#config';
import { logOptions, runningRequest } from '#wiring';
import { type ApiRequest, pathOf } from './request.ts';

const MAX_PATH = 200;

/**
 * The options of nestjs-pino. Every line that a request causes has the id of the request. The middleware of nestjs-pino is
 * not used: it makes a logger for each request, which takes a tenth of the time of a list.
 */
export function logParams({ log }: Settings): Params {
  const mixin = () => {
    const running = runningRequest.getStore();
    return running ? { request_id: running.id } : {};
  };
  return { forRoutes: [], pinoHttp: { ...logOptions(log, 'api'), mixin } };
}

/** @returns what logs one line, to be called when the response has ended */
export function logRequest(request: ApiRequest, response: Response): () => void {
  const startedAt = Date.now();
  // A closed connection has no address.
  const { ip } = request;
  return () => {
    const level = levelOf(request, response);
    if (!PinoLogger.root.isLevelEnabled(level)) return;
    const path = withoutToken(pathOf(request)).slice(0, MAX_PATH);
    const { method, id, actor } = request;
    const { statusCode: status, writableFinished } = response;
    // No headers, body or query: they may hold secrets. The error filter logs the error itself.
    const facts = {
      request_id: id,
      ip,
      method,
      path,
      status,
      duration_ms: Date.now() - startedAt,
      ...(writableFinished ? {} : { aborted: true }),
      ...(actor ? { user_id: actor.userId, workspace_id: actor.workspaceId } : {}),
    };
    PinoLogger.root[level](facts, `${method} ${path} ${status}`);
  };
}

/** Paths in which a token is the only permission: share links, downloads and public files. Routes ignore case. */
const LINK = /^((?:\w+:\/\/[^/]*)?\/(?:s|v2\/shared|v2\/downloads|files)\/)(?!assets\/)[^/]+/i;

/** The path without the token of a link: whoever reads the log must not be able to use the link. */
export function withoutToken(path: string): string {
  return path.replace(LINK, '$1…');
}

/** Preflights, and probes that succeed or find the process draining, are logged at debug level only. */
function levelOf({ method, originalUrl }: ApiRequest, { statusCode, locals }: Response): 'error' | 'info' | 'debug' {
  if (statusCode >= 500 && !locals.isDraining) return 'error';
  return method === 'OPTIONS' || /^\/(health\/|metrics)/.test(originalUrl) ? 'debug' : 'info';
}
