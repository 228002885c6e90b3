import { expect, it } from '@jest/globals';
import { MAX_NOTE_LENGTH, noteTextOf } from './note.ts';

it.each([1, MAX_NOTE_LENGTH])('a note may have %i characters after trimming', (length) => {
  expect(noteTextOf(` ${'🌊'.repeat(length)}\n`)).toBe('🌊'.repeat(length));
});

it.each(['', ' \n', 'x'.repeat(MAX_NOTE_LENGTH + 1)])('a note is refused when it is empty or too long', (text) => {
  expect(() => noteTextOf(text)).toThrow(/text must have 1 to 4000 characters/);
});
