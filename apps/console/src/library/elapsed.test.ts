import { expect, it } from '@jest/globals';
import { elapsed } from './elapsed.ts';

it.each([
  ['2026-11-22T12:00:00.850Z', '850 ms'],
  ['2026-11-22T12:00:01.500Z', '1.5 sec'],
  ['2026-11-22T12:01:59.000Z', '119 sec'],
  ['2026-11-22T12:02:00.000Z', '2 min'],
  ['2026-11-22T11:00:00.000Z', '0 ms'],
])('until %s it took %s', (to, text) => expect(elapsed('2026-11-22T12:00:00Z', to)).toBe(text));
