import { createHash } from 'node:crypto';
import type { Express, NextFunction, Request, Response } from 'express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { buildDocument } from './build-document.ts';

/** The page loads everything from this service, so that it works without the internet. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * Serves `/openapi.json` and `/admin/openapi.json`, and `/docs` to read and try the first. The documents are built at
 * once: that takes a quarter of a second, which no request should.
 */
export function serveDocs(app: NestExpressApplication): void {
  const published = asFile(buildDocument(app, 'api'));
  serveFile(app, '/openapi.json', published);
  serveFile(app, '/admin/openapi.json', asFile(buildDocument(app, 'operators')));
  app.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.setHeader('Cache-Control', 'no-cache');
    next();
  });
  SwaggerModule.setup('docs', app, () => JSON.parse(published.bytes.toString()) as OpenAPIObject, {
    raw: false,
    customSiteTitle: 'API reference',
    // Tokens stay in the page's memory: nothing is kept in the browser's storage.
    swaggerOptions: { validatorUrl: null, persistAuthorization: false, tryItOutEnabled: true },
  });
}

type File = ReturnType<typeof asFile>;

function serveFile(app: NestExpressApplication, path: string, { bytes, etag }: File): void {
  const express = app.getHttpAdapter().getInstance() as Express;
  express.get(path, (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('ETag', etag);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    // Responds 304 to a client that has this version.
    response.send(bytes);
  });
}

function asFile(document: OpenAPIObject): { readonly bytes: Buffer; readonly etag: string } {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}
