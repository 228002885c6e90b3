import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AuditEntry } from '#audit-log';
import { CSV_HEADER, csvOf } from './audit-csv.ts';

const entry: AuditEntry = {
  id: 31,
  at: new Date('2026-03-14T09:26:53.589Z'),
  actor: { type: 'user', userId: 3, email: 'ada@example.com' },
  via: 'session',
  viaName: null,
  action: 'media.delete',
  target: { type: 'board', id: 7, name: 'Moods' },
  details: { items: [1, 2] },
  address: '192.0.2.7',
  requestId: 'r-1',
};
/** The cells of CSV, as RFC 4180 reads it. */
function rowsOf(csv: string): string[][] {
  const cells = csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy);
  const rows: string[][] = [[]];
  let length = 0;
  for (const [all, quoted, plain, end] of cells) {
    length += all.length;
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end !== ',') rows.push([]);
  }
  expect(length).toBe(csv.length);
  return rows.slice(0, -1);
}

const NAME = 9;
const named = (name: string) => csvOf({ ...entry, target: { ...entry.target, name } });

describe('the audit log as CSV', () => {
  it('has a line for each entry, with quotes where they are needed', () => {
    expect(CSV_HEADER).toBe(
      'id,at,actor,user_id,via,via_name,action,target_type,target_id,target_name,details,address,request_id\r\n',
    );
    expect(csvOf(entry)).toBe(
      '31,2026-03-14T09:26:53.589Z,ada@example.com,3,session,,media.delete,board,7,Moods,"{""items"":[1,2]}",192.0.2.7,r-1\r\n',
    );
    expect(named('a "b",\nc')).toContain(',"a ""b"",\nc",');
  });

  it.each(['=', '+', '-', '@', '\t', '\r'])('makes a text that begins with %j harmless', (sign) => {
    expect(named(`${sign}cmd()`)).toMatch(new RegExp(`,"?'\\${sign}cmd\\(\\)"?,`));
    expect(named(`a${sign}`)).not.toContain("'");
  });

  it.each([
    ['\n=cmd()', "'\n'=cmd()"],
    ['a\t=cmd()', "a\t'=cmd()"],
    ['a\r\n+cmd()', "a\r\n'+cmd()"],
    ['a;@cmd();-b', "a;'@cmd();'-b"],
    ['"=cmd()', '"=cmd()'],
    ['a-b@c.test', 'a-b@c.test'],
    ['a, =b; c', 'a, =b; c'],
  ])('makes %j the text %j', (name, text) => {
    expect(rowsOf(named(name))[0]![NAME]).toBe(text);
  });

  it('shows what would turn the direction of a text around, and leaves texts from right to left', () => {
    expect(named('invoice\u202efdp.exe\u2066')).toContain(',invoice\\u202efdp.exe\\u2066,');
    expect(named('שלום مرحبا')).toContain(',שלום مرحبا,');
  });

  it('is one line of as many cells as the header, and none of them a formula, whatever people write', () => {
    const text = fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",;\'a\u202e', 'ש') });
    fc.assert(
      fc.property(text, text, (name, email) => {
        const actor = { type: 'user', userId: 3, email } as const;
        const csv = csvOf({ ...entry, actor, target: { ...entry.target, name } });
        const rows = rowsOf(CSV_HEADER + csv);
        expect(rows.map(({ length }) => length)).toEqual([13, 13]);
        for (const cell of rows[1]!) expect(cell).not.toMatch(/^[=+\-@\t\r\n]|[\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
