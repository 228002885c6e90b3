import { field, type FieldOptions } from './field.ts';

export const MAX_URL_LENGTH = 2048;

/** An absolute http or https URL, as it was given. */
export function UrlField(options: FieldOptions<string>): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', format: 'uri', maxLength: MAX_URL_LENGTH },
      parse: (raw) => raw,
      problem: (value) => {
        if (!isHttpUrl(value)) return 'must be an http or https URL';
        return value.length > MAX_URL_LENGTH ? `must have at most ${MAX_URL_LENGTH} characters` : undefined;
      },
    },
    options,
  );
}

function isHttpUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s]+$/i.test(value)) return false;
  return URL.canParse(value);
}
