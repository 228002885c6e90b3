import { describe, expect, it } from '@jest/globals';
import { outputNameOf } from './output-name.ts';

const nameOf = (prompt: string | null, seed?: number, index = 0) =>
  outputNameOf({ prompt, model: 'local-image', parameters: seed === undefined ? {} : { seed } }, index);

describe('the name of an output', () => {
  it.each([
    ['has the first six words of the prompt', nameOf('a red  fox\nin the snow, at dawn'), 'a red fox in the snow'],
    ['ends with the seed of the call', nameOf('a red fox', 42), 'a red fox 42'],
    ['keeps a seed of 0', nameOf('a red fox', 0), 'a red fox 0'],
    ['is the model without a prompt', nameOf(null, 7), 'local-image 7'],
    ['is the model for a prompt of marks', nameOf(' ,. ', 7), 'local-image 7'],
    ['is cut in a text without spaces', nameOf('狐'.repeat(500)), '狐'.repeat(60)],
    ['keeps whole characters', nameOf('🦊'.repeat(500)), '🦊'.repeat(60)],
    ['numbers further outputs of a call', nameOf('a red fox', 42, 1), 'a red fox 42 (2)'],
  ])('%s', (_, name, expected) => {
    expect(name).toBe(expected);
  });
});
