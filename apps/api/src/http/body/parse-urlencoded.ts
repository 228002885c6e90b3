import { DomainError } from '#kernel';
import type { FieldValues } from '../field-values.ts';
import { FieldCollector } from './field-collector.ts';

/**
 * The fields of `application/x-www-form-urlencoded` text, flat: brackets in names mean nothing.
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
    throw new DomainError('validation_failed', 'a field is not percent-encoded UTF-8', {
      fields: { body: ['must be percent-encoded UTF-8'] },
      cause,
    });
  }
}
