import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startVendorServer } from '../../../../test/support/vendors/vendor-server.ts';
import { openHttpSource, openRawSource, type HttpSource } from './testing/http-source.ts';
import { VendorFetch, type VendorFetchOptions } from './vendor-fetch.ts';

const KEY = 'Bearer secret-9d2f';

let opened: { close(): Promise<void> }[];
beforeEach(() => {
  opened = [];
});
afterEach(() => Promise.all(opened.map((each) => each.close())));

/** A vendor without WebSockets. */
async function refusing(): Promise<HttpSource> {
  const source = await openHttpSource((_request, response) => response.writeHead(404).end());
  opened.push(source);
  return source;
}

function fetchFor(source: HttpSource, options: Partial<VendorFetchOptions> = {}): VendorFetch {
  const http = new VendorFetch({
    baseUrl: source.url(),
    allowedHosts: [],
    timeoutSeconds: 5,
    maxBytes: 10_000,
    ...options,
  });
  opened.push(http);
  return http;
}

describe('a WebSocket', () => {
  const open = (http: VendorFetch, url: string) => http.socket(`${url}ws?clientId=a`, { authorization: KEY });

  it('brings the messages of the vendor, and sends it the key', async () => {
    const seen: unknown[] = [];
    const fake = await startVendorServer(
      async () => ({ status: 404 }),
      0,
      0,
      ({ url, headers }, socket) => {
        seen.push(url.search, headers.authorization);
        setTimeout(() => socket.send('x'.repeat(1_000)), 20);
      },
    );
    opened.push(fake);
    const http = new VendorFetch({ baseUrl: fake.url, allowedHosts: [], timeoutSeconds: 5, maxBytes: 10_000 });
    opened.push(http);
    const socket = await open(http, `${fake.url}/`);
    const message = await new Promise((resolve) => socket.onMessage(resolve));
    expect(message).toBe('x'.repeat(1_000));
    expect(seen).toEqual(['?clientId=a', KEY]);
    socket.close();
  });

  it('is not opened to another private address, nor where the vendor refuses it or does not respond', async () => {
    const [base, other] = [await refusing(), await refusing()];
    await expect(open(fetchFor(base), other.url())).rejects.toMatchObject({ code: 'url_blocked' });
    await expect(open(fetchFor(base), base.url())).rejects.toThrow('the WebSocket was refused');
    const silent = await openRawSource(() => {});
    opened.push(silent);
    const http = fetchFor(base, { allowedHosts: [silent.host], timeoutSeconds: 0.3 });
    await expect(open(http, `http://${silent.host}/`)).rejects.toThrow('no WebSocket in time');
  });
});
