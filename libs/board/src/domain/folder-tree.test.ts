import { describe, expect, it } from '@jest/globals';
import { checkPlacement, MAX_DEPTH } from './folder-tree.ts';

describe('the place of a folder', () => {
  it.each([
    ['itself', [1]],
    ['a folder below it', [1, 2, 3]],
  ])('is never %s', (_, path) => {
    expect(() => checkPlacement({ path, folderId: 1, height: 3 })).toThrow(
      expect.objectContaining({ code: 'folder_cycle' }),
    );
  });

  it.each([
    ['the root', []],
    ['a folder above it', [1]],
    ['a folder beside it', [1, 4]],
  ])('may be %s', (_, path) => {
    expect(() => checkPlacement({ path, folderId: 3, height: 1 })).not.toThrow();
  });

  it.each([1, 21])('is at most 50 deep, with its %i levels', (height) => {
    const under = (depth: number) => () =>
      checkPlacement({ path: Array.from({ length: depth }, (_, index) => index), folderId: null, height });
    expect(under(MAX_DEPTH - height)).not.toThrow();
    expect(under(MAX_DEPTH - height + 1)).toThrow(
      expect.objectContaining({ code: 'validation_failed', fields: { parent_id: [expect.any(String)] } }),
    );
  });
});
