import { describe, expect, it } from '@jest/globals';
import { byteRangeOf } from './serve-object.ts';

const of = (range: string | undefined, size = 100, ifRange?: string) =>
  byteRangeOf({ range, 'if-range': ifRange }, size, '"tag"');

describe('the range of a request', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=99-', { start: 99, end: 99 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    [`bytes=0-${'9'.repeat(30)}`, { start: 0, end: 99 }],
    ['bytes=-1', { start: 99, end: 99 }],
    ['bytes=-100', { start: 0, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
  ])('%s of 100 bytes is a part of them', (range, expected) => {
    expect(of(range)).toEqual(expected);
  });

  it.each([
    ...['bytes=100-', 'bytes=100-200', `bytes=${'9'.repeat(30)}-`, 'bytes=-0'].map((range) => [range, 100] as const),
    ['bytes=0-', 0],
    ['bytes=-5', 0],
  ] as const)('%s of %d bytes is none of them', (range, size) => {
    expect(of(range, size)).toBe('unsatisfiable');
  });

  it.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=5-4', 'bytes=a-b', 'bytes=0-1,5-6', 'items=0-5', 'bytes=--5'])(
    '%s asks for everything',
    (range) => {
      expect(of(range)).toBeNull();
    },
  );

  it('counts only as long as the object is the same', () => {
    expect(of('bytes=0-9', 100, '"tag"')).toEqual({ start: 0, end: 9 });
    expect(of('bytes=0-9', 100, '"other"')).toBeNull();
    expect(of('bytes=0-9', 100, 'W/"tag"')).toBeNull();
    expect(of('bytes=0-9', 100, 'Sat, 21 Nov 2026 07:30:00 GMT')).toBeNull();
  });
});
