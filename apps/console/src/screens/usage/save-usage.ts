import type { UsageResponse } from '../../api/index.ts';
import { type CsvField, csvOf, saveCsv } from '../../ui/index.ts';
import type { Group } from './Breakdown.tsx';
import type { Month, UsageRow } from './usage.ts';

const AMOUNTS = ['credits', 'reserved', 'generations'];

/** Downloads the rows of the table; by day, with a line for each model. */
export function saveUsage(month: Month, group: Group, usage: UsageResponse, rows: readonly UsageRow[]): void {
  const lines: readonly (readonly CsvField[])[] =
    group === 'day'
      ? usage.usage.map(({ day, model, ...of }) => [day ?? '', model ?? '', of.used, of.reserved, of.generations])
      : rows.map(({ name, ...of }) => [name, of.used, of.reserved, of.generations]);
  const head = group === 'day' ? ['day', 'model', ...AMOUNTS] : [group, ...AMOUNTS];
  saveCsv(`usage-${month}-by-${group}.csv`, csvOf([head, ...lines]));
}
