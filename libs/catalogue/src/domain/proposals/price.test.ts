import { describe, expect, it } from '@jest/globals';
import { vendorPriceIn } from './price.ts';

const ENDPOINT = 'fal-ai/flux/dev';
const price = { endpoint_id: ENDPOINT, unit_price: 0.025, unit: 'image', currency: 'USD' };
const read = (...prices: unknown[]) => vendorPriceIn({ prices, next_cursor: null, has_more: false }, ENDPOINT);

describe('the price that fal reports', () => {
  it('is that of the endpoint, whatever other prices come with it', () => {
    expect(read({ ...price, endpoint_id: 'fal-ai/flux', unit_price: 9 }, price)).toEqual({
      amount: 0.025,
      currency: 'USD',
      unit: 'image',
    });
    expect(read({ ...price, unit_price: 0 })).toMatchObject({ amount: 0 });
  });

  it.each<[what: string, prices: unknown]>([
    ['is missing', []],
    ['is of another endpoint', [{ ...price, endpoint_id: 'fal-ai/flux' }]],
    ['is negative', [{ ...price, unit_price: -0.01 }]],
    ['is a text', [{ ...price, unit_price: '0.025' }]],
    ['has no unit', [{ ...price, unit: ' ' }]],
    ['has no currency of three letters', [{ ...price, currency: '<b>$</b>' }]],
    ['is no object', ['0.025']],
    ['is no list', '0.025'],
  ])('is unknown when it %s', (_, prices) => {
    expect(vendorPriceIn({ prices }, ENDPOINT)).toBeNull();
  });

  it.each([null, undefined, 7, 'no JSON', []])('is unknown in the response %j', (response) => {
    expect(vendorPriceIn(response, ENDPOINT)).toBeNull();
  });
});
