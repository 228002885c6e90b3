import { describe, expect, it } from '@jest/globals';
import { extrasOf, MAX_EXTRAS_BYTES, MAX_NAME_LENGTH, nameOf } from './board.ts';

describe('the name of a board or a folder', () => {
  it('is trimmed', () => expect(nameOf('  Summer \n')).toBe('Summer'));

  it.each([1, MAX_NAME_LENGTH])('may have %i characters', (length) => {
    expect(nameOf('é'.repeat(length))).toHaveLength(length);
    expect([...nameOf('🌊'.repeat(length))]).toHaveLength(length);
  });

  it.each(['', '   ', 'x'.repeat(MAX_NAME_LENGTH + 1)])('is refused when it is empty or too long', (name) => {
    expect(() => nameOf(name)).toThrow(/name must have 1 to 255 characters/);
  });
});

describe('the extras of a media', () => {
  it.each(['{"a": [1, 2]}', '1.50', 'null', '"text"', ' {} '])('are kept as they were given: %s', (extras) => {
    expect(extrasOf(extras)).toBe(extras);
  });

  it.each(['', '{', '{a: 1}', 'undefined', "{'a': 1}"])('are refused when they do not parse: %s', (extras) => {
    expect(() => extrasOf(extras)).toThrow(/extras must be a string that holds JSON/);
  });

  it('have at most 64 KiB in UTF-8', () => {
    const filled = (bytes: number) => `"${'é'.repeat((bytes - 2) / 2)}"`;
    expect(extrasOf(filled(MAX_EXTRAS_BYTES))).toHaveLength(MAX_EXTRAS_BYTES / 2 + 1);
    expect(() => extrasOf(filled(MAX_EXTRAS_BYTES + 2))).toThrow(/at most 64 KiB/);
  });
});
