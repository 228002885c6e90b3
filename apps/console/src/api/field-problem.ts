import { X12Error } from '#client';

/** The service's messages about a field, as a sentence that starts with the label of the field. */
export function fieldProblem(error: unknown, field: string, label: string): string | undefined {
  const messages = error instanceof X12Error ? error.fields[field] : undefined;
  return messages?.length ? `${label} ${messages.join(', and ')}.` : undefined;
}

/** The service's messages about the labelled fields of a form. */
export function fieldProblems(error: unknown, labels: Readonly<Record<string, string>>): Record<string, string> {
  const problems = Object.entries(labels).map(([name, label]) => [name, fieldProblem(error, name, label)]);
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined));
}
