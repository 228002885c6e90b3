import type { GenerationProvider } from '#generation';
import { createLocalProvider, type LocalVideo } from './local/local-provider.ts';

export interface ProviderOptions {
  /** Told what a provider can't offer here, and why. */
  readonly warn: (message: string) => void;
  readonly localVideo: LocalVideo;
}

/** Every vendor, one line each. */
export function createProviders({
  warn,
  localVideo,
}: ProviderOptions): Promise<readonly GenerationProvider[]> {
  return Promise.all([createLocalProvider({ warn, video: localVideo })]);
}

export { createLocalProvider, LocalProvider } from './local/local-provider.ts';
