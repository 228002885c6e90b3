import { createRemoteProvider } from '#adapters/providers';
import type { Model } from '#catalogue';
import type { RemoteProvider, RemoteTask, VendorHandle } from '#generation';
import { aRemoteTask, VENDOR_KEY } from '#testing/generation';
import { eventually } from '../eventually.ts';
import type { FakeVendor } from './fake-vendor.ts';
import type { FakeVendorOptions } from './vendor-fake.ts';

export const { signal } = new AbortController();

interface ClientOptions {
  readonly key?: string | null;
  readonly callSeconds?: number;
  readonly allowedHosts?: readonly string[];
  readonly maxOutputBytes?: number;
}

export function settingsOf(type: string, baseUrl: string, key: string | null = VENDOR_KEY) {
  return { id: type, type, baseUrl, key, maxConcurrent: 2, submissionsPerMinute: null };
}

/** The adapter of a vendor, for a fake of it. */
export function providerAt(type: string, baseUrl: string, options: ClientOptions = {}): Promise<RemoteProvider> {
  const { key, allowedHosts = [], maxOutputBytes = 1_000_000, callSeconds } = options;
  return createRemoteProvider(settingsOf(type, baseUrl, key), { allowedHosts, maxOutputBytes, callSeconds });
}

/** A fake of a vendor, and its adapter, for the suites of all vendors. */
export const underTest = (type: string, start: (options: FakeVendorOptions) => Promise<FakeVendor>) => async () => {
  const vendor = await start({ key: VENDOR_KEY });
  return { vendor, provider: (options?: ClientOptions) => providerAt(type, vendor.url, options) };
};

export const aTask = (model: Model, overrides: Partial<RemoteTask> = {}): RemoteTask =>
  aRemoteTask({ model, prompt: 'a room', ...overrides });

/** Submits a task to a vendor that responds with a handle. */
export async function submit(provider: RemoteProvider, task: RemoteTask, webhookUrl: string | null = null) {
  const submitted = await provider.submit(task, { webhookUrl, signal });
  if ('outputs' in submitted) throw new Error('the vendor responds with the outputs');
  return submitted.handle;
}

/** The state in which a job is no longer pending. */
export const ended = (provider: RemoteProvider, handle: VendorHandle) =>
  eventually(
    async () => {
      const state = await provider.check(handle, signal);
      return state.state !== 'pending' && state;
    },
    { everyMs: 10 },
  );
