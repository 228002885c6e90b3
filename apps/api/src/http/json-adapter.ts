import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import type { ApiRequest } from './request.ts';

/**
 * Sends the results of methods as the JSON that they declare, in one write with the headers. Express parses the content
 * type, copies the text into a buffer and writes the buffer apart from the headers.
 */
export class JsonAdapter extends ExpressAdapter {
  override reply(response: Response, result: unknown, status?: number): unknown {
    const { method, endpoint } = response.req as ApiRequest;
    if (!endpoint?.toJson) return super.reply(response, result, status);
    if (status !== undefined) response.statusCode = status;
    // The stored response of an `Idempotency-Key` is already text.
    const text = typeof result === 'string' ? result : endpoint.toJson(result, response.statusCode);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    // For HEAD, Node alone would send no `Content-Length`.
    if (method === 'HEAD') response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }
}
