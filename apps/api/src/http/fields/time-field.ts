import { field, type FieldOptions } from './field.ts';

/** A time of an answer: given as `Date`, sent as ISO 8601 in UTC. */
export function TimeField(options: FieldOptions<string>): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', format: 'date-time' },
      parse: (raw) => raw,
      problem: () => undefined,
    },
    { example: '2026-11-21T07:30:00.000Z', ...options },
  );
}
