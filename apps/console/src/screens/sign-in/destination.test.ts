import { describe, expect, it } from '@jest/globals';
import { destination } from './destination.ts';

describe('after the sign-in', () => {
  it.each([
    ['/boards/12?view=3', '/boards/12?view=3'],
    ['/', '/'],
    [undefined, '/'],
    [12, '/'],
    ['https://elsewhere.example', '/'],
    ['//elsewhere.example', '/'],
    ['/\\elsewhere.example', '/'],
    ['/sign-in?next=/boards', '/'],
  ])('%p leads to %s', (next, address) => expect(destination(next)).toBe(address));
});
