import { expect, it } from '@jest/globals';
import { stepBack, type Step, uniquePrompts } from './prompt-steps.ts';

const PROMPTS = ['newest', 'older', 'oldest'];
const walk = (typed: string, ...steps: readonly (1 | -1)[]) => {
  let step: Step | null = null;
  return steps.map((by) => {
    const next = stepBack(PROMPTS, step, step?.shown ?? typed, by);
    step = next ?? step;
    return next && next.shown;
  });
};

it('arrows go back to older prompts, and forth to what was typed', () => {
  expect(walk('half a', 1, 1, 1, 1)).toEqual(['newest', 'older', 'oldest', null]);
  expect(walk('half a', 1, 1, -1, -1, -1)).toEqual(['newest', 'older', 'newest', 'half a', null]);
});

it('a prompt that stands in the field is not stepped to', () => {
  expect(walk('newest', 1, -1)).toEqual(['older', 'newest']);
});

it('a prompt that was changed begins anew', () => {
  const step = stepBack(PROMPTS, null, '', 1)!;
  expect(stepBack(PROMPTS, step, 'newest, at dusk', 1)).toEqual({ at: 0, typed: 'newest, at dusk', shown: 'newest' });
});

it('prompts are listed once', () => {
  expect(uniquePrompts([{ prompt: 'a' }, { prompt: null }, { prompt: 'b' }, { prompt: 'a' }])).toEqual(['a', 'b']);
});
