import { expect, it } from '@jest/globals';
import { generationOf, settingsOf } from './media-names.ts';

it('takes extras that are an object for settings, and nothing else', () => {
  expect(settingsOf('{"seed":4}')).toEqual({ seed: 4 });
  for (const extras of [null, 'null', '[1]', '"text"', '{']) expect(settingsOf(extras)).toBeNull();
});

it('knows the generation of an item that was put on a board as its output', () => {
  expect(generationOf({ extras: '{"generation_id":12}' })).toBe(12);
  for (const extras of [null, '{}', '{"generation_id":"12"}', '{"generation_id":0}', '{"generation_id":1.5}']) {
    expect(generationOf({ extras })).toBeNull();
  }
});
