import { Histogram, type Registry, type RegistryContentType } from 'prom-client';
import { ProviderFailure, type GenerationProvider } from '#generation';

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

/** `stopped`: the generation was canceled, or the worker stops or has lost the job. */
function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return 'stopped';
  return error instanceof ProviderFailure && !error.retryable ? 'failed' : 'failed_for_now';
}
