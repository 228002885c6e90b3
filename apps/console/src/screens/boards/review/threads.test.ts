import { expect, it } from '@jest/globals';
import type { CommentDto } from '../../../api/index.ts';
import { momentText, movedBy, pointAt, threadsOf } from './threads.ts';

const comment = (id: number, more: Partial<CommentDto> = {}) =>
  ({ id, parent_id: null, x: null, y: null, resolved_at: null, ...more }) as CommentDto;

it('the threads of an item have their replies, and the numbers of their pins; resolved ones are apart', () => {
  const { open, resolved } = threadsOf([
    comment(1, { x: 0, y: 0, resolved_at: '2026-11-26T00:00:00Z' }),
    comment(2),
    comment(3, { x: 0, y: 1 }),
    comment(4, { parent_id: 2 }),
    comment(5, { x: 1, y: 1 }),
    comment(6, { parent_id: 1 }),
  ]);
  const shape = (threads: typeof open) =>
    threads.map(({ first, replies, pin }) => [first.id, replies.map(({ id }) => id), pin]);
  expect(shape(open)).toEqual([
    [2, [4], null],
    [3, [], 1],
    [5, [], 2],
  ]);
  expect(shape(resolved)).toEqual([[1, [6], null]]);
});

it.each([
  [0, '0:00'],
  [7.46, '0:07.5'],
  [59.99, '1:00'],
  [61, '1:01'],
  [3600, '60:00'],
])('shows the moment %d s as %s', (seconds, text) => {
  expect(momentText(seconds)).toBe(text);
});

it('a pin moves by the arrow keys, and never out of the picture', () => {
  expect(movedBy('ArrowRight', { x: 0.5, y: 0.5 })).toEqual({ x: 0.52, y: 0.5 });
  expect(movedBy('ArrowUp', { x: 0.5, y: 0.01 })).toEqual({ x: 0.5, y: 0 });
  expect(movedBy('ArrowDown', { x: 1, y: 1 })).toEqual({ x: 1, y: 1 });
  expect(movedBy('Enter', { x: 1, y: 1 })).toBeNull();
  expect(pointAt(-3, 0.123456)).toEqual({ x: 0, y: 0.1235 });
});
