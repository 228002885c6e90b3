import { describe, expect, it } from '@jest/globals';
import { modelUsageCsv, periodOfQuery, type ModelUsageDto } from './model-usage.dto.ts';

const NOW = new Date('2026-11-25T10:00:00Z');
const period = (from?: string, to?: string) =>
  Object.values(periodOfQuery({ ...(from && { from }), ...(to && { to }) }, NOW)).map((at) =>
    at.toISOString().slice(0, 10),
  );

describe('the months of a usage', () => {
  it('are the current one by default, and both ends are included', () => {
    expect(period()).toEqual(['2026-11-01', '2026-12-01']);
    expect(period('2026-10')).toEqual(['2026-10-01', '2026-12-01']);
    expect(period(undefined, '2026-10')).toEqual(['2026-10-01', '2026-11-01']);
    expect(period('2024-12', '2026-11')).toEqual(['2024-12-01', '2026-12-01']);
  });

  it.each([
    ['the future', '2026-12', undefined, 'from', 'must be a month that has begun'],
    ['the future', undefined, '2026-12', 'to', 'must be a month that has begun'],
    ['the wrong order', '2026-11', '2026-10', 'from', 'must not be after `to`'],
    ['more than two years', '2024-11', '2026-11', 'from', 'must be within two years'],
  ])('are refused for %s', (_, from, to, field, message) => {
    const refusal = expect.objectContaining({ code: 'validation_failed', fields: { [field]: [message] } });
    expect(() => period(from, to)).toThrow(refusal);
  });
});

it('the CSV of a usage has a line for each month and model, and no formulas', () => {
  const row: ModelUsageDto = {
    ...{ month: '2026-11', model: '=fluw', uses: 23, succeeded: 20, failed: 2, canceled: 1, credits: 80 },
    ...{ p50_seconds: 10.5, p95_seconds: null, vendor_cost: null, vendor_costs: 0 },
  };
  expect(modelUsageCsv([row])).toBe(
    'month,model,uses,succeeded,failed,canceled,p50_seconds,p95_seconds,credits,vendor_cost,vendor_costs\r\n' +
      "2026-11,'=fluw,23,20,2,1,10.5,,80,,0\r\n",
  );
});
