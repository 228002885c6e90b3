import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import type { Queues } from '#adapters/queue';

/** The page loads everything from this service; some of its styles are inline. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/** Bull Board under `path`, read-only: the database would restore whatever is deleted in a queue. */
export function queueDashboard(path: string, queues: Queues): RequestHandler[] {
  const board = new ExpressAdapter().setBasePath(path);
  createBullBoard({
    queues: Object.values(queues).map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Queues', hideDocsLink: true } },
  });
  const app = board.getRouter() as Express;
  return [readOnly, app.disable('x-powered-by')];
}

/** Refuses all writes: browsers add the password to requests of other pages, too. */
function readOnly(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  response.setHeader('Allow', 'GET, HEAD');
  response.status(405).end();
}
