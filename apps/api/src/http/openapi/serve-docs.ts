import { createHash } from 'node:crypto';
import type { Express, NextFunction, Request, Response } from 'express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type Audience, buildDocument } from './build-document.ts';

/** The page loads everything from this service, so that it works without the internet. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Serves `/openapi.json` and `/admin/openapi.json`, and `/docs` to read and try the first. */
export function serveDocs(app: NestExpressApplication): void {
  const documents = new Map<Audience, OpenAPIObject>();
  const build = (audience: Audience): OpenAPIObject => {
    const document = documents.get(audience) ?? buildDocument(app, audience);
    documents.set(audience, document);
    return document;
  };
  serveFile(app, '/openapi.json', () => build('api'));
  serveFile(app, '/admin/openapi.json', () => build('operators'));
  app.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.setHeader('Cache-Control', 'no-cache');
    next();
  });
  SwaggerModule.setup('docs', app, () => build('api'), {
    raw: false,
    customSiteTitle: 'API reference',
    // Tokens stay in the page's memory: nothing is kept in the browser's storage.
    swaggerOptions: { validatorUrl: null, persistAuthorization: false, tryItOutEnabled: true },
  });
}

function serveFile(app: NestExpressApplication, path: string, build: () => OpenAPIObject): void {
  let file: ReturnType<typeof asFile> | undefined;
  const express = app.getHttpAdapter().getInstance() as Express;
  express.get(path, (_request, response) => {
    file ??= asFile(build());
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('ETag', file.etag);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    // Responds 304 to a client that has this version.
    response.send(file.bytes);
  });
}

function asFile(document: OpenAPIObject): { readonly bytes: Buffer; readonly etag: string } {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}
