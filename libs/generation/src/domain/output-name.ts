import type { GenerationRequest } from './generation.ts';

const WORDS = 6;
/** Characters of a prompt that are looked at. */
const PROMPT_LENGTH = 400;
/** Characters of a name, without the seed: a text without spaces is one word. */
const LENGTH = 60;

/**
 * The name of an output until somebody gives it another: the first words of its prompt, or its model, and the seed of the
 * call.
 *
 * @param index of the output, from 0; the first one has no number
 */
export function outputNameOf(
  { prompt, model, parameters }: Pick<GenerationRequest, 'prompt' | 'parameters'> & { readonly model: string },
  index: number,
): string {
  const words = (prompt ?? '')
    .slice(0, PROMPT_LENGTH)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .split(/\s+/u);
  const start = words
    .filter((word) => word !== '')
    .slice(0, WORDS)
    .join(' ');
  const title = [...start.replace(/[\s,.;:]+$/u, '')].slice(0, LENGTH).join('') || model;
  const { seed } = parameters;
  return [title, ...(seed === undefined ? [] : [seed]), ...(index === 0 ? [] : [`(${index + 1})`])].join(' ');
}
