import type { Settings } from '#config';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/**
 * The settings with addresses that this process can reach. In a container, `localhost` in an address for clients means
 * their machine: it is replaced by the service's own address.
 */
export function asSeenFromHere(settings: Settings): Settings {
  const { http, storage } = settings;
  if (LOOPBACK.test(http.host)) return settings;
  const theirs = (url: string | null) => url !== null && LOOPBACK.test(new URL(url).hostname);
  if (![http.publicUrl, storage.publicEndpoint, storage.publicUrl].some(theirs)) return settings;
  const host = ['0.0.0.0', '::'].includes(http.host) ? '127.0.0.1' : http.host;
  return {
    ...settings,
    http: { ...http, publicUrl: theirs(http.publicUrl) ? `http://${host}:${http.port}` : http.publicUrl },
    storage: {
      ...storage,
      publicEndpoint: theirs(storage.publicEndpoint) ? null : storage.publicEndpoint,
      publicUrl: theirs(storage.publicUrl) ? null : storage.publicUrl,
    },
  };
}
