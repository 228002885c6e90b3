import { describe, expect, it } from '@jest/globals';
import type { Media } from './api.ts';
import { sectionsOf } from './sections.ts';

const item = (id: number, folder_id: number | null) => ({ id, folder_id }) as Media;
const folder = (id: number, parent_id: number | null) => ({ id, parent_id, name: `F${id}` });
const shape = (sections: ReturnType<typeof sectionsOf>) =>
  sections.map(({ title, media }) => [title, media.map(({ id }) => id)]);

describe('the sections of a gallery', () => {
  it('are folder by folder, each before the folders within it, and after items outside', () => {
    const folders = [folder(1, null), folder(2, null), folder(3, 1), folder(4, 3)];
    const media = [item(10, 2), item(11, 4), item(12, null), item(13, 1), item(14, 2)];
    expect(shape(sectionsOf(folders, media))).toEqual([
      [null, [12]],
      ['F1', [13]],
      ['F1 / F3 / F4', [11]],
      ['F2', [10, 14]],
    ]);
  });

  it('have folders whose parent is not shared at the top, and items of such folders outside', () => {
    expect(shape(sectionsOf([folder(3, 1)], [item(10, 3), item(11, 1)]))).toEqual([
      [null, [11]],
      ['F3', [10]],
    ]);
    expect(sectionsOf([], [])).toEqual([]);
  });
});
