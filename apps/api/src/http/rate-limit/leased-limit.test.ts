import { describe, expect, it, jest } from '@jest/globals';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Settings } from '#config';
import { waitSeconds } from './failure-limit.ts';
import { blockOf, LeasedLimit } from './leased-limit.ts';
import { type ApiRequest, clientAddress } from '../request.ts';
import { RequestLimits } from './request-limits.ts';

const counter = (points: number) => new RateLimiterMemory({ points, duration: 60 });

async function takeMany(limits: readonly LeasedLimit[], count: number): Promise<number> {
  const taken = await Promise.all(
    Array.from({ length: count }, (_, index) => limits[index % limits.length]!.take('key')),
  );
  return taken.filter(({ allowed }) => allowed).length;
}

describe('a limit whose permits are leased in blocks', () => {
  it.each([
    [600, 30],
    [100, 5],
    [60, 3],
    [20, 1],
    [7, 1],
    [601, 1],
    [1_000_000, 50_000],
  ])('of %d leases %d at a time', (limit, block) => {
    expect(blockOf(limit)).toBe(block);
  });

  it.each([1, 7, 40, 600])('allows exactly %d for each key, one after the other', async (points) => {
    const limit = new LeasedLimit(counter(points));
    for (const key of ['one', 'other']) {
      let allowed = 0;
      while ((await limit.take(key)).allowed) allowed++;
      expect(allowed).toBe(points);
    }
  });

  it('allows exactly as many at once; over several processes never more, and hardly less', async () => {
    expect(await takeMany([new LeasedLimit(counter(200))], 300)).toBe(200);
    const shared = counter(200);
    const processes = [1, 2, 3].map(() => new LeasedLimit(shared));
    const allowed = await takeMany(processes, 500);
    expect(allowed).toBeLessThanOrEqual(200);
    expect(allowed).toBeGreaterThanOrEqual(200 - 3 * 10);
  });

  it('asks the counter once a block, and not at all once the window is used up', async () => {
    const shared = counter(100);
    const limit = new LeasedLimit(shared);
    const leased = async () => (await shared.get('key'))?.consumedPoints;
    for (let i = 0; i < 5; i++) await limit.take('key');
    expect(await leased()).toBe(5);
    await limit.take('key');
    expect(await leased()).toBe(10);
    for (let i = 0; i < 150; i++) await limit.take('key');
    expect(await leased()).toBe(100);
    expect(limit.refusal('key')).toMatchObject({ allowed: false, remaining: 0 });
    expect(limit.refusal('other')).toBe(null);
  });

  it('counts down what remains, and tells when the window ends', async () => {
    const limit = new LeasedLimit(counter(40));
    expect(await limit.take('key')).toEqual({ allowed: true, limit: 40, remaining: 39, resetSeconds: 60 });
    for (let i = 0; i < 38; i++) await limit.take('key');
    expect(await limit.take('key')).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limit.take('key')).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 60 });
  });

  it('allows again in the next window', async () => {
    jest.useFakeTimers();
    try {
      const limit = new LeasedLimit(counter(2));
      expect(await takeMany([limit], 3)).toBe(2);
      jest.advanceTimersByTime(59_999);
      expect(await takeMany([limit], 3)).toBe(0);
      jest.advanceTimersByTime(1);
      expect(await takeMany([limit], 3)).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('passes on the failure of its counter, each time anew', async () => {
    const failing = counter(10);
    jest.spyOn(failing, 'consume').mockRejectedValueOnce(new Error('no database'));
    const limit = new LeasedLimit(failing);
    await expect(limit.take('key')).rejects.toThrow('no database');
    expect((await limit.take('key')).allowed).toBe(true);
  });
});

it('a request that counts as several takes as many permits, and is refused without them', async () => {
  const settings = { http: { rateLimitPerMinute: 40, signUpsPerMinute: 10 } } as Settings;
  const limits = new RequestLimits(settings, ({ points }) => counter(points));
  const res = new Map<string, unknown>();
  const request = { token: 'one', res: { setHeader: res.set.bind(res) } } as unknown as ApiRequest;
  await limits.countToken(limits.keyOf('one'), request.res!);
  await limits.countAs(30, request);
  expect(res.get('RateLimit-Remaining')).toBe(10);
  await expect(limits.countAs(12, request)).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(limits.countAs(1, request)).resolves.toBeUndefined();
});

describe('the wait after failed attempts', () => {
  it.each([
    [1, 0],
    [10, 0],
    [11, 1],
    [12, 2],
    [16, 32],
    [17, 60],
    [1000, 60],
  ])('is after %d of 10 free ones %d seconds: it grows, and never becomes a lock', (failures, seconds) => {
    expect(waitSeconds(failures, 10)).toBe(seconds);
  });
});

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  [undefined, 'unknown'],
  ['nonsense', 'unknown'],
])('a limit counts the address %s as %s', (ip, expected) => {
  expect(clientAddress(ip)).toBe(expected);
});
