import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { afterFailure, isOfUser, MAX_FAILURES, MAX_FAILURES_WHILE_AWAY } from './retry-policy.ts';

const away = new DomainError('unavailable', 'the storage is away');
const waits = (error: Error, failures: number) =>
  Array.from({ length: failures }, (_, before) => afterFailure(error, before + 1)).map((next) =>
    next === 'give_up' ? next : next.retryAfterSeconds,
  );

const failing = (code: string) => Object.assign(new Error(code), { code, retryable: false });

describe('a job that was given up', () => {
  it.each(['url_blocked', 'url_timeout', 'not_an_image', 'picture_too_large', 'invalid_input', 'content_rejected'])(
    'by %s failed for what a user gave',
    (code) => expect(isOfUser(failing(code))).toBe(true),
  );

  it('by an error of the domain did so too, unless that may pass', () => {
    expect(isOfUser(new DomainError('quota_exceeded', 'full'))).toBe(true);
    expect(isOfUser(new DomainError('file_expired', 'expired'))).toBe(true);
    expect(isOfUser(away)).toBe(false);
  });

  it.each(['provider_misconfigured', 'provider_unavailable', 'unusable_output', 'ECONNRESET'])(
    'by %s is a fault of the service',
    (code) => expect(isOfUser(failing(code))).toBe(false),
  );

  it('by an error that nobody foresaw is one, too', () => expect(isOfUser(new Error('unforeseen'))).toBe(false));
});

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
