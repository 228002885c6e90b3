import type { ProviderSettings } from '#catalogue';
import type { GenerationProvider, RemoteProvider } from '#generation';
import { createLocalProvider, type LocalVideo } from './local/local-provider.ts';
import type { RemoteFactory, RemoteLimits } from './remote/vendor.ts';

/**
 * The vendors by the `type` of a provider. A vendor's folder and SDK are loaded with the first provider of its type.
 */
const VENDORS: Readonly<Record<string, () => Promise<RemoteFactory>>> = {
  comfyui: async () => (await import('./comfyui/servers.ts')).createComfyUi,
  fal: async () => (await import('./fal/fal-provider.ts')).createFalProvider,
  openai: async () => (await import('./openai/openai-provider.ts')).createOpenAiProvider,
  replicate: async () => (await import('./replicate/replicate-provider.ts')).createReplicate,
};

export const REMOTE_TYPES: readonly string[] = Object.keys(VENDORS);

/** @throws Error when there is no such type */
export async function createRemoteProvider(settings: ProviderSettings, limits: RemoteLimits): Promise<RemoteProvider> {
  const load = Object.hasOwn(VENDORS, settings.type) && VENDORS[settings.type];
  if (!load) throw new Error(`the provider ${settings.id} has the unknown type ${settings.type}`);
  const create = await load();
  return create(settings, limits);
}

/**
 * Creates the local providers.
 *
 * @param warn called with each model that is unavailable on this machine, and the reason
 */
export function createProviders(
  warn: (message: string) => void,
  models: { readonly localVideo: LocalVideo },
): Promise<readonly GenerationProvider[]> {
  return Promise.all([createLocalProvider({ warn, video: models.localVideo })]);
}

export { LOCAL_MODELS } from './local/local-models.ts';
export { createLocalProvider, LocalProvider } from './local/local-provider.ts';
export { aroundCalls, type RemoteVerb } from './remote/around-calls.ts';
export { guardProvider, type Circuit, type GuardOptions } from './remote/guard-provider.ts';
export { knownEndOf } from './known-ends.ts';
export { HttpVendorSchemas } from './vendor-schemas.ts';
export type { RemoteLimits } from './remote/vendor.ts';
