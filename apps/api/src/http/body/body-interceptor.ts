import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import getRawBody, { type RawBodyError } from 'raw-body';
import { DomainError, invalidField } from '#kernel';
import type { Settings } from '#config';
import { settings } from '#wiring';
import { PAGE_QUERY, QUERY_CLASS, RAW_BODY, TAKES_BODY } from '../parameters.ts';
import {
  type ApiRequest,
  type Around,
  type FieldValues,
  queryOf,
  type RequestInterceptor,
  type RouteMethod,
} from '../request.ts';
import { mergeFields, parseBody, parseUrlencoded } from './parse-body.ts';

/**
 * Reads and parses the fields of the body and of the query string on routes that take them; after the guards, so that
 * untrusted callers send none.
 */
@Injectable()
export class BodyInterceptor implements RequestInterceptor {
  private readonly maxBytes: number;

  constructor(@Inject(settings) { http }: Settings) {
    this.maxBytes = http.maxBodyBytes;
  }

  around(method: RouteMethod): Around | null {
    const takesBody = Reflect.hasMetadata(TAKES_BODY, method);
    const takesQuery = [QUERY_CLASS, PAGE_QUERY].some((key) => Reflect.hasMetadata(key, method));
    const isRaw = Reflect.hasMetadata(RAW_BODY, method);
    if (!takesBody && !takesQuery && !isRaw) return null;
    return async (request, _response, next) => {
      if (isRaw) request.rawBody = await this.readBody(request);
      const body = !isRaw && (takesBody || hasBody(request)) ? await this.bodyFields(request) : {};
      request.fields = takesQuery ? mergeFields(parseUrlencoded(queryOf(request)), body) : body;
      return next();
    };
  }

  private async bodyFields(request: ApiRequest): Promise<FieldValues> {
    const body = await this.readBody(request);
    await request.decideAgain?.();
    return parseBody(body, request.headers['content-type']);
  }

  private async readBody(request: ApiRequest): Promise<Buffer> {
    const { 'content-encoding': encoding } = request.headers;
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw new DomainError('unsupported_media_type', 'send the body without Content-Encoding');
    }
    return readBody(request, this.maxBytes);
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** @throws DomainError `too_large` for more than `limit` bytes, `validation_failed` if the body ends early */
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit, length: request.headers['content-length'] ?? null });
  } catch (error) {
    if ((error as RawBodyError).type !== 'entity.too.large') throw invalidField('body', 'ended early');
    throw new DomainError('too_large', `the body must have at most ${limit} bytes`);
  }
}
