import { describe, expect, it } from '@jest/globals';
import { jsonLine, linesOf, plain } from './text.ts';

describe('a text of the service', () => {
  it.each([
    ['a \u001b[31mred\u001b[0m fox', 'a red fox'],
    ['\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007', 'link'],
    ['two\r\nlines', 'two lines'],
    ['\u009b2Jcleared', 'cleared'],
    ['gnp\u202eexe', 'gnp exe'],
    ['👩‍🎨 é', '👩‍🎨 é'],
    [null, ''],
  ])('%j is printed as %j', (text, printed) => {
    expect(plain(text)).toBe(printed);
  });

  it('stays in its cell of a table', () => {
    const rows = [
      [1, 'a\tb', 'x'],
      [12, null, 'y\n'],
    ];
    expect(linesOf(rows, false)).toEqual(['1\ta b\tx', '12\t\ty']);
    expect(linesOf(rows, true)).toEqual(['1   a b  x', '12       y']);
  });

  it('has no control characters in JSON, and the same value', () => {
    const value = { prompt: '\u001b[31m\u009b2J\u007f' };
    expect(jsonLine(value)).toMatch(/^[\u0020-\u007e]+$/);
    expect(JSON.parse(jsonLine(value))).toEqual(value);
  });
});
