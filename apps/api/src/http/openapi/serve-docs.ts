import type { NextFunction, Request, Response } from 'express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { buildDocument } from './build-document.ts';

/** The page loads everything from this service, so that it works without the internet. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Serves `/openapi.json`, and `/docs` to read and try it. */
export function serveDocs(app: NestExpressApplication): void {
  let document: OpenAPIObject | undefined;
  app.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.setHeader('Cache-Control', 'no-cache');
    next();
  });
  SwaggerModule.setup('docs', app, () => (document ??= buildDocument(app)), {
    raw: ['json'],
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'API reference',
    // Tokens stay in the page's memory: nothing is kept in the browser's storage.
    swaggerOptions: { validatorUrl: null, persistAuthorization: false, tryItOutEnabled: true },
  });
}
