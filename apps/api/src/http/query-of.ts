import type { Request } from 'express';
import type { FieldValues } from './field-values.ts';
import { parseUrlencoded } from './body/parse-urlencoded.ts';

/**
 * The fields of the request's query string.
 *
 * @throws DomainError `validation_failed`
 */
export function queryOf(request: Request): FieldValues {
  const start = request.originalUrl.indexOf('?');
  return parseUrlencoded(start < 0 ? '' : request.originalUrl.slice(start + 1));
}
