import { aroundCalls } from '#adapters/providers';
import type { MultipartStorage, ObjectStorage } from '#files';
import type { GenerationProvider, RemoteProvider } from '#generation';
import type { Tracing } from '#kernel';
import { waiting } from './waiting.ts';

/** Adds spans to the runs of local providers. */
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

/** Adds spans to the calls of a vendor within the trace of a generation. Checks of the sweep have no trace. */
export function traceRemoteProvider(provider: RemoteProvider, tracing: Tracing): RemoteProvider {
  const attributes = { 'x12.provider': provider.id };
  return aroundCalls(provider, (verb, call) =>
    waiting(() => tracing.span(`${provider.id} ${verb}`, { kind: 'client', attributes, onlyWithin: true }, call)),
  );
}

/**
 * Which methods of a port get a span: those that call the storage, except lists.
 */
interface TracedCalls {
  readonly [name: PropertyKey]: boolean | TracedCalls;
}

const MULTIPART_CALLS = { begin: true, sign: false, list: true, join: true, abandon: true } as const satisfies Record<
  keyof MultipartStorage,
  boolean
>;

const STORAGE_CALLS = {
  parts: MULTIPART_CALLS,
  signPut: false,
  signGet: false,
  requireSpace: false,
  head: true,
  open: true,
  put: true,
  putStream: true,
  copy: true,
  delete: true,
  list: false,
  tidy: false,
} as const satisfies Record<keyof ObjectStorage, boolean | TracedCalls>;

/** Adds spans to the calls of a storage, and counts them as waits of requests. The result is still an instance of its class. */
export function traceStorage(storage: ObjectStorage, tracing: Tracing): ObjectStorage {
  return traceCalls(storage, STORAGE_CALLS, tracing);
}

function traceCalls<T extends object>(port: T, calls: TracedCalls, tracing: Tracing): T {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      const traced = Object.hasOwn(calls, name) && calls[name];
      if (typeof traced === 'object') return traceCalls(member as object, traced, tracing);
      if (typeof member !== 'function') return member;
      const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
      if (!traced) return call;
      return (...args: unknown[]) =>
        waiting(() =>
          tracing.span(`storage ${String(name)}`, { kind: 'client', onlyWithin: true }, async () => call(...args)),
        );
    },
  });
}
