import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';

/** Sends text as it is, in one write with the headers. Express would parse its type, copy it and write it apart. */
export class TextAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, status?: number): unknown {
    // Without a body Node does not tell its length.
    if (typeof body !== 'string' || response.req.method === 'HEAD') return super.reply(response, body, status);
    if (status !== undefined) response.statusCode = status;
    return response.end(body);
  }
}
