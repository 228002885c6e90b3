import type { Response } from 'express';
import type { Options } from 'pino-http';
import type { Settings } from '#config';
import { logOptions } from '#wiring';
import type { ApiRequest } from './api-request.ts';
import { pathOf } from './path-of.ts';

const MAX_PATH = 200;

/** One line a request, when it has been answered; every other line that it causes carries its id too. */
export function requestLog({ log }: Settings) {
  const options = logOptions(log, 'api');
  return {
    pinoHttp: {
      ...options,
      serializers: { ...options.serializers, req: nothing, res: nothing },
      quietReqLogger: true,
      quietResLogger: true,
      customAttributeKeys: { reqId: 'request_id' },
      genReqId: (request) => request.id,
      customLogLevel: levelOf,
      customSuccessMessage: summary,
      customErrorMessage: summary,
      customSuccessObject: describe,
      // The error itself is logged where it is answered.
      customErrorObject: (request, response, _error, times: Times) => describe(request, response, times),
    } satisfies Options<ApiRequest, Response>,
  };
}

interface Times {
  readonly responseTime: number;
}

/** Requests are described by hand, below; without this all their headers would be gathered for each. */
const nothing = (): undefined => undefined;

/** Probes come every few seconds, and nobody wants to read about those that went well. */
function levelOf(request: ApiRequest, response: Response): 'error' | 'info' | 'debug' {
  if (response.statusCode >= 500) return 'error';
  return /^\/(health\/|metrics)/.test(request.originalUrl) ? 'debug' : 'info';
}

function summary(request: ApiRequest, response: Response): string {
  return `${request.method} ${shortPath(request)} ${response.statusCode}`;
}

/** Only what can't be secret: no header, no body, and of the URL no query. */
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
