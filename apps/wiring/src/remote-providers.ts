import { Logger } from '@nestjs/common';
import type { Registry, RegistryContentType } from 'prom-client';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Catalog } from '#adapters/catalog';
import { guardProvider, type GuardOptions } from '#adapters/providers';
import type { Settings } from '#config';
import type { RemoteProvider } from '#generation';
import type { Tracing } from '#kernel';
import { openProvider } from './catalogue.ts';
import { measureRemoteProviders } from './metrics/measured-provider.ts';
import type { RateCounters } from './rate-counters.ts';
import { traceRemoteProvider } from './traces.ts';

const logger = new Logger('RemoteProviders');

/** The remote providers of the catalogue, with traces, metrics, rate limits and circuit breakers. */
export function openProviders(
  settings: Settings,
  { providers }: Catalog,
  counters: RateCounters,
  registry: Registry<RegistryContentType>,
  tracing: Tracing,
): Promise<RemoteProvider[]> {
  const { measured, setCircuit } = measureRemoteProviders(registry);
  const options: GuardOptions = {
    countSubmission: countSubmissions(counters),
    onCircuit(provider, circuit) {
      setCircuit(provider, circuit);
      logger.warn({ provider, circuit }, 'the circuit of the provider has changed');
    },
  };
  return Promise.all(
    providers.map(async (provider) => {
      setCircuit(provider.id, 'closed');
      const traced = traceRemoteProvider(await openProvider(settings, provider), tracing);
      return guardProvider(measured(traced), provider, options);
    }),
  );
}

function countSubmissions(counters: RateCounters): GuardOptions['countSubmission'] {
  const limits = new Map<string, RateLimiterAbstract>();
  return async (provider, perMinute) => {
    const limit = limits.get(provider) ?? counters({ name: 'submissions', points: perMinute, seconds: 60 });
    limits.set(provider, limit);
    try {
      await limit.consume(provider);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
      throw refusal;
    }
  };
}
