import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { NotAccepted, OutcomeUnknown, ProviderFailure, type RemoteProvider } from '#generation';
import { measureRemoteProviders } from './measured-provider.ts';

describe('the metrics of a remote provider', () => {
  const registry = new Registry();
  const { measured, setCircuit } = measureRemoteProviders(registry);
  const calling = async (outcome: () => Promise<never> | Promise<null>) => {
    const provider = { id: 'vendor', hasWebhooks: false, check: outcome } as unknown as RemoteProvider;
    await measured(provider)
      .check({ id: '1' }, new AbortController().signal)
      .catch(() => {});
    const text = await registry.metrics();
    return [...text.matchAll(/_seconds_count{provider="vendor",verb="check",outcome="(\w+)"} 1/g)].map(([, is]) => is);
  };

  it('count each call by verb and outcome', async () => {
    const failing = (error: Error) => () => Promise.reject(error);
    await calling(() => Promise.resolve(null));
    await calling(failing(new NotAccepted('provider_busy', null)));
    await calling(failing(new OutcomeUnknown()));
    await calling(failing(new ProviderFailure('invalid_input', 'refused')));
    await calling(failing(new ProviderFailure('provider_unavailable', 'down', { retryable: true })));
    const counted = await calling(failing(new Error('the worker stops')));
    const outcomes = ['succeeded', 'not_accepted', 'outcome_unknown', 'failed', 'failed_for_now', 'stopped'];
    expect(counted).toEqual(outcomes);
  });

  it('show whether its circuit is open', async () => {
    const shown = async () => /x12_provider_circuit_open{provider="vendor"} (\d)/.exec(await registry.metrics())?.[1];
    setCircuit('vendor', 'closed');
    expect(await shown()).toBe('0');
    for (const circuit of ['open', 'half_open'] as const) {
      setCircuit('vendor', circuit);
      expect(await shown()).toBe('1');
    }
  });
});
