import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import type { Queues } from '#adapters/queue';

/** Everything that the page needs comes from here, and nothing else may; its styles are partly inline. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Bull Board under `path`, to look at and not to change: what is deleted in a queue comes back from the database. */
export function queueDashboard(path: string, queues: Queues): RequestHandler[] {
  const board = new ExpressAdapter().setBasePath(path);
  createBullBoard({
    queues: Object.values(queues).map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Queues', hideDocsLink: true } },
  });
  const app = board.getRouter() as Express;
  return [lookOnly, app.disable('x-powered-by')];
}

/** Browsers send a password along with whatever another page makes them send: nothing here may have an effect. */
function lookOnly(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  response.setHeader('Allow', 'GET, HEAD');
  response.status(405).end();
}
