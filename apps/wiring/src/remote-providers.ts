import { Logger } from '@nestjs/common';
import type { Registry, RegistryContentType } from 'prom-client';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { guardProvider, type GuardOptions } from '#adapters/providers';
import type { ProviderPauses, ProviderSettings } from '#catalogue';
import type { Settings } from '#config';
import type { RemoteProvider } from '#generation';
import type { Tracing } from '#kernel';
import { openProvider } from './catalogue.ts';
import { measureRemoteProviders } from './metrics/measured-provider.ts';
import type { RateCounters } from './rate-counters.ts';
import { traceRemoteProvider } from './traces.ts';

const logger = new Logger('RemoteProviders');

/** Opens remote providers with traces, metrics, rate limits and circuit breakers. */
export function providerOpener(
  settings: Settings,
  counters: RateCounters,
  registry: Registry<RegistryContentType>,
  tracing: Tracing,
  pauses: ProviderPauses,
): (provider: ProviderSettings) => Promise<RemoteProvider> {
  const { measured, setCircuit } = measureRemoteProviders(registry);
  const options: GuardOptions = {
    countSubmission: countSubmissions(counters),
    onCircuit(provider, circuit) {
      setCircuit(provider, circuit);
      logger.warn({ provider, circuit }, 'the circuit of the provider has changed');
      record(circuit === 'closed' ? pauses.end(provider) : pauses.begin(provider));
    },
  };
  return async (provider) => {
    setCircuit(provider.id, 'closed');
    record(pauses.end(provider.id));
    const traced = traceRemoteProvider(await openProvider(settings, provider), tracing);
    return guardProvider(measured(traced), provider, options);
  };
}

/** Calls to providers do not wait for it. */
function record(change: Promise<void>): void {
  change.catch((error: unknown) => logger.warn({ err: error }, 'the state of a provider cannot be recorded'));
}

function countSubmissions(counters: RateCounters): GuardOptions['countSubmission'] {
  const limits = new Map<string, RateLimiterAbstract>();
  return async (provider, perMinute) => {
    // An operator may change the limit of a provider.
    const key = `${provider} ${perMinute}`;
    const limit = limits.get(key) ?? counters({ name: 'submissions', points: perMinute, seconds: 60 });
    limits.set(key, limit);
    try {
      await limit.consume(provider);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
      throw refusal;
    }
  };
}
