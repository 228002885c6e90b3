import { describe, expect, it } from '@jest/globals';
import { parseCsv } from './parse-csv.ts';

describe('CSV', () => {
  it.each<[what: string, text: string, rows: object[]]>([
    [
      'has a row for each line',
      'model,seed\na,1\nb,2\n',
      [
        { model: 'a', seed: '1' },
        { model: 'b', seed: '2' },
      ],
    ],
    ['may end without a line break, and have those of Windows', 'model\r\na\r\nb', [{ model: 'a' }, { model: 'b' }]],
    ['leaves out fields without a value', 'model,seed\na,\n,2', [{ model: 'a' }, { seed: '2' }]],
    ['leaves out empty lines', 'model\n\na\n\n', [{ model: 'a' }]],
    ['may start with a byte order mark', '\ufeffmodel\na', [{ model: 'a' }]],
    ['has commas, quotes and line breaks in quotes', 'prompt\n"a, ""b""\nc"\n', [{ prompt: 'a, "b"\nc' }]],
    ['keeps a name that objects have', '__proto__,model\nx,y', [JSON.parse('{"__proto__":"x","model":"y"}') as object]],
    ['may have no rows', 'model', []],
    ['may be empty', '', []],
  ])('%s', (_, text, rows) => expect(parseCsv(text, 1000)).toEqual(rows));

  it.each([
    ['a field too few', 'a,b\n1,2\n3', 'line 3 must have 2 fields, as the header row has: it has 1'],
    ['a field too many', 'a\n1,2', 'line 2 must have 1 fields'],
    ['a quote in a value', 'a\nx"y', 'line 2 has a quote'],
    ['a quote that does not end', 'a\n"x\ny', 'line 2 has a quote'],
    ['text after a quoted value', 'a\n"x"y', 'line 2 has a quote'],
    ['a name given twice', 'a,a\n1,2', 'line 1 has the field a more than once'],
    ['a header without a name', 'a,\n1,2', 'line 1 must be field names'],
    ['too many columns', Array.from({ length: 201 }, (_, index) => `c${index}`).join(), 'line 1 must have at most 200'],
  ])('with %s is refused by its line', (_, text, problem) => {
    expect(() => parseCsv(text, 1000)).toThrow(problem);
  });

  it('counts the lines within quotes', () => {
    expect(() => parseCsv('a\n"1\n2"\n3,4', 1000)).toThrow('line 4 must have 1 fields');
  });

  it('is read up to one row more than allowed', () => {
    expect(parseCsv(`a\n${'1\n'.repeat(1_000_000)}`, 1000)).toHaveLength(1001);
  });
});
