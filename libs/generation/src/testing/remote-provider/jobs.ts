import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '../../../../../test/support/eventually.ts';
import type { VendorHandle } from '../../domain/submission.ts';
import { expectFailure, failureOf, itWhere, options, type RemoteBench } from './bench.ts';

/** Rules of `RemoteProvider.check` and `cancel`, for vendors that are not synchronous. */
export function jobRules(bench: RemoteBench): void {
  it('changes nothing at the vendor by a check', async () => {
    bench.plan('never_ends');
    const handle = await bench.submitted(await bench.aTask());
    for (let checks = 0; checks < 3; checks++) {
      const state = await bench.provider.check(handle, options().signal);
      expect(state).toMatchObject({ state: 'pending' });
      const { progress } = state as { progress: number | null };
      if (progress !== null) expect(Math.min(Math.max(progress, 0), 1)).toBe(progress);
    }
    expect(bench.vendor.posts).toBe(1);
    expect(bench.vendor.submissions).toMatchObject([{ isCanceled: false }]);
  });

  it('accepts a handle that was stored as JSON', async () => {
    const task = await bench.aTask();
    const handle = await bench.submitted(task);
    const kept = JSON.parse(JSON.stringify(handle)) as VendorHandle;
    expect(kept).toEqual(handle);
    expect(JSON.stringify(handle)).not.toContain('s3cret');
    const again = await bench.tested.provider();
    await eventually(async () => (await again.check(kept, options().signal)).state === 'ended', { everyMs: 10 });
  });

  it('reports a job that the vendor does not know as inconclusive', async () => {
    const handle = await bench.submitted(await bench.aTask());
    const unknown = JSON.parse(JSON.stringify(handle).replaceAll(handle.id, randomUUID())) as VendorHandle;
    expect(await bench.provider.check(unknown, options().signal)).toMatchObject({ state: 'inconclusive' });
  });

  it('treats unknown states of the vendor as pending', async () => {
    bench.plan('lies');
    const handle = await bench.submitted(await bench.aTask());
    for (let checks = 0; checks < 5; checks++) {
      const { state } = await bench.provider.check(handle, options().signal);
      expect(['pending', 'ended']).toContain(state);
    }
    expect(bench.vendor.posts).toBe(1);
  });

  it('fails a check with a retryable error when the vendor is unreachable', async () => {
    const handle = await bench.submitted(await bench.aTask());
    await bench.vendor.close();
    expectFailure(await failureOf(bench.provider.check(handle, options().signal)), 'provider_unavailable', true);
  });

  itWhere(bench.facts.cancels, 'cancels a pending job, and reports too_late for an ended one', async () => {
    const { signal } = options();
    bench.vendor.plan(['never_ends', 'works']);
    const handle = await bench.submitted(await bench.aTask());
    expect(await bench.provider.cancel(handle, signal)).toBe('canceled');
    expect(bench.vendor.submissions).toMatchObject([{ isCanceled: true }]);
    expect((await bench.provider.check(handle, signal)).state).not.toBe('ended');

    const ended = await bench.submitted(await bench.aTask());
    await eventually(async () => (await bench.provider.check(ended, signal)).state === 'ended', { everyMs: 10 });
    expect(await bench.provider.cancel(ended, signal)).toBe('too_late');
    expect(bench.vendor.posts).toBe(2);
  });
}
