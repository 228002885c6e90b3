import { beforeEach, describe, expect, it } from '@jest/globals';
import { FalBilling } from './billing.ts';

const ENDPOINT = 'fal-ai/flux/dev';
const prices = { prices: [{ endpoint_id: ENDPOINT, unit_price: 0.025, unit: 'megapixel', currency: 'USD' }] };
const result = (units?: string) =>
  new Response('{}', units === undefined ? {} : { headers: { 'x-fal-billable-units': units } });

let reads: number;
let now: number;
let read: () => Promise<unknown>;
let billing: FalBilling;
beforeEach(() => {
  [reads, now] = [0, 0];
  read = async () => prices;
  billing = new FalBilling(
    () => {
      reads++;
      return read();
    },
    () => now,
  );
});

describe('what fal bills', () => {
  it('is the units of the result times the price of the endpoint, which is read once an hour', async () => {
    expect(await billing.costOf(result('3'), ENDPOINT)).toBe(0.075);
    now += 3_599_999;
    expect([await billing.costOf(result('1.5'), ENDPOINT), reads]).toEqual([0.0375, 1]);
    now += 1;
    expect([await billing.costOf(result('0'), ENDPOINT), reads]).toEqual([0, 2]);
  });

  it.each([undefined, 'many', '-1', 'Infinity'])('is unknown with %s units, and no price is read', async (units) => {
    expect([await billing.costOf(result(units), ENDPOINT), reads]).toEqual([null, 0]);
  });

  it('is unknown without the endpoint, without a price, and when the price cannot be read', async () => {
    expect(await billing.costOf(result('1'), null)).toBeNull();
    expect(await billing.costOf(result('1'), 'fal-ai/other')).toBeNull();
    read = () => Promise.reject(new Error('away'));
    expect(await billing.costOf(result('1'), ENDPOINT)).toBeNull();
  });
});
