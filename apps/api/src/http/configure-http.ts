import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Logger } from 'nestjs-pino';
import { Registry } from 'prom-client';
import type { Settings } from '#config';
import { CONTEXT_OPTIONS, settings } from '#wiring';
import { observeRequests } from '../metrics/observe-requests.ts';
import { serveDocs } from './openapi/serve-docs.ts';
import { identifyRequest } from './request.ts';

/** For `NestFactory.create`: bodies are read after the guards, on the routes that take one. */
export const HTTP_OPTIONS: NestApplicationOptions = { ...CONTEXT_OPTIONS, bodyParser: false };

/** Configures an application with `HttpModule` before it listens. */
export function configureHttp(app: NestExpressApplication): void {
  const { http } = app.get<Settings>(settings);
  app.useLogger(app.get(Logger));
  app.disable('x-powered-by');
  app.set('etag', false);
  // Query strings are parsed on the routes that take one, like bodies.
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

const SECURE_HEADERS = new Map([
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  // Pages of any origin may show files; access to the API depends on tokens.
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
  // Responses hold tokens and private work; routes that serve files override this.
  ['Cache-Control', 'no-store'],
]);

function secureHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeaders(SECURE_HEADERS);
  next();
}
