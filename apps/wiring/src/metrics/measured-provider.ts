import { Gauge, Histogram, type Registry, type RegistryContentType } from 'prom-client';
import { aroundCalls, type Circuit } from '#adapters/providers';
import {
  NotAccepted,
  OutcomeUnknown,
  ProviderFailure,
  type GenerationProvider,
  type RemoteProvider,
} from '#generation';

type Outcome = 'succeeded' | 'failed' | 'failed_for_now' | 'stopped';

/** Measures the duration of each run of a provider, by outcome. */
export function measureProviders(
  providers: readonly GenerationProvider[],
  registry: Registry<RegistryContentType>,
): GenerationProvider[] {
  const durations = new Histogram({
    name: 'x12_provider_run_duration_seconds',
    help: 'Duration of a provider run, by outcome.',
    labelNames: ['provider', 'outcome'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
    registers: [registry],
  });
  return providers.map((provider): GenerationProvider => ({
    id: provider.id,
    get models() {
      return provider.models;
    },
    async run(task, watch) {
      const stop = durations.startTimer({ provider: provider.id });
      try {
        const outputs = await provider.run(task, watch);
        stop({ outcome: 'succeeded' });
        return outputs;
      } catch (error) {
        stop({ outcome: outcomeOf(error, watch.signal) });
        throw error;
      }
    },
  }));
}

/** `stopped`: the generation was canceled, the worker stops, or it has lost the job. */
function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return 'stopped';
  return error instanceof ProviderFailure && !error.retryable ? 'failed' : 'failed_for_now';
}

type CallOutcome = 'succeeded' | 'not_accepted' | 'failed' | 'failed_for_now' | 'outcome_unknown' | 'stopped';

/** Measures the calls to vendors, and shows the circuits of their guards. */
export function measureRemoteProviders(registry: Registry<RegistryContentType>): {
  measured(provider: RemoteProvider): RemoteProvider;
  setCircuit(provider: string, circuit: Circuit): void;
} {
  const durations = new Histogram({
    name: 'x12_provider_call_duration_seconds',
    help: 'Duration of a call to a remote provider, by verb and outcome.',
    labelNames: ['provider', 'verb', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  });
  const circuits = new Gauge({
    name: 'x12_provider_circuit_open',
    help: '1 while a remote provider is not called because its calls have failed, otherwise 0.',
    labelNames: ['provider'],
    registers: [registry],
  });
  return {
    setCircuit: (provider, circuit) => circuits.set({ provider }, circuit === 'closed' ? 0 : 1),
    measured: (provider) =>
      aroundCalls(provider, async (verb, call) => {
        const stop = durations.startTimer({ provider: provider.id, verb });
        try {
          const result = await call();
          stop({ outcome: 'succeeded' });
          return result;
        } catch (error) {
          stop({ outcome: callOutcomeOf(error) });
          throw error;
        }
      }),
  };
}

function callOutcomeOf(error: unknown): CallOutcome {
  if (error instanceof NotAccepted) return 'not_accepted';
  if (error instanceof OutcomeUnknown) return 'outcome_unknown';
  if (error instanceof ProviderFailure) return error.retryable ? 'failed_for_now' : 'failed';
  return 'stopped';
}
