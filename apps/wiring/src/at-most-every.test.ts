import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { atMostEvery } from './logging.ts';

describe('a message that comes again and again', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is said once within the time, and again after it, while others are said at once', () => {
    const said: string[] = [];
    const say = atMostEvery(10, (message) => said.push(message));
    say('away');
    say('away');
    say('full');
    jest.advanceTimersByTime(9_999);
    say('away');
    expect(said).toEqual(['away', 'full']);
    jest.advanceTimersByTime(1);
    say('away');
    expect(said).toEqual(['away', 'full', 'away']);
  });
});
