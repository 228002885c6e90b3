import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { PostgresAudit } from '#adapters/postgres';
import type { Model } from '#catalogue';
import { ProviderFailure, type GenerateCall } from '#generation';
import { RemoteStage, ScriptedVendor } from './remote-stage.ts';

export const NO_RESPONSE = new ProviderFailure('provider_unavailable', 'no response', { retryable: true });

export const vendor = new ScriptedVendor();
export let stage: RemoteStage;

/** Opens the stage for the tests of a file. After each test, the audit must find nothing. */
export function useRemoteStage(model?: Model): void {
  beforeAll(async () => {
    stage = await RemoteStage.open(vendor, model, true);
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    vendor.reset();
    await stage.generations.enter();
  });
  afterEach(async () => {
    const findings = await new PostgresAudit(stage.generations.db.database).findings();
    expect(findings.filter(({ rule }) => rule !== 'output file without a generation')).toEqual([]);
  });
}

export const view = (id: number) => stage.generations.view(id);
export const outcomes = () => stage.generations.reports.map(({ outcome }) => outcome);
export const secondsSince = (start: Date) => (stage.clock.now().getTime() - start.getTime()) / 1000;

/** A generation after all its jobs have run. */
export async function endedGeneration(call: Partial<GenerateCall> = {}): Promise<number> {
  const id = await stage.accepted(call);
  await stage.runToEnd(id);
  return id;
}

/** A generation that the vendor works on. */
export async function pending(): Promise<number> {
  vendor.onCheck = () => ({ state: 'pending', progress: null, checkAfterSeconds: null });
  const id = await stage.accepted();
  await stage.step(id);
  expect((await stage.submissionOf(id))?.state).toBe('submitted');
  return id;
}

export async function expectFailed(id: number, code: string): Promise<void> {
  expect(await view(id)).toMatchObject({ state: 'failed', error: { code } });
  expect(await stage.ledgerOf(id)).toEqual(['reserve', 'release']);
}
