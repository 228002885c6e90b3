import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { afterFailure, isCausedByUser, MAX_FAILURES, MAX_FAILURES_UNAVAILABLE } from './retry-policy.ts';

const unavailable = new DomainError('unavailable', 'the storage is unavailable');
const waits = (error: Error, failures: number) =>
  Array.from({ length: failures }, (_, before) => afterFailure(error, before + 1)).map((next) =>
    next === 'failed' ? next : next.retryAfterSeconds,
  );

const failing = (code: string) => Object.assign(new Error(code), { code, retryable: false });

describe('the cause of a failed job', () => {
  it.each(['url_blocked', 'url_timeout', 'not_an_image', 'picture_too_large', 'invalid_input', 'content_rejected'])(
    'is the input of the user after %s',
    (code) => expect(isCausedByUser(failing(code))).toBe(true),
  );

  it('is the input of the user after a domain error that no retry can solve', () => {
    expect(isCausedByUser(new DomainError('quota_exceeded', 'full'))).toBe(true);
    expect(isCausedByUser(new DomainError('file_expired', 'expired'))).toBe(true);
    expect(isCausedByUser(unavailable)).toBe(false);
  });

  it.each(['provider_misconfigured', 'provider_unavailable', 'unusable_output', 'ECONNRESET'])(
    'is the service after %s',
    (code) => expect(isCausedByUser(failing(code))).toBe(false),
  );

  it('is the service after an unforeseen error', () => expect(isCausedByUser(new Error('unforeseen'))).toBe(false));
});

describe('a failed attempt', () => {
  it('is retried within half a minute, until five attempts have failed', () => {
    expect(waits(new Error('unforeseen'), MAX_FAILURES)).toEqual([2, 4, 8, 16, 'failed']);
  });

  it('is retried for ten minutes while a dependency is unavailable', () => {
    const all = waits(unavailable, MAX_FAILURES_UNAVAILABLE);
    expect(all.pop()).toBe('failed');
    expect(Math.max(...(all as number[]))).toBe(30);
    expect((all as number[]).reduce((sum, seconds) => sum + seconds)).toBe(600);
  });

  it('fails the job at once when no retry can succeed', () => {
    expect(waits(new DomainError('not_found', 'gone'), 1)).toEqual(['failed']);
  });
});
