import type { GenerationProvider } from '#generation';
import { createLocalProvider, type LocalVideo } from './local/local-provider.ts';

export interface ProviderOptions {
  /** Called with what a provider can't offer on this machine, and why. */
  readonly warn: (message: string) => void;
  readonly localVideo: LocalVideo;
}

/** All providers, one line for each vendor. */
export function createProviders({ warn, localVideo }: ProviderOptions): Promise<readonly GenerationProvider[]> {
  return Promise.all([createLocalProvider({ warn, video: localVideo })]);
}

export { createLocalProvider, LocalProvider } from './local/local-provider.ts';
