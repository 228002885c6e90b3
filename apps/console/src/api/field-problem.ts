import { X12Error } from '#client';

/** The service's messages about a field, as a sentence that starts with the label of the field. */
export function fieldProblem(error: unknown, field: string, label: string): string | undefined {
  const messages = error instanceof X12Error ? error.fields[field] : undefined;
  return messages?.length ? `${label} ${messages.join(', and ')}.` : undefined;
}
