import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { Registry } from 'prom-client';
import type { Settings } from '#config';
import { CONTEXT_OPTIONS, settings } from '#wiring';
import { observeRequests } from '../metrics/observe-requests.ts';
import { identifyRequest } from './identify-request.ts';
import { serveDocs } from './openapi/serve-docs.ts';
import { secureHeaders } from './secure-headers.ts';

/** For `NestFactory.create`: bodies are read after the guards, by the routes that take one. */
export const HTTP_OPTIONS: NestApplicationOptions = { ...CONTEXT_OPTIONS, bodyParser: false };

/** What an application with `HttpModule` needs besides, before it listens. */
export function configureHttp(app: NestExpressApplication): void {
  const { http } = app.get<Settings>(settings);
  app.useLogger(app.get(Logger));
  app.disable('x-powered-by');
  app.set('etag', false);
  // Query strings are read by the routes that take one, as forms are.
  app.set('query parser', false);
  app.set('trust proxy', [...http.trustedProxies]);
  app.use(identifyRequest, secureHeaders, observeRequests(app.get(Registry)));
  app.enableCors({
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: [
      'X-Request-Id',
      'Idempotent-Replayed',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
    ],
    maxAge: 86_400,
  });
  serveDocs(app);
}
