import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import cors from 'cors';
import type { NextFunction, Response } from 'express';
import { Registry } from 'prom-client';
import type { Settings } from '#config';
import { CONTEXT_OPTIONS, runningRequest, settings, startLogging, tracing } from '#wiring';
import { noTracing, type Tracing } from '#kernel';
import { MAX_BODY_BYTES } from './body/read-body.ts';
import { observeRequests } from '../metrics/observe-requests.ts';
import {
  CONNECTION_LIMITS,
  countUnanswered,
  limitBody,
  limitConnections,
  limitUnanswered,
  requireOneHost,
} from './connections.ts';
import { serveDocs } from './openapi/serve-docs.ts';
import { type ApiRequest, COMMON_HEADERS, identifyRequest } from './request.ts';
import { logRequest } from './request-log.ts';
import { timeResponse } from './server-timing.ts';
import { traceRequests } from './trace-requests.ts';

/** For `NestFactory.create`: bodies are read after the guards, on the routes that take one. */
export const HTTP_OPTIONS: NestApplicationOptions = { ...CONTEXT_OPTIONS, bodyParser: false };

/** Responds to the OPTIONS request that a browser sends first; the headers of other responses are always the same. */
const preflight = cors({ methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'], maxAge: 86_400 });

/** Configures an application with `HttpModule` before it listens. */
export function configureHttp(app: NestExpressApplication, limits = CONNECTION_LIMITS): void {
  const { http, uploads } = app.get<Settings>(settings);
  // A large upload on a slow line may take as long as its URL is valid.
  limitConnections(app.getHttpServer(), limits, uploads.urlTtlSeconds * 1000);
  startLogging(app);
  app.disable('x-powered-by');
  app.set('etag', false);
  // Query strings are parsed on the routes that take one, like bodies.
  app.set('query parser', false);
  app.set(MAX_BODY_BYTES, http.maxBodyBytes);
  app.set('trust proxy', [...http.trustedProxies]);
  const traces = app.get<Tracing>(tracing);
  if (traces !== noTracing) app.use(traceRequests(traces));
  const observe = observeRequests(app.get(Registry));
  // One middleware: Express spends about as much on calling one as most of these functions take.
  app.use((request: ApiRequest, response: Response, next: NextFunction): void => {
    const { socket } = request;
    const unanswered = countUnanswered(socket, 1);
    // The connection ends with the response to a request before.
    if (unanswered > limits.unanswered + 1) return;
    identifyRequest(request, response);
    response.setHeaders(COMMON_HEADERS);
    timeResponse(request, response);
    const logged = logRequest(request, response);
    const observed = observe(request, response);
    // One listener for all: what sends a file or a zip adds several, and Node warns of more than ten.
    response.once('close', () => {
      countUnanswered(socket, -1);
      logged();
      observed();
    });
    requireOneHost(request, response);
    limitUnanswered(unanswered, response, limits);
    limitBody(request, response, limits);
    if (request.method === 'OPTIONS') preflight(request, response, next);
    else runningRequest.run(request, next);
  });
  serveDocs(app);
}
