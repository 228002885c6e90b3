import { describe, expect, it } from '@jest/globals';
import { fetchPlaces } from './fetch-places.ts';

describe('the places for fetching outputs', () => {
  it.each([
    [1, { all: 4, ofVendor: 3, ofWorkspace: 2 }],
    [2, { all: 4, ofVendor: 3, ofWorkspace: 2 }],
    [3, { all: 6, ofVendor: 4, ofWorkspace: 3 }],
    [4, { all: 8, ofVendor: 6, ofWorkspace: 4 }],
    [64, { all: 128, ofVendor: 96, ofWorkspace: 64 }],
  ])('of a worker that runs %s jobs at a time are half a workspace, three quarters a vendor', (concurrency, places) => {
    expect(fetchPlaces(concurrency)).toEqual(places);
  });
});
