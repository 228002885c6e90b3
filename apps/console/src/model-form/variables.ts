/** A variable in a prompt, such as `{animal}`; a name in double braces is text. As the service reads it. */
const VARIABLE = /\{\{([\p{L}_][\p{L}\p{M}\p{N}_]{0,63})\}\}|\{([\p{L}_][\p{L}\p{M}\p{N}_]{0,63})\}/gu;

/** The names of the variables in a prompt, each once, in their order. */
export function variablesOf(prompt: string): readonly string[] {
  const names = [...prompt.matchAll(VARIABLE)].flatMap(([, , name]) => (name === undefined ? [] : [name]));
  return [...new Set(names)];
}

/** Reports whether a prompt is more than its text: it has variables, or names in double braces. */
export function isTemplate(prompt: string): boolean {
  return prompt.search(VARIABLE) >= 0;
}

/** The prompt of a preset that stands for this text, also if the text has names in braces. */
export function asText(prompt: string): string {
  return prompt.replace(VARIABLE, (found) => `{${found}}`);
}
