import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '#audit-log';
import { CSV_HEADER, csvOf } from './audit-csv.ts';

const entry: AuditEntry = {
  id: 31,
  at: new Date('2026-03-14T09:26:53.589Z'),
  actor: { type: 'user', userId: 3, email: 'ada@example.com' },
  via: 'session',
  action: 'media.delete',
  target: { type: 'board', id: 7, name: 'Moods' },
  details: { items: [1, 2] },
  address: '192.0.2.7',
  requestId: 'r-1',
};
const named = (name: string) => csvOf({ ...entry, target: { ...entry.target, name } });

describe('the audit log as CSV', () => {
  it('has a line for each entry, with quotes where they are needed', () => {
    expect(CSV_HEADER).toBe(
      'id,at,actor,user_id,via,action,target_type,target_id,target_name,details,address,request_id\r\n',
    );
    expect(csvOf(entry)).toBe(
      '31,2026-03-14T09:26:53.589Z,ada@example.com,3,session,media.delete,board,7,Moods,"{""items"":[1,2]}",192.0.2.7,r-1\r\n',
    );
    expect(named('a "b",\nc')).toContain(',"a ""b"",\nc",');
  });

  it.each(['=', '+', '-', '@', '\t', '\r'])('makes a text that begins with %j harmless', (sign) => {
    expect(named(`${sign}cmd()`)).toMatch(new RegExp(`,"?'\\${sign}cmd\\(\\)"?,`));
    expect(named(`a${sign}`)).not.toContain("'");
  });
});
