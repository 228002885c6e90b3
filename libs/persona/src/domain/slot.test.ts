import { describe, expect, it } from '@jest/globals';
import { purposeOf, slotOf, SLOTS } from './slot.ts';

describe('slots', () => {
  it('are seven: the master, five for style, and the main one', () => {
    expect(SLOTS.map(purposeOf)).toEqual(['master', 'style', 'style', 'style', 'style', 'style', 'main']);
  });

  it.each([1, 7])('have the number %i', (number) => {
    expect(slotOf(number)).toBe(number);
  });

  it.each([0, 8, -1, 1.5, Number.NaN])('do not have the number %d', (number) => {
    expect(() => slotOf(number)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        message: 'slot must be an integer from 1 to 7',
        fields: { slot: ['must be an integer from 1 to 7'] },
      }),
    );
  });
});
