import { describe, expect, it } from '@jest/globals';
import type { GenerationResponse } from '../../api/index.ts';
import { settingsOf } from './settings.ts';

const generation = (prompt: string | null, parameters: object) => ({ prompt, parameters }) as GenerationResponse;

describe('the settings of compared generations', () => {
  it('include settings that only one of them has', () => {
    const [left, right] = [generation('a fox', { seed: 7 }), generation('a fox', { seed: 8, enhance_prompt: true })];
    expect(settingsOf([left, right], () => ({ Model: 'Painter' }))).toEqual([
      { name: 'Model', values: ['Painter', 'Painter'], isSame: true },
      { name: 'Prompt', values: ['a fox', 'a fox'], isSame: true },
      { name: 'Seed', values: ['7', '8'], isSame: false },
      { name: 'Enhance prompt', values: ['–', 'true'], isSame: false },
    ]);
  });

  it('are absent of an item that no generation made', () => {
    expect(settingsOf([generation('a fox', {}), null], () => ({}))).toEqual([
      { name: 'Prompt', values: ['a fox', '–'], isSame: false },
    ]);
  });

  it('have no row for a missing prompt', () => expect(settingsOf([generation(null, {})], () => ({}))).toEqual([]));
});
