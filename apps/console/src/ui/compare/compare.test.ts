import { describe, expect, it } from '@jest/globals';
import { WHOLE } from '../media/zoom.ts';
import { moved, zoomed } from './view.ts';
import { columnsOf, commonRatio, comparedIn, heightOf } from './layout.ts';

describe('the view of compared pictures', () => {
  it('keeps the detail under the pointer where it is', () => {
    const near = zoomed(WHOLE, 4, { x: 0.25, y: -0.1 });
    expect(near).toEqual({ scale: 4, x: -0.75, y: expect.closeTo(0.3) });
    expect(zoomed(near, 2, { x: 0.25, y: -0.1 })).toEqual({ scale: 8, x: -1.75, y: expect.closeTo(0.7) });
  });

  it('follows two fingers that move apart and aside', () => {
    expect(zoomed(WHOLE, 3, { x: 0, y: 0 }, { x: 0.2, y: 0.1 })).toEqual({ scale: 3, x: 0.2, y: 0.1 });
  });

  it('leaves no empty border in a frame', () => {
    expect(moved(WHOLE, { x: 0.5, y: -0.5 })).toEqual(WHOLE);
    expect(moved({ scale: 3, x: 0, y: 0 }, { x: 5, y: -5 })).toEqual({ scale: 3, x: 1, y: -1 });
    expect(zoomed({ scale: 3, x: 1, y: -1 }, 1 / 3)).toEqual(WHOLE);
  });

  it('is between the whole picture and sixteen times as large', () => {
    expect(zoomed(WHOLE, 0.5)).toEqual(WHOLE);
    expect(zoomed(WHOLE, 17).scale).toBe(16);
  });
});

describe('the layout of compared pictures', () => {
  const wide = { width: 1400, height: 760, gap: 12, caption: 64 };

  it.each([
    ['two squares', 2, 1, 2],
    ['two wide pictures', 2, 3, 1],
    ['four squares', 4, 1, 4],
    ['nine squares', 9, 1, 5],
    ['nine wide pictures', 9, 16 / 9, 3],
    ['nine tall pictures', 9, 9 / 16, 5],
  ])('shows %s as large as fits', (_, count, ratio, columns) => expect(columnsOf(count, ratio, wide)).toBe(columns));

  it('shows pictures below each other where it is narrow', () => {
    expect(columnsOf(2, 1.5, { ...wide, width: 400, height: 900 })).toBe(1);
  });

  it('is as high as its pictures need, and as the window at most', () => {
    expect(heightOf(3, 2, 2, { ...wide, width: 412 })).toBe(2 * (100 + 64) + 12);
    expect(heightOf(3, 2, 0.1, { ...wide, width: 412 })).toBe(760);
  });

  it('has the shape of its pictures', () => {
    expect(commonRatio([{ width: 200, height: 100 }, { width: 100, height: 100 }, { width: null }])).toBe(1.5);
    expect(commonRatio([{}])).toBe(1);
  });
});

it.each([
  ['12-15', [12, 15]],
  ['1-2-3-4-5-6-7-8-9', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['1-2-3-4-5-6-7-8-9-10', null],
  ['12', null],
  ['12-12', null],
  ['0-1', null],
  ['1-', null],
  ['', null],
])('a comparison of "%s" is of %j', (text, ids) => expect(comparedIn(text)).toEqual(ids));
