import type { Response } from 'express';
import type { Options } from 'pino-http';
import type { Settings } from '#config';
import { logOptions } from '#wiring';
import { type ApiRequest, pathOf } from './request.ts';

const MAX_PATH = 200;

/** Logs one line per request when its response ends; all other lines that it causes carry its id too. */
export function requestLog({ log }: Settings) {
  const options = logOptions(log, 'api');
  return {
    // All of them. The default is a pattern that is compared with the path of each request.
    forRoutes: ['/'],
    pinoHttp: {
      ...options,
      // Of the request, every line carries the id alone.
      customAttributeKeys: { req: 'request_id' },
      serializers: { ...options.serializers, request_id: ({ id }: ApiRequest) => id },
      customLogLevel: levelOf,
      customSuccessMessage: summary,
      customErrorMessage: summary,
      customSuccessObject: describe,
      // The error itself is logged by the error filter.
      customErrorObject: (request, response, _error, times: Times) => describe(request, response, times),
    } satisfies Options<ApiRequest, Response>,
  };
}

interface Times {
  readonly responseTime: number;
}

/** Successful probes, which come every few seconds, are logged at debug level only. */
function levelOf(request: ApiRequest, response: Response): 'error' | 'info' | 'debug' {
  if (response.statusCode >= 500) return 'error';
  return /^\/(health\/|metrics)/.test(request.originalUrl) ? 'debug' : 'info';
}

function summary(request: ApiRequest, response: Response): string {
  return `${request.method} ${shortPath(request)} ${response.statusCode}`;
}

/** Nothing that may be secret: no headers, no body, no query. */
function describe(request: ApiRequest, response: Response, { responseTime }: Times): object {
  return {
    method: request.method,
    path: shortPath(request),
    status: response.statusCode,
    duration_ms: responseTime,
    ...(response.writableFinished ? {} : { aborted: true }),
    ...(request.actor ? { user_id: request.actor.userId, workspace_id: request.actor.workspaceId } : {}),
  };
}

function shortPath(request: ApiRequest): string {
  return pathOf(request).slice(0, MAX_PATH);
}
