import { isUtf8 } from 'node:buffer';
import { DomainError, invalidField } from '#kernel';
import type { FieldValues } from '../field-values.ts';
import { FieldCollector } from './field-collector.ts';
import { parseJson } from './parse-json.ts';
import { parseMultipart } from './parse-multipart.ts';
import { parseUrlencoded } from './parse-urlencoded.ts';

/** The types of request bodies, all with the same fields and the same results. */
export const BODY_TYPES = [
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'application/json',
] as const;

/**
 * The fields of a body; no body is a form without fields.
 *
 * @param contentType the header, `undefined` when there is none
 * @throws DomainError `validation_failed`, or `unsupported_media_type` when the type is none of `BODY_TYPES`
 */
export async function parseBody(body: Buffer, contentType: string | undefined): Promise<FieldValues> {
  if (body.length === 0) return new FieldCollector().record;
  const type = contentType?.split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'multipart/form-data') return parseMultipart(body, contentType!);
  if (type !== 'application/json' && type !== 'application/x-www-form-urlencoded') throw unsupported();
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType!)?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupported();
  if (!isUtf8(body)) throw invalidField('body', 'must be UTF-8');
  const text = body.toString('utf8');
  return type === 'application/json' ? parseJson(text) : parseUrlencoded(text);
}

function unsupported(): DomainError {
  return new DomainError('unsupported_media_type', `send the body as ${BODY_TYPES.join(' or ')}, in UTF-8`);
}
