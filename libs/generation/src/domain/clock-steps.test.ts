import { describe, expect, it } from '@jest/globals';
import { ClockSteps, NO_STEP } from './clock-steps.ts';
import { after } from './submission.ts';

const start = new Date('2026-03-14T10:00:00Z');

describe('a step of the clock', () => {
  /** The latest step after readings of seconds by the clock, and by the time that the process has run. */
  const observed = (...readings: readonly (readonly [clock: number, uptime: number])[]) => {
    const steps = new ClockSteps();
    return readings.map(([clock, uptime]) => steps.observe(after(start, clock), uptime)).at(-1);
  };

  it('is the time by which the clock went on more than the process', () => {
    expect(observed([0, 100], [3_602, 102])).toEqual({ to: after(start, 3_600), seconds: 3_600 });
    expect(observed([0, 100], [5, 100])).toMatchObject({ seconds: 5 });
  });

  it('is remembered until the next one', () => {
    expect(observed([0, 0], [3_600, 0], [3_601, 1], [7_201, 1])).toMatchObject({
      seconds: 3_600,
      to: after(start, 7_201),
    });
    expect(observed([0, 0], [3_600, 0], [9_000, 5_400])).toEqual({ to: after(start, 3_600), seconds: 3_600 });
  });

  it('is none when both go on alike, the clock is corrected a little, or is set back', () => {
    for (const next of [
      [3_600, 3_600],
      [4.9, 0],
      [-3_600, 1],
    ] as const)
      expect(observed([0, 0], next)).toEqual(NO_STEP);
  });
});
