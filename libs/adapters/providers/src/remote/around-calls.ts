import type { RemoteProvider } from '#generation';

/** The methods of a provider that call the vendor. */
export type RemoteVerb = 'submit' | 'find' | 'check' | 'fetchOutput' | 'cancel' | 'health';

export type Around = <T>(verb: RemoteVerb, call: () => Promise<T>) => Promise<T>;

/** Wraps each call of a provider to its vendor in `around`. */
export function aroundCalls(provider: RemoteProvider, around: Around): RemoteProvider {
  return {
    id: provider.id,
    hasWebhooks: provider.hasWebhooks,
    keepsOutputsSeconds: provider.keepsOutputsSeconds,
    submit: (...args) => around('submit', () => provider.submit(...args)),
    find: (...args) => around('find', () => provider.find(...args)),
    check: (...args) => around('check', () => provider.check(...args)),
    fetchOutput: (...args) => around('fetchOutput', () => provider.fetchOutput(...args)),
    cancel: (...args) => around('cancel', () => provider.cancel(...args)),
    health: (...args) => around('health', () => provider.health(...args)),
    isAuthentic: (...args) => provider.isAuthentic(...args),
  };
}
