import { describe, expect, it } from '@jest/globals';
import { DownloadLimiter, downloadLimits } from './download-limits.ts';

describe('downloadLimits', () => {
  it.each([
    [1, { perWorker: 4, perVendor: 3, perWorkspace: 2 }],
    [2, { perWorker: 4, perVendor: 3, perWorkspace: 2 }],
    [3, { perWorker: 6, perVendor: 4, perWorkspace: 3 }],
    [4, { perWorker: 8, perVendor: 6, perWorkspace: 4 }],
    [64, { perWorker: 128, perVendor: 96, perWorkspace: 64 }],
  ])('allows half to a workspace and three quarters to a vendor (concurrency %s)', (concurrency, limits) => {
    expect(downloadLimits(concurrency)).toEqual(limits);
  });
});

describe('DownloadLimiter', () => {
  const never = () => new Promise<void>(() => undefined);

  it('refuses downloads above the limit of a vendor, and allows those from other vendors', () => {
    const limiter = new DownloadLimiter(2);
    const started = ['a', 'a', 'a', 'b'].map((vendor) => limiter.tryRun(vendor, never) !== null);
    expect(started).toEqual([true, true, false, true]);
  });

  it('allows another download after one has ended or failed', async () => {
    const limiter = new DownloadLimiter(1);
    await limiter.tryRun('a', async () => undefined);
    await expect(limiter.tryRun('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(limiter.tryRun('a', never)).not.toBeNull();
  });
});
