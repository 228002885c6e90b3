import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { settingsTable } from './settings-table.ts';

const OPERATIONS = join(import.meta.dirname, '..', '..', '..', 'docs', 'operations.md');

describe('the table of settings', () => {
  it('stands in the documentation as it is (else: npm run document-settings)', () => {
    const [, documented] = /<!-- prettier-ignore-start -->\n([^]*)<!-- prettier-ignore-end -->/.exec(
      readFileSync(OPERATIONS, 'utf8'),
    )!;
    expect(documented).toBe(settingsTable());
  });

  it('has one row a setting, with every cell of it', () => {
    const [, , ...rows] = settingsTable().trim().split('\n');
    const variables = rows.map((row) => /^\| `([A-Z0-9_]+)` \|(?: [^|]*\|){3}$/.exec(row)?.[1]);
    expect(variables).not.toContain(undefined);
    expect(new Set(variables).size).toBe(rows.length);
  });
});
