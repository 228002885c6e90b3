import { describe, expect, it } from '@jest/globals';
import { fits, placeIn, withPath } from './lines.ts';
import { COLORS, type Point, type Stroke, strokesOver, type Tool } from './strokes.ts';

const pen = (tool: Tool) => ({ tool, color: COLORS.red });
const drawn = (tool: Tool, path: readonly Point[], ratio = 1) => withPath([], path, pen(tool), ratio)![0]!.points;
const strokes = (count: number): Stroke[] => Array(count).fill({ color: COLORS.red, width: 0.01, points: [[0, 0]] });
/** A line that no tolerance makes shorter. */
const zigzag = (points: number) => Array.from({ length: points }, (_, at): Point => [at / points, at % 2]);

describe('a line', () => {
  it('of the pen keeps its corners, not the points between them', () => {
    const path: Point[] = [
      [0, 0],
      [0.2, 0.0004],
      [0.5, 0],
      [0.5, 0.3],
      [0.50004, 0.5],
    ];
    expect(drawn('pen', path)).toEqual([
      [0, 0],
      [0.5, 0],
      [0.5, 0.5],
    ]);
  });

  it('of the pen may be a dot, an arrow or a box may not', () => {
    expect(drawn('pen', [[0.5, 0.5]])).toEqual([
      [0.5, 0.5],
      [0.5, 0.5],
    ]);
    expect(withPath([], [[0.5, 0.5]], pen('arrow'), 1)).toEqual([]);
    expect(
      withPath(
        [],
        [
          [0.5, 0.5],
          [0.509, 0.5],
        ],
        pen('box'),
        1,
      ),
    ).toEqual([]);
  });

  it('of the arrow ends in a head with equal sides, also over a wide item', () => {
    const [from, tip, left, again, right] = drawn(
      'arrow',
      [
        [0.1, 0.5],
        [0.3, 0.2],
        [0.9, 0.5],
      ],
      2,
    );
    expect([from, tip, again]).toEqual([
      [0.1, 0.5],
      [0.9, 0.5],
      [0.9, 0.5],
    ]);
    expect(left![0]).toBe(right![0]);
    expect(left![0]).toBeLessThan(0.9);
    expect(0.5 - left![1]).toBeCloseTo(right![1] - 0.5, 4);
  });

  it('of the box is closed', () => {
    expect(
      drawn('box', [
        [0.8, 0.1],
        [0.5, 0.5],
        [0.2, 0.4],
      ]),
    ).toEqual([
      [0.8, 0.1],
      [0.2, 0.1],
      [0.2, 0.4],
      [0.8, 0.4],
      [0.8, 0.1],
    ]);
  });

  it('stays within the item, with four digits', () => {
    expect(
      drawn('pen', [
        [-0.2, 0.123456],
        [1.7, 2],
      ]),
    ).toEqual([
      [0, 0.1235],
      [1, 1],
    ]);
  });
});

describe('a drawing', () => {
  it('fits with 200 strokes, not with 201', () => {
    expect([fits(strokes(200)), fits(strokes(201))]).toEqual([true, false]);
    expect(withPath(strokes(199), [[0, 0]], pen('pen'), 1)).toHaveLength(200);
    expect(withPath(strokes(200), [[0, 0]], pen('pen'), 1)).toBeNull();
  });

  it('fits with 20,000 bytes, not with one more', () => {
    const sized = (bytes: number): Stroke[] => {
      const [stroke] = strokes(1) as [Stroke];
      return [{ ...stroke, color: stroke.color.padEnd(bytes - JSON.stringify([{ ...stroke, color: '' }]).length) }];
    };
    expect(JSON.stringify(sized(20_000))).toHaveLength(20_000);
    expect([fits(sized(20_000)), fits(sized(20_001))]).toEqual([true, false]);
  });

  it('takes a long line with fewer points, and is full for a line that can not be shorter', () => {
    const wavy = Array.from({ length: 4_000 }, (_, at): Point => [at / 4_000, 0.5 + (at % 2) * 0.004]);
    const next = withPath([], wavy, pen('pen'), 1);
    expect(next![0]!.points.length).toBeLessThan(100);
    expect(withPath([], zigzag(2_000), pen('pen'), 1)).toBeNull();
  });
});

it('a place in an item does not depend on the bars beside it or above it', () => {
  const box = { left: 100, top: 50, width: 400, height: 400 };
  expect(placeIn(box, 2, { clientX: 100, clientY: 150 })).toEqual([0, 0]);
  expect(placeIn(box, 2, { clientX: 500, clientY: 350 })).toEqual([1, 1]);
  expect(placeIn(box, 0.5, { clientX: 200, clientY: 450 })).toEqual([0, 1]);
  expect(placeIn(box, 0.5, { clientX: 300, clientY: 250 })).toEqual([0.5, 0.5]);
});

it('over an item are the strokes of the open thread and of the comment being written, over a video while it stands there', () => {
  const [one, other, reply, written] = strokes(4).map((stroke, at) => ({ ...stroke, width: at }));
  const comments = [
    { id: 1, parent_id: null, time: 1.5, drawing: [one!] },
    { id: 2, parent_id: null, time: null, drawing: [other!] },
    { id: 3, parent_id: 1, time: null, drawing: [reply!] },
  ];
  const none = { time: null, drawing: null };
  expect(strokesOver(comments, null, none, 1.5)).toEqual([]);
  expect(strokesOver(comments, 1, none, 1.52)).toEqual([one, reply]);
  expect(strokesOver(comments, 1, none, 1.7)).toEqual([]);
  expect(strokesOver(comments, 1, none, null)).toEqual([]);
  expect(strokesOver(comments, 2, { time: 2, drawing: [written!] }, 2)).toEqual([other, written]);
});
