import { describe, expect, it } from '@jest/globals';
import { bandOf, scrollAt, tilesIn, withBand } from './band.ts';
import { layOut } from './columns.ts';
import { NOTHING, toggled } from './selection.ts';

/** Two columns of 100: tiles 0 and 3 at the left, 1, 2 and 4 at the right. */
const layout = layOut([2, 1, 1, 0.5, 1], { width: 210, gap: 10, column: 100 });

describe('a band', () => {
  it.each([
    ['in a gap', { x: 101, y: 0 }, { x: 109, y: 300 }, []],
    ['over the gap to the right', { x: 105, y: 105 }, { x: 111, y: 111 }, [2]],
    ['drawn to the top left', { x: 150, y: 215 }, { x: 99, y: 101 }, [0, 2, 3]],
    ['that ends where tiles begin', { x: 105, y: 0 }, { x: 110, y: 320 }, []],
    ['over all', { x: -5, y: -5 }, { x: 500, y: 500 }, [0, 1, 2, 3, 4]],
  ])('%s selects the tiles that it touches', (_, from, to, tiles) => {
    expect(tilesIn(layout, bandOf(from, to))).toEqual(tiles);
  });

  it('adds to what was selected before, and loses the tiles that it leaves', () => {
    const before = toggled(NOTHING, 9);
    const wide = withBand(before, [7, 5], before);
    expect([...wide.ids]).toEqual([9, 7, 5]);
    expect([...withBand(before, [7], wide).ids]).toEqual([9, 7]);
  });

  it('changes nothing while it touches the same tiles', () => {
    const shown = withBand(NOTHING, [7, 5], NOTHING);
    expect(withBand(NOTHING, [7, 5], shown)).toBe(shown);
    expect(withBand(NOTHING, [7, 3], shown)).not.toBe(shown);
  });
});

it.each([
  [70, 0],
  [35, -13],
  [-500, -26],
  [730, 0],
  [765, 13],
  [5000, 26],
])('the page under a band scrolls with the pointer at %s of 800 by %s', (y, by) => expect(scrollAt(y, 800)).toBe(by));
