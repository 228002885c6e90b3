import { describe, expect, it } from '@jest/globals';
import { assertReplaceable, MAX_VERSIONS, type MediaPlace } from './version.ts';

const place: MediaPlace = { id: 7, folderId: null, place: -7, replacedBy: null, version: 1 };

describe('a version of a media item', () => {
  it('is replaced once, by the next one', () => {
    expect(() => assertReplaceable(place)).not.toThrow();
    expect(() => assertReplaceable({ ...place, replacedBy: 9 })).toThrow('media item 9 is a newer version');
  });

  it('is the last of a hundred', () => {
    expect(() => assertReplaceable({ ...place, version: MAX_VERSIONS - 1 })).not.toThrow();
    expect(() => assertReplaceable({ ...place, version: MAX_VERSIONS })).toThrow('100 versions at most');
  });
});
