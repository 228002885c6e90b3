import type { GenerationProvider } from '#generation';
import { createLocalProvider, type LocalVideo } from './local/local-provider.ts';

/**
 * All providers, one line for each vendor.
 *
 * @param warn called with what a provider can't offer on this machine, and why
 */
export function createProviders(
  warn: (message: string) => void,
  models: { readonly localVideo: LocalVideo },
): Promise<readonly GenerationProvider[]> {
  return Promise.all([createLocalProvider({ warn, video: models.localVideo })]);
}

export { LOCAL_MODELS } from './local/local-models.ts';
export { createLocalProvider, LocalProvider } from './local/local-provider.ts';
