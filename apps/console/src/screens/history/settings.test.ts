import { describe, expect, it } from '@jest/globals';
import type { GenerationResponse } from '../../api/index.ts';
import { elapsed, settingsOf } from './settings.ts';

const generation = (prompt: string | null, parameters: object) => ({ prompt, parameters }) as GenerationResponse;

describe('the settings of two generations', () => {
  it('include settings that only one of them has', () => {
    const [left, right] = [generation('a fox', { seed: 7 }), generation('a fox', { seed: 8, enhance_prompt: true })];
    expect(settingsOf([left, right], () => ({ Model: 'Painter' }))).toEqual([
      { name: 'Model', values: ['Painter', 'Painter'], isSame: true },
      { name: 'Prompt', values: ['a fox', 'a fox'], isSame: true },
      { name: 'Seed', values: ['7', '8'], isSame: false },
      { name: 'Enhance prompt', values: ['–', 'true'], isSame: false },
    ]);
  });

  it('have no row for a missing prompt', () => expect(settingsOf([generation(null, {})], () => ({}))).toEqual([]));
});

it.each([
  ['2026-11-22T12:00:00.850Z', '850 ms'],
  ['2026-11-22T12:00:01.500Z', '1.5 sec'],
  ['2026-11-22T12:01:59.000Z', '119 sec'],
  ['2026-11-22T12:02:00.000Z', '2 min'],
  ['2026-11-22T11:00:00.000Z', '0 ms'],
])('until %s it took %s', (to, text) => expect(elapsed('2026-11-22T12:00:00Z', to)).toBe(text));
