import { expect, it } from '@jest/globals';
import type { VendorBehaviour } from '../../../../../test/support/vendors/fake-vendor.ts';
import { OutcomeUnknown } from '../../ports.ts';
import { asSubmitted } from '../builders.ts';
import { expectFailure, expectNoSecrets, failureOf, itWhere, options, since, type RemoteBench } from './bench.ts';

/** Rules of `RemoteProvider.find`, after a submission without a usable response. */
export function findingRules(bench: RemoteBench): void {
  const { model } = bench.facts;

  it.each<VendorBehaviour>(['busy_but_starts', 'down_but_starts'])(
    'finds a job that was started in spite of a refusal, or does not take that for one (%s)',
    async (behaviour) => {
      bench.plan(behaviour);
      const [task, from] = [await bench.aTask(), since()];
      const failure = await failureOf(bench.provider.submit(task, options()));
      if (!bench.facts.finds) return expect(failure).toBeInstanceOf(OutcomeUnknown);
      expect(failure).toMatchObject({ name: 'NotAccepted', wasSent: true });
      const found = await bench.find(task, from);
      if (typeof found === 'string') throw new Error(found);
      expect(await bench.endOf(found.handle, task)).toEqual(await bench.firstOutputs());
    },
  );

  it.each<[VendorBehaviour, number]>([
    ['drops_before', 0],
    ['drops_after', 1],
  ])('searches after a lost response (vendor: %s)', async (behaviour, started) => {
    bench.plan(behaviour);
    const [task, from] = [await bench.aTask(), since()];
    const failure = await failureOf(bench.provider.submit(task, options()));
    expect(failure).toBeInstanceOf(OutcomeUnknown);
    expectNoSecrets(failure);
    expect([bench.vendor.posts, bench.vendor.submissions.length]).toEqual([1, started]);

    const found = await bench.find(task, from);
    expect(bench.vendor.posts).toBe(1);
    if (!bench.facts.finds) return expect(found).toBe('unknown');
    if (started === 0) return expect(found).toBe(bench.notFound);
    if (typeof found === 'string') throw new Error(found);
    expect(await bench.endOf(found.handle, task)).toEqual(await bench.firstOutputs());
  });

  it('throws OutcomeUnknown when the vendor never responds', async () => {
    bench.plan('hangs');
    const impatient = await bench.tested.provider({ callSeconds: 0.5 });
    const task = await bench.aTask({ model: { ...model, timeLimitSeconds: 0.5 } });
    const failure = await failureOf(impatient.submit(task, options()));
    expect(failure).toBeInstanceOf(OutcomeUnknown);
    expectNoSecrets(failure);
    expect([bench.vendor.posts, bench.vendor.submissions.length]).toEqual([1, 1]);
  });

  itWhere(bench.facts.finds, 'finds the job of its own request key only', async () => {
    const [task, other, from] = [await bench.aTask(), await bench.aTask(), since()];
    await bench.submitted(other);
    expect(await bench.find(task, from)).toBe(bench.notFound);
    const handle = await bench.submitted(task);
    await bench.submitted(await bench.aTask());
    expect(await bench.find(task, from)).toEqual({ handle });
    expect(bench.vendor.posts).toBe(3);
  });

  it.each<VendorBehaviour>(['drops_before', 'drops_after'])(
    'never finds the job of another workspace with the same task (vendor: %s)',
    async (behaviour) => {
      const common = { prompt: null, parameters: { seed: 42 } };
      const from = since();
      const theirs = await bench.provider.submit(await bench.aTask(common), options());
      bench.plan(behaviour);
      const task = await bench.aTask(common);
      expect(await failureOf(bench.provider.submit(task, options()))).toBeInstanceOf(OutcomeUnknown);
      // Both callers chose the seed.
      const found = await bench.provider.find(await asSubmitted(task, false), from, options().signal);
      const foundId = typeof found === 'string' ? found : found.handle.id;
      expect(foundId).not.toBe('handle' in theirs && theirs.handle.id);
      expect([bench.notFound, 'unknown', bench.vendor.submissions[1]?.id]).toContain(foundId);
    },
  );

  it('is inconclusive when the vendor is unreachable', async () => {
    await bench.vendor.close();
    const found = await bench.find(await bench.aTask(), since()).catch((error: unknown) => error);
    if (found instanceof Error) expectFailure(found, 'provider_unavailable', true);
    else expect(found).toBe('unknown');
  });
}
