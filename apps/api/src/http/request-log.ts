import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Params } from 'nestjs-pino';
import type { DestinationStream } from 'pino';
import type { Settings } from '#config';
import { logOptions } from '#wiring';
import type { ApiRequest } from './api-request.ts';
import { pathOf } from './path-of.ts';

const MAX_PATH = 200;

/** One line a request, when it has been answered; every other line that it causes carries its id too. */
export function requestLog({ log }: Settings, destination?: DestinationStream): Params<ApiRequest, Response> {
  const options: Params<ApiRequest, Response>['pinoHttp'] = {
    ...logOptions(log, 'api'),
    quietReqLogger: true,
    quietResLogger: true,
    customAttributeKeys: { reqId: 'request_id' },
    genReqId: (request) => request.id,
    customLogLevel: (request, response) => levelOf(request, response),
    customSuccessMessage: (request, response) => summary(request, response),
    customErrorMessage: (request, response) => summary(request, response),
    customSuccessObject: describe,
    // The error itself is logged where it is answered.
    customErrorObject: (request, response, _error, { responseTime }: { responseTime: number }) =>
      describe(request, response, { responseTime }),
  };
  return { pinoHttp: destination ? [options, destination] : options };
}

/** Probes come every few seconds, and nobody wants to read about those that went well. */
function levelOf(request: ApiRequest, response: ServerResponse): 'error' | 'info' | 'debug' {
  if (response.statusCode >= 500) return 'error';
  return /^\/(health\/|metrics)/.test(request.originalUrl) ? 'debug' : 'info';
}

function summary(request: ApiRequest, response: ServerResponse): string {
  return `${request.method} ${shortPath(request)} ${response.statusCode}`;
}

/** Only what can't be secret: no header, no body, and of the URL no query. */
function describe(
  request: ApiRequest,
  response: ServerResponse,
  { responseTime }: { responseTime: number },
): object {
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
