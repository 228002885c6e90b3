import { describe, expect, it } from '@jest/globals';
import { nameOf } from './name.ts';

describe('a name', () => {
  it('loses the space around it', () => {
    expect(nameOf('  Ada Lovelace\t')).toBe('Ada Lovelace');
  });

  it.each([1, 100])('may have %d characters', (length) => {
    expect(nameOf('é'.repeat(length))).toBe('é'.repeat(length));
  });

  it.each(['', '   ', 'x'.repeat(101), 'two\nlines', 'Ada\r\nBcc: all', 'a\0b', 'a\u007fb'])('is not %j', (text) => {
    expect(() => nameOf(text)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
