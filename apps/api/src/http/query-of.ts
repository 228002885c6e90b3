import type { Request } from 'express';
import type { FormRecord } from './form-record.ts';
import { parseUrlencoded } from './body/parse-urlencoded.ts';

/**
 * The fields of the request's query string.
 *
 * @throws DomainError `validation_failed`
 */
export function queryOf(request: Request): FormRecord {
  const start = request.originalUrl.indexOf('?');
  return parseUrlencoded(start < 0 ? '' : request.originalUrl.slice(start + 1));
}
