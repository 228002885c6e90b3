import { aroundCalls } from '#adapters/providers';
import type { ObjectStorage } from '#files';
import type { GenerationProvider, RemoteProvider } from '#generation';
import { noTracing, type Tracing } from '#kernel';

/** Runs of the local providers. */
export function traceProviders(providers: readonly GenerationProvider[], tracing: Tracing): GenerationProvider[] {
  return providers.map((provider) => ({
    id: provider.id,
    get models() {
      return provider.models;
    },
    run(task, watch) {
      const attributes = { 'x12.provider': provider.id };
      return tracing.span(`${provider.id} run`, { kind: 'client', attributes, onlyWithin: true }, () =>
        provider.run(task, watch),
      );
    },
  }));
}

/** Calls to a vendor that belong to a generation's trace; the sweep's checks belong to none. */
export function traceRemoteProvider(provider: RemoteProvider, tracing: Tracing): RemoteProvider {
  const attributes = { 'x12.provider': provider.id };
  return aroundCalls(provider, (verb, call) =>
    tracing.span(`${provider.id} ${verb}`, { kind: 'client', attributes, onlyWithin: true }, call),
  );
}

/** What moves bytes or asks for them; the others do nothing outside, or are streams. */
const STORAGE_CALLS: ReadonlySet<unknown> = new Set([
  'head',
  'open',
  'put',
  'copy',
  'delete',
  'begin',
  'join',
  'abandon',
]);

/** The storage, still of its class, with spans around its calls. */
export function traceStorage<T extends object = ObjectStorage>(storage: T, tracing: Tracing): T {
  if (tracing === noTracing) return storage;
  return new Proxy(storage, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name === 'parts') return traceStorage(member as object, tracing);
      if (typeof member !== 'function') return member;
      const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
      if (!STORAGE_CALLS.has(name)) return call;
      return (...args: unknown[]) =>
        tracing.span(`storage ${String(name)}`, { kind: 'client', onlyWithin: true }, async () => call(...args));
    },
  });
}
