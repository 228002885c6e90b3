import { describe, expect, it } from '@jest/globals';
import { options, RemoteBench, WRONG_KEY, type RemoteUnderTest, type VendorFacts } from './remote-provider/bench.ts';
import { findingRules } from './remote-provider/finding.ts';
import { jobRules } from './remote-provider/jobs.ts';
import { submittingRules } from './remote-provider/submitting.ts';

export { VENDOR_KEY, type RemoteUnderTest, type VendorFacts } from './remote-provider/bench.ts';

/** The contract of every `RemoteProvider`, against the fake of its vendor. */
export function remoteProviderContract(name: string, facts: VendorFacts, make: () => Promise<RemoteUnderTest>): void {
  describe(`remote provider: ${name}`, () => {
    const bench = new RemoteBench(facts, make);
    const { model } = facts;

    describe('submit', () => submittingRules(bench));
    describe('find', () => findingRules(bench));
    if (!facts.isSynchronous) describe('check and cancel', () => jobRules(bench));

    it('accepts webhooks with a valid and recent signature only', async () => {
      const sign = bench.vendor.signWebhook?.bind(bench.vendor);
      const plain = Buffer.from('{"id":"1"}');
      expect(await bench.provider.isAuthentic(plain, { 'content-type': 'application/json' })).toBe(false);
      expect(bench.provider.hasWebhooks).toBe(sign !== undefined);
      if (!sign) return;
      const { body, headers } = sign({ id: '1' });
      expect(await bench.provider.isAuthentic(body, headers)).toBe(true);
      expect(await bench.provider.isAuthentic(plain.subarray(1), headers)).toBe(false);
      expect(await bench.provider.isAuthentic(Buffer.from('{"id":"2"}'), headers)).toBe(false);
      for (const header of Object.keys(headers).filter((each) => each !== 'content-type')) {
        expect(await bench.provider.isAuthentic(body, { ...headers, [header]: 'forged' })).toBe(false);
        const { [header]: _without, ...others } = headers;
        expect(await bench.provider.isAuthentic(body, others)).toBe(false);
      }
      for (const minutes of [-10, 10]) {
        const stale = sign({ id: '1' }, new Date(Date.now() + minutes * 60_000));
        expect(await bench.provider.isAuthentic(stale.body, stale.headers)).toBe(false);
      }
    });

    it('reports its health and a remedy', async () => {
      const { signal } = options();
      const well = { isReachable: true, isKeyAccepted: true, remedy: null };
      expect(await bench.provider.health(null, signal)).toMatchObject({ ...well, hasTarget: null });
      expect(await bench.provider.health(model, signal)).toMatchObject(well);
      if (facts.missing) {
        const missing = await bench.provider.health(facts.missing, signal);
        expect(missing).toMatchObject({ isReachable: true, hasTarget: false, remedy: expect.any(String) });
      }
      const wrong = await bench.tested.provider({ key: WRONG_KEY });
      const refused = await wrong.health(model, signal);
      expect(refused).toMatchObject({ isReachable: true, isKeyAccepted: false, remedy: expect.any(String) });
      await bench.vendor.close();
      const unreachable = await bench.provider.health(model, signal);
      expect(unreachable).toMatchObject({ isReachable: false, isKeyAccepted: null, remedy: expect.any(String) });
      expect(JSON.stringify([refused, unreachable])).not.toContain('s3cret');
      expect(bench.vendor.posts).toBe(0);
    });
  });
}
