import { describe, expect, it } from '@jest/globals';
import { VendorPlaces } from './vendor-places.ts';

describe('the places of a vendor', () => {
  const never = () => new Promise<void>(() => undefined);

  it('can be taken until none is left, and leave those of other vendors alone', () => {
    const places = new VendorPlaces(2);
    const taken = ['a', 'a', 'a', 'b'].map((vendor) => places.during(vendor, never) !== null);
    expect(taken).toEqual([true, true, false, true]);
  });

  it('are free again when the work is done, and when it has failed', async () => {
    const places = new VendorPlaces(1);
    await places.during('a', async () => undefined);
    await expect(places.during('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(places.during('a', never)).not.toBeNull();
  });
});
