import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { afterFailure, MAX_FAILURES, MAX_FAILURES_WHILE_AWAY } from './retry-policy.ts';

const away = new DomainError('unavailable', 'the storage is away');
const waits = (error: Error, failures: number) =>
  Array.from({ length: failures }, (_, before) => afterFailure(error, before + 1)).map((next) =>
    next === 'give_up' ? next : next.retryAfterSeconds,
  );

describe('a job that failed', () => {
  it('is tried five times within half a minute, then given up', () => {
    expect(waits(new Error('unforeseen'), MAX_FAILURES)).toEqual([2, 4, 8, 16, 'give_up']);
  });

  it('is tried for ten minutes while what it needs is away', () => {
    const all = waits(away, MAX_FAILURES_WHILE_AWAY);
    expect(all.pop()).toBe('give_up');
    expect(Math.max(...(all as number[]))).toBe(30);
    expect((all as number[]).reduce((sum, seconds) => sum + seconds)).toBe(600);
  });

  it('is given up at once when trying again can not help', () => {
    expect(waits(new DomainError('not_found', 'gone'), 1)).toEqual(['give_up']);
  });
});
