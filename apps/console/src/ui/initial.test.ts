import { expect, it } from '@jest/globals';
import { initialOf } from './initial.ts';

it.each([
  ['  ada ', 'A'],
  ['x', 'X'],
  ['e\u0301mile', 'E\u0301'],
  ['क्षमा', 'क्ष'],
  ['👩‍💻 dev', '👩‍💻'],
  ['7up', '7'],
  [' ', '?'],
])('the initial of "%s" is its whole first character in capitals', (name, initial) => {
  expect(initialOf(name)).toBe(initial);
});
