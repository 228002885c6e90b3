import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'decisions');
const records = readdirSync(folder).sort();
const HEADER =
  /^# (?<number>\d+)\. .+\n\n- Date: 2\d{3}-\d\d-\d\d\n- Status: (?:accepted|superseded by \[(?<by>\d+)\]\((?<file>[^)]+)\))\n\n/;

describe('A record of a decision', () => {
  it.each(records)('begins with number, title, date and status: %s', (name) => {
    const header = HEADER.exec(readFileSync(join(folder, name), 'utf8'))?.groups;
    expect(header?.number?.padStart(4, '0')).toBe(name.slice(0, 4));
    if (header?.file === undefined) return;
    expect(records).toContain(header.file);
    expect(header.file.startsWith(header.by!.padStart(4, '0'))).toBe(true);
  });

  it('has a number of its own, without gaps', () => {
    const numbers = records.map((name) => Number(name.slice(0, 4)));
    expect(numbers).toEqual(records.map((_, index) => index + 1));
  });
});
