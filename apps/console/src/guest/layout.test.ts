import { describe, expect, it } from '@jest/globals';
import type { Media } from './api.ts';
import { layoutOf, neighbour, shownOf } from './layout.ts';

const item = (id: number, width: number | null = 100, height: number | null = 100) => ({ id, width, height }) as Media;
const section = (media: Media[], title: string | null = null) => ({ id: null, title, media });

describe('the layout of a gallery', () => {
  it('fills the width of a phone with rows, in the order of the items', () => {
    const { tiles, height } = layoutOf(
      [section([item(1, 300, 200), item(2, 200, 300), item(3, 1, 1), item(4, 1, 1)])],
      343,
    );
    expect(tiles.map(({ media, row }) => [media.id, row])).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
      [4, 1],
    ]);
    const last = tiles[2]!;
    expect(last.left + last.width).toBeCloseTo(343);
    expect(tiles[3]!.top).toBeCloseTo(tiles[0]!.height + 6);
    expect(height).toBeCloseTo(tiles[3]!.top + tiles[3]!.height + 6);
  });

  it('has headings above the rows of folders', () => {
    const { headings, tiles } = layoutOf([section([item(1)]), section([item(2)], 'Final')], 1_000);
    expect(headings).toHaveLength(1);
    expect(headings[0]!.top).toBeCloseTo(tiles[0]!.height + 6);
    expect(tiles[1]!.top).toBeCloseTo(headings[0]!.top + headings[0]!.height);
  });

  it('never has a tile that is wider than the page, whatever the shape of a picture', () => {
    for (const [width, height] of [
      [10_000, 1],
      [1, 10_000],
      [0, 0],
      [null, null],
    ] as const) {
      const { tiles } = layoutOf([section([item(1, width, height)])], 343);
      expect(tiles[0]!.width).toBeLessThan(343.01);
      expect(tiles[0]!.height).toBeGreaterThan(100);
    }
  });

  it('shows what is at least partly in sight', () => {
    const boxes = [0, 100, 200].map((top) => ({ top, height: 100 }));
    expect(shownOf(boxes, 100, 200)).toEqual([boxes[1]]);
    expect(shownOf(boxes, 99, 201)).toEqual(boxes);
  });
});

describe('the arrow keys', () => {
  // 0 1 2
  // 3 4
  const { tiles } = layoutOf([section([1, 2, 3, 4, 5].map((id) => item(id)))], 360);

  it.each([
    [0, 'ArrowRight', 1],
    [2, 'ArrowRight', 3],
    [3, 'ArrowLeft', 2],
    [1, 'ArrowDown', 4],
    [4, 'ArrowUp', 2],
    [2, 'ArrowDown', 4],
    [1, 'End', 4],
    [1, 'Home', 0],
    [0, 'ArrowLeft', null],
    [4, 'ArrowRight', null],
    [0, 'ArrowUp', null],
    [3, 'ArrowDown', null],
    [0, 'Enter', null],
  ])('go from tile %d by %s to %p', (from, key, to) => {
    expect(neighbour(tiles, from, key)).toBe(to);
  });
});
