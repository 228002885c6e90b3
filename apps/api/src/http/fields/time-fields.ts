import { isISO8601 } from 'class-validator';
import { invalidField } from '#kernel';
import { TextField } from './text-fields.ts';

/** A bound of times in a request: a date, or a time with its zone. `timeOf` parses it. */
export function TimeBoundField(description: string, options: { nullable?: true } = {}): PropertyDecorator {
  return TextField(description, {
    example: '2026-11-21T07:30:00Z',
    pattern: /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$/,
    patternMeans: 'a date or a time with its zone, such as 2026-11-21 or 2026-11-21T07:30:00Z',
    required: false,
    ...options,
  });
}

/** @throws DomainError `validation_failed` for a time that does not exist */
export function timeOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  // `Date` parses February 31st as March 3rd.
  if (!isISO8601(text, { strict: true })) throw invalidField(field, 'must be a time that exists');
  return new Date(text);
}
