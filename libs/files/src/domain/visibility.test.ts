import { describe, expect, it } from '@jest/globals';
import { isSeen, type FileState, type Place } from './visibility.ts';

const WHOLE: FileState = { isInTrash: false, isRemoved: false, hasDeletedPersona: false, isUsed: false };

describe('a file', () => {
  it.each<[what: string, state: Partial<FileState>, places: Place[]]>([
    ['of a persona', {}, ['url', 'output', 'library']],
    ['that is used', { isUsed: true }, ['url', 'output', 'library']],
    ['in the trash', { isInTrash: true }, []],
    ['in the trash, whatever uses it', { isInTrash: true, isUsed: true }, []],
    ['whose item was deleted', { isRemoved: true }, []],
    ['whose item was deleted, and which is used', { isRemoved: true, isUsed: true }, ['url']],
    ['of a deleted persona', { hasDeletedPersona: true }, []],
    ['of a deleted persona, which is used', { hasDeletedPersona: true, isUsed: true }, ['url', 'output']],
    [
      'whose item and persona were deleted, and which is used',
      { isRemoved: true, hasDeletedPersona: true, isUsed: true },
      ['url'],
    ],
  ])('%s is seen where it may be', (_what, state, places) => {
    const file = { ...WHOLE, ...state, picture: null };
    expect((['url', 'output', 'library'] as const).filter((place) => isSeen(place, file))).toEqual(places);
  });
});

describe('a thumbnail', () => {
  it.each<[what: string, picture: Partial<FileState>, own: Partial<FileState>, isShown: boolean]>([
    ['with its picture', {}, {}, true],
    ['while its picture is used', { isRemoved: true, isUsed: true }, {}, true],
    ['not without its picture', { isRemoved: true }, {}, false],
    ['not while its picture is in the trash', { isInTrash: true }, {}, false],
    ['without its picture while it is used itself', { isRemoved: true }, { isUsed: true }, true],
    ['not while it is in the trash', {}, { isInTrash: true }, false],
  ])('is seen by its URL %s', (_what, picture, own, isShown) => {
    expect(isSeen('url', { ...WHOLE, ...own, picture: { ...WHOLE, ...picture } })).toBe(isShown);
  });
});
