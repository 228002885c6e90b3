import { isUtf8 } from 'node:buffer';
import { DomainError, invalidField } from '#kernel';
import type { FieldValues } from '../request.ts';
import { FieldCollector } from './field-collector.ts';
import { parseMultipart } from './parse-multipart.ts';

/** The types of request bodies, all with the same fields and the same results. */
export const BODY_TYPES = ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'] as const;

/**
 * The fields of a body; an empty body has none.
 *
 * @param contentType the header, `undefined` if there is none
 * @throws DomainError `validation_failed`, or `unsupported_media_type` if the type is none of `BODY_TYPES`
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

/**
 * The fields of `application/x-www-form-urlencoded` text; brackets in names have no meaning.
 *
 * @throws DomainError `validation_failed`
 */
export function parseUrlencoded(text: string): FieldValues {
  const fields = new FieldCollector();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    fields.add(decode(name), equals < 0 ? '' : decode(pair.slice(equals + 1)));
  }
  return fields.record;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw malformed('a field is not percent-encoded UTF-8', 'must be percent-encoded UTF-8', cause);
  }
}

function parseJson(text: string): FieldValues {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed('the body is not valid JSON', 'must be valid JSON', cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField('body', 'must be a JSON object');
  }
  const fields = new FieldCollector();
  for (const [name, entry] of Object.entries(value)) fields.add(name, entry);
  refuseRepeatedNames(text);
  return fields.record;
}

function malformed(message: string, problem: string, cause: unknown): DomainError {
  return new DomainError('validation_failed', message, { fields: { body: [problem] }, cause });
}

/** `JSON.parse` keeps the last of several fields with one name; a form with two is refused. */
function refuseRepeatedNames(json: string): void {
  const names = new Set<string>();
  let depth = 0;
  let expectsName = false;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
    if (token === '{' || token === '[') expectsName = ++depth === 1;
    else if (token === '}' || token === ']') depth--;
    else if (token === ',') expectsName = depth === 1;
    else if (expectsName) {
      expectsName = false;
      const name = JSON.parse(token) as string;
      if (names.has(name)) throw invalidField(name, 'is given more than once');
      names.add(name);
    }
  }
}
