import { describe, expect, it } from '@jest/globals';
import { csvOf } from './csv.ts';

describe('a file of comma-separated values', () => {
  it('quotes fields if needed, and ends each line with CR LF', () => {
    expect(
      csvOf([
        ['day', 'a "b", c', 'x\ny'],
        [1, 2.5, 'plain'],
      ]),
    ).toBe('day,"a ""b"", c","x\ny"\r\n1,2.5,plain\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1'])('makes no formula of %j', (text) => {
    expect(csvOf([[text]])).toBe(`'${text}\r\n`);
  });

  it('quotes a formula that has a comma', () => {
    expect(csvOf([['=HYPERLINK("http://x","y")']])).toBe(`"'=HYPERLINK(""http://x"",""y"")"\r\n`);
  });
});
