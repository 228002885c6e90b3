import { X12Error } from '#client';

/**
 * What the service says of a field, as a sentence with the label that the field has here: its messages are worded to
 * follow a name.
 */
export function fieldProblem(error: unknown, field: string, label: string): string | undefined {
  const messages = error instanceof X12Error ? error.fields[field] : undefined;
  return messages?.length ? `${label} ${messages.join(', and ')}.` : undefined;
}
