import { expect, it } from '@jest/globals';
import { generationOf, nameOf, settingsOf } from './media-names.ts';

it.each([
  ['its prompt', { extras: '{"prompt":" dusk "}', url: 'http://x12.test/files/a/b.png' }, 'dusk'],
  ['the name of its file', { extras: null, url: 'http://x12.test/files/a/r%C3%A9sum%C3%A9.png' }, 'résumé.png'],
  [
    'untitled when the service named the file',
    { extras: '[]', url: 'http://x12.test/files/a/image.jpg' },
    'Untitled item',
  ],
  ['untitled when it has none', { extras: '{"prompt":""}', url: null }, 'Untitled item'],
])('an item is called by %s', (_, media, name) => expect(nameOf(media)).toBe(name));

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
