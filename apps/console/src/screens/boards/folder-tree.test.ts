import { describe, expect, it } from '@jest/globals';
import { canMoveInto, pathTo, rowsOf, treeOf } from './folder-tree.ts';

const folder = (id: number, name: string, parent_id: number | null = null) => ({ id, name, parent_id });
const folders = [folder(1, 'Take 10'), folder(2, 'Take 9'), folder(3, 'Red', 1), folder(4, 'Dark red', 3)];
const media = [{ folder_id: null }, { folder_id: 1 }, { folder_id: 3 }, { folder_id: 4 }, { folder_id: 4 }];
const tree = treeOf(folders, media);

describe('the tree of folders', () => {
  it('is sorted by name, numbers by their size', () => {
    expect(tree.roots.map(({ name }) => name)).toEqual(['Take 9', 'Take 10']);
  });

  it('counts the items of a folder at any depth', () => {
    expect(tree.byId.get(1)).toMatchObject({ media: 1, inside: { folders: 2, media: 4 } });
    expect(tree.byId.get(4)).toMatchObject({ media: 2, inside: { folders: 0, media: 2 } });
  });

  it('shows the folders inside open folders', () => {
    const open = new Set([1]);
    expect(rowsOf(tree, (id) => open.has(id)).map(({ id, depth }) => [id, depth])).toEqual([
      [2, 0],
      [1, 0],
      [3, 1],
    ]);
  });

  it('has a path to each folder, and none to the root or a deleted folder', () => {
    expect(pathTo(tree, 4).map(({ id }) => id)).toEqual([1, 3, 4]);
    expect(pathTo(tree, null)).toEqual([]);
    expect(pathTo(tree, 9)).toEqual([]);
  });
});

it.each([
  ['another folder', 4, 2, true],
  ['the root', 4, null, true],
  ['where it is', 4, 3, false],
  ['the root, where it is', 1, null, false],
  ['itself', 1, 1, false],
  ['a folder within it', 1, 4, false],
])('a folder can be moved into %s: %s to %s %s', (_, id, parentId, can) => {
  expect(canMoveInto(tree, id, parentId)).toBe(can);
});
