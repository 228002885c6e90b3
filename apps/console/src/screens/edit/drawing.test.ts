import { describe, expect, it } from '@jest/globals';
import { type Action, changed, drawingOf, EMPTY_HISTORY, hasMarks, type History, type Step } from './drawing.ts';
import { NO_SIDES } from './geometry.ts';

const stroke = (size: number, isErasing = false): Step => ({
  kind: 'stroke',
  size,
  isErasing,
  isPen: false,
  points: [1, 2, 0.5],
});
const feather = (radius: number): Step => ({ kind: 'feather', radius });
const undo: Action = { type: 'undo' };
const redo: Action = { type: 'redo' };
const CLEAR: Step = { kind: 'clear' };
const INVERT: Step = { kind: 'invert' };

const after = (...actions: readonly (Step | Action)[]): History =>
  actions.reduce<History>(
    (history, each) => changed(history, 'type' in each ? each : { type: 'add', step: each }),
    EMPTY_HISTORY,
  );
const sizes = (history: History) => drawingOf(history).marks.map((mark) => 'size' in mark && mark.size);

describe('a drawing', () => {
  it('has its marks in order', () => {
    expect(sizes(after(stroke(1), stroke(2)))).toEqual([1, 2]);
  });

  it('loses its last step by undo, and has it again by redo', () => {
    expect(sizes(after(stroke(1), stroke(2), undo))).toEqual([1]);
    expect(sizes(after(stroke(1), stroke(2), undo, undo, redo))).toEqual([1]);
    expect(sizes(after(stroke(1), stroke(2), undo, undo, redo, redo))).toEqual([1, 2]);
  });

  it('stays as it is where there is nothing to undo or redo', () => {
    const drawn = after(stroke(1));
    expect(changed(drawn, redo)).toBe(drawn);
    expect(changed(EMPTY_HISTORY, undo)).toBe(EMPTY_HISTORY);
  });

  it('forgets what was undone when something else is drawn', () => {
    const history = after(stroke(1), stroke(2), undo, stroke(3));
    expect(sizes(history)).toEqual([1, 3]);
    expect(changed(history, redo)).toBe(history);
  });

  it('is cleared in a step that can be undone, once', () => {
    const cleared = after(stroke(1), CLEAR);
    expect(sizes(cleared)).toEqual([]);
    expect(sizes(changed(cleared, undo))).toEqual([1]);
    expect(changed(cleared, { type: 'add', step: CLEAR })).toBe(cleared);
  });

  it('keeps its frame and feather when its marks are cleared', () => {
    const sides = { ...NO_SIDES, left: 9 };
    expect(drawingOf(after(feather(4), { kind: 'extend', sides }, stroke(1), CLEAR))).toEqual({
      marks: [],
      feather: 4,
      sides,
    });
  });

  it('takes a slider that moves as one step', () => {
    const history = after(stroke(1), feather(3), feather(8));
    expect(drawingOf(history).feather).toBe(8);
    expect(drawingOf(changed(history, undo)).feather).toBe(0);
    expect(drawingOf(after(feather(3), stroke(1), feather(8), undo)).feather).toBe(3);
  });

  it('keeps the step before an undone one apart from the next', () => {
    expect(drawingOf(after(feather(3), stroke(1), undo, feather(8), undo)).feather).toBe(3);
  });
});

it('has something to change once a part is marked or added, not by erasing alone', () => {
  const has = (...steps: readonly Step[]) => hasMarks(drawingOf(after(...steps)));
  expect(has()).toBe(false);
  expect(has(stroke(1, true), feather(3))).toBe(false);
  expect(has(stroke(1, true), stroke(1))).toBe(true);
  expect(has(INVERT)).toBe(true);
  expect(has(stroke(1), CLEAR)).toBe(false);
  expect(has({ kind: 'extend', sides: { ...NO_SIDES, top: 1 } })).toBe(true);
});
