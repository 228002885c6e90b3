import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { atMostEvery } from './logging.ts';

describe('a repeated message', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is logged once within the time and again after it; other messages are logged at once', () => {
    const logged: string[] = [];
    const log = atMostEvery(10, (message) => logged.push(message));
    log('away');
    log('away');
    log('full');
    jest.advanceTimersByTime(9_999);
    log('away');
    expect(logged).toEqual(['away', 'full']);
    jest.advanceTimersByTime(1);
    log('away');
    expect(logged).toEqual(['away', 'full', 'away']);
  });
});
