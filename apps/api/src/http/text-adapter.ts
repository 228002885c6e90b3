import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';

/**
 * Sends a response of text in one write with its headers. Express parses the content type, copies the text into a buffer
 * and writes the buffer apart from the headers.
 */
export class TextAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, status?: number): unknown {
    // For HEAD, Node alone would send no `Content-Length`.
    if (typeof body !== 'string' || response.req.method === 'HEAD') return super.reply(response, body, status);
    if (status !== undefined) response.statusCode = status;
    return response.end(body);
  }
}
