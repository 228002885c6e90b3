import type { GenerationProvider } from '#generation';
import { createLocalProvider } from './local/local-provider.ts';

export interface ProviderOptions {
  /** Told what a provider can't offer here, and why. */
  readonly warn: (message: string) => void;
}

/** Every vendor, one line each. */
export function createProviders(options: ProviderOptions): Promise<readonly GenerationProvider[]> {
  return Promise.all([createLocalProvider(options)]);
}

export { createLocalProvider, LocalProvider } from './local/local-provider.ts';
