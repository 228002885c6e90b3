import { expect, it } from '@jest/globals';
import { destination } from './destination.ts';

it.each([
  ['/boards/12?view=3', '/boards/12?view=3'],
  ['/', '/'],
  [undefined, '/'],
  [12, '/'],
  ['https://elsewhere.example', '/'],
  ['//elsewhere.example', '/'],
  ['/\\elsewhere.example', '/'],
  ['/sign-in?next=/boards', '/'],
])('after the sign-in %p leads to %s', (next, address) => expect(destination(next)).toBe(address));
