import { describe, expect, it } from '@jest/globals';
import { afterCall, healthOf, limitsOf, retryAfter, type CallRecord } from './host-health.ts';

const at = new Date('2026-03-14T09:26:53.000Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
const failed = (times: number): CallRecord => ({ failures: times, at });
const failing = (failures: number) => ({ kind: 'failing', failures }) as const;

describe('a failing host', () => {
  it('has its calls and its timeout halved by each failure, down to one call and two seconds', () => {
    const limits = [1, 2, 3, 4, 9, 2_000].map((failures) => limitsOf(failing(failures), 32));
    expect(limits.map(({ perHost }) => perHost)).toEqual([8, 4, 2, 1, 1, 1]);
    expect(limits.map(({ timeoutSeconds }) => timeoutSeconds)).toEqual([7.5, 3.75, 2, 2, 2, 2]);
  });

  it.each([
    [32, 8],
    [8, 2],
    [3, 1],
  ])('shares a quarter of %d calls with all other failing hosts, one for each workspace', (concurrency, quarter) => {
    expect(limitsOf(failing(1), concurrency)).toMatchObject({ perKind: quarter, perWorkspace: 1 });
  });

  it('fails with one call, recovers with one response, and is unknown after five minutes', () => {
    const responding = afterCall(failed(3), true, at);
    expect(healthOf(responding, undefined, later(86_400))).toEqual({ kind: 'responding' });
    const silent = afterCall(responding, false, at);
    expect(healthOf(silent, undefined, at)).toEqual(failing(1));
    expect(afterCall(silent, false, later(299))).toEqual({ failures: 2, at: later(299) });
    expect(afterCall(silent, false, later(300))).toEqual({ failures: 1, at: later(300) });
    expect(healthOf(silent, undefined, later(299))).toEqual(failing(1));
    expect(healthOf(silent, undefined, later(300))).toEqual({ kind: 'unknown' });
  });
});

describe('an unknown host', () => {
  it('has the full timeout, one call for each workspace, and half of all calls with other unknown hosts', () => {
    const limits = { perHost: 8, perKind: 16, perWorkspace: 1, timeoutSeconds: 15 };
    expect(limitsOf(healthOf(undefined, undefined, at), 32)).toEqual(limits);
  });

  it('counts as failing when the hosts of the workspace fail, but not as responding when they respond', () => {
    expect(healthOf(undefined, failed(2), at)).toEqual(failing(2));
    expect(healthOf(undefined, failed(2), later(300))).toEqual({ kind: 'unknown' });
    expect(healthOf(undefined, failed(0), at)).toEqual({ kind: 'unknown' });
  });
});

it('a responding host has 15 seconds and a quarter of the calls, even if other hosts of the workspace fail', () => {
  const health = healthOf(failed(0), failed(5), at);
  expect(limitsOf(health, 32)).toEqual({ perHost: 8, perKind: 32, perWorkspace: 32, timeoutSeconds: 15 });
});

it('refused calls are retried one after the other, after 15 seconds at most', () => {
  expect([0, 1, 2, 56, 1_000].map(retryAfter)).toEqual([1, 1.25, 1.5, 15, 15]);
});
