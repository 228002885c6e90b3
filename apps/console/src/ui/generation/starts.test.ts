import { beforeEach, describe, expect, it } from '@jest/globals';
import { Starts } from './starts.ts';

let starts: Starts;
beforeEach(() => {
  starts = new Starts();
});

describe('a start of a generation', () => {
  it('is one for both clicks of a double click, even if the response to the first came in between', () => {
    const key = starts.begin('a fox', 1_000)!;
    starts.end(key, 'accepted');
    expect(starts.begin('a fox', 1_200)).toBeNull();
  });

  it('is one for a key that is held', () => {
    expect(starts.begin('a fox', 0)).not.toBeNull();
    for (let now = 500; now < 5_000; now += 30) expect(starts.begin('a fox', now)).toBeNull();
  });

  it('is not begun again while it is under way', () => {
    expect(starts.begin('a fox', 0)).not.toBeNull();
    expect(starts.begin('a fox', 5_000)).toBeNull();
  });

  it('can be repeated a moment after it was accepted, with another key', () => {
    const key = starts.begin('a fox', 0)!;
    starts.end(key, 'accepted');
    const second = starts.begin('a fox', 700);
    expect(second).not.toBeNull();
    expect(second).not.toBe(key);
  });

  it('keeps its key while its outcome is unknown, and can be tried again at once', () => {
    const key = starts.begin('a fox', 0)!;
    starts.end(key, 'unknown');
    expect(starts.begin('a fox', 100)).toBe(key);
  });

  it('has another key after it was refused, as a refusal is repeated for its key', () => {
    const key = starts.begin('a fox', 0)!;
    starts.end(key, 'refused');
    const second = starts.begin('a fox', 2_000);
    expect(second).not.toBeNull();
    expect(second).not.toBe(key);
  });

  it('has another key when the draft was changed', () => {
    const key = starts.begin('a fox', 0)!;
    starts.end(key, 'unknown');
    expect(starts.begin('a hare', 2_000)).not.toBe(key);
  });

  it('of another draft does not wait for the previous start', () => {
    const key = starts.begin('a fox', 0)!;
    expect(starts.begin('a hare', 2_000)).not.toBeNull();
    starts.end(key, 'accepted');
    expect(starts.begin('a hare', 4_000)).toBeNull();
  });
});
