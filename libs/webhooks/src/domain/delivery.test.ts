import { describe, expect, it } from '@jest/globals';
import { afterAttempt, errorOfStatus, type Attempt, type Delivery, type PendingDelivery } from './delivery.ts';

const at = new Date('2026-03-14T09:26:53.000Z');
const delivery: PendingDelivery = {
  id: 1,
  workspaceId: 1,
  generationId: 12,
  batchId: null,
  endpointId: null,
  url: 'https://caller.example.com/hook?key=1',
  messageId: 'msg_1',
  revision: 1,
  tries: 0,
  attempts: [],
  createdAt: at,
  state: 'pending',
  nextAttemptAt: at,
};
const attempt = (status: number | null): Attempt => ({ at, status, error: null, durationMs: 0 });

describe('a delivery', () => {
  it.each([200, 201, 204, 299])('is delivered by the status %d', (status) => {
    expect(afterAttempt(delivery, attempt(status))).toMatchObject({
      state: 'delivered',
      nextAttemptAt: null,
      tries: 1,
    });
  });

  it('is ended by the status 410', () => {
    expect(afterAttempt(delivery, attempt(410))).toMatchObject({ state: 'failed', nextAttemptAt: null, tries: 1 });
  });

  it.each([null, 199, 300, 302, 400, 404, 429, 500])('is retried after the status %s', (status) => {
    expect(afterAttempt(delivery, attempt(status))).toMatchObject({ state: 'pending', tries: 1 });
  });

  it('is retried 5 s, 30 s, 2 min, 10 min, 1 h, 3 h, 8 h and 12 h after the end of each attempt', () => {
    const pauses: number[] = [];
    let now: Delivery = delivery;
    let start = at;
    while (now.state === 'pending') {
      now = afterAttempt(now, { ...attempt(500), at: start, durationMs: 15_000 });
      if (now.state !== 'pending') break;
      pauses.push((now.nextAttemptAt.getTime() - start.getTime()) / 1_000 - 15);
      start = now.nextAttemptAt;
    }
    expect(pauses).toEqual([5, 30, 120, 600, 3_600, 10_800, 28_800, 43_200]);
    expect(now).toMatchObject({ state: 'failed', nextAttemptAt: null, tries: 9 });
    expect(now.attempts).toHaveLength(9);
  });

  it('keeps its latest 50 attempts', () => {
    const attempts = Array.from({ length: 50 }, (_, index) => attempt(index));
    const { attempts: kept } = afterAttempt({ ...delivery, attempts }, attempt(500));
    expect([kept.length, kept[0]!.status, kept.at(-1)!.status]).toEqual([50, 1, 500]);
  });

  it('has an error code for each status but 2xx', () => {
    expect([200, 299, 300, 399, 400, 199].map(errorOfStatus)).toEqual([
      null,
      null,
      'redirect_not_followed',
      'redirect_not_followed',
      'status_not_2xx',
      'status_not_2xx',
    ]);
  });
});
