import { describe, expect, it } from '@jest/globals';
import { DownloadLimiter, downloadLimits, maySubmit } from './download-limits.ts';

describe('downloadLimits', () => {
  it.each([
    [1, { perWorker: 4, perVendor: 3, perWorkspace: 2, perWorkerBeyond: 2 }],
    [2, { perWorker: 4, perVendor: 3, perWorkspace: 2, perWorkerBeyond: 2 }],
    [3, { perWorker: 6, perVendor: 4, perWorkspace: 3, perWorkerBeyond: 3 }],
    [4, { perWorker: 8, perVendor: 6, perWorkspace: 4, perWorkerBeyond: 5 }],
    [64, { perWorker: 128, perVendor: 96, perWorkspace: 64, perWorkerBeyond: 80 }],
  ])('allows half to a workspace and three quarters to a vendor (concurrency %s)', (concurrency, limits) => {
    expect(downloadLimits(concurrency)).toEqual(limits);
  });

  it.each([1, 2, 3, 4, 64])('leaves places to others, also at a vendor (concurrency %s)', (concurrency) => {
    const { perWorker, perVendor, perWorkerBeyond } = downloadLimits(concurrency);
    expect(perWorkerBeyond).toBeLessThan(perVendor);
    expect(perVendor).toBeLessThan(perWorker);
  });
});

describe('maySubmit', () => {
  const limits = downloadLimits(4);
  const may = (ofWorkspace: number, total: number) => maySubmit({ ofWorkspace, total }, limits);

  it('allows a workspace to have eight generations for each of its places waiting for their downloads', () => {
    expect([may(0, 0), may(31, 31), may(32, 32)]).toEqual([true, true, false]);
  });

  it('allows a workspace only as many as its places while many generations of others wait', () => {
    expect([may(4, 63), may(3, 64), may(4, 64), may(0, 1_000)]).toEqual([true, true, false, true]);
  });
});

describe('DownloadLimiter', () => {
  const never = () => new Promise<void>(() => undefined);

  it('refuses downloads above the limit of a vendor, and allows those from other vendors', () => {
    const limiter = new DownloadLimiter({ ...downloadLimits(1), perVendor: 2 });
    const started = ['a', 'a', 'a', 'b'].map((vendor) => limiter.tryRun(vendor, never) !== null);
    expect(started).toEqual([true, true, false, true]);
  });

  it('allows another download after one has ended or failed', async () => {
    const limiter = new DownloadLimiter({ ...downloadLimits(1), perVendor: 1 });
    await limiter.tryRun('a', async () => undefined);
    await expect(limiter.tryRun('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(limiter.tryRun('a', never)).not.toBeNull();
  });
});
