import { describe, expect, it } from '@jest/globals';
import { begin, complete, expire, fail, isUnderWay, seenAt, type QueuedExport, type RunningExport } from './export.ts';

const now = new Date('2026-11-25T12:00:00Z');
const queued: QueuedExport = { id: 7, userId: 3, createdAt: now, state: 'queued' };
const running: RunningExport = { ...queued, state: 'running', attempt: 2, key: 'exports/a.zip' };
const after = (ms: number) => new Date(now.getTime() + ms);
const DAY = 86_400_000;

describe('an export', () => {
  it('is taken over by a later start of its job, with a zip of its own, and by no earlier one', () => {
    const other = { key: 'exports/b.zip' };
    expect(begin(queued, { attempt: 1, ...other })).toEqual({ ...running, attempt: 1, ...other });
    expect(begin(running, { attempt: 3, ...other })).toEqual({ ...running, attempt: 3, ...other });
    expect(begin(running, { attempt: 2, ...other })).toBeNull();
    expect(begin(running, { attempt: 1, ...other })).toBeNull();
  });

  it('can be downloaded for 24 hours from its completion', () => {
    const ready = complete(running, 10, now);
    expect(ready).toEqual({ ...queued, state: 'ready', key: running.key, size: 10, expiresAt: after(DAY) });
    expect(seenAt(after(DAY - 1), ready)).toEqual(ready);
    expect(seenAt(after(DAY), ready)).toEqual({ ...queued, state: 'expired', endedAt: after(DAY) });
  });

  it('is under way until it is ready or has failed', () => {
    const ready = complete(running, 10, now);
    const ended = [ready, expire(ready, now), fail(running, now)];
    expect([queued, running].map(isUnderWay)).toEqual([true, true]);
    expect(ended.map(isUnderWay)).toEqual([false, false, false]);
  });
});
