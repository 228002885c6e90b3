import { describe, expect, it } from '@jest/globals';
import { startVendorServer } from '../../../../test/support/vendors/vendor-server.ts';
import { openHttpSource, openRawSource } from './testing/http-source.ts';
import { closing, fetchFor } from './testing/vendor-fetch.ts';
import type { VendorFetch } from './vendor-fetch.ts';

const KEY = 'Bearer secret-9d2f';

/** A vendor without WebSockets. */
const refusing = async () => closing(await openHttpSource((_request, response) => response.writeHead(404).end()));

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
    closing(fake);
    const socket = await open(fetchFor({ url: () => fake.url }), `${fake.url}/`);
    const message = await new Promise((resolve) => socket.onMessage(resolve));
    expect(message).toBe('x'.repeat(1_000));
    expect(seen).toEqual(['?clientId=a', KEY]);
    socket.close();
  });

  it('is not opened to another private address, nor where the vendor refuses it or does not respond', async () => {
    const [base, other] = [await refusing(), await refusing()];
    await expect(open(fetchFor(base), other.url())).rejects.toMatchObject({ code: 'url_blocked' });
    await expect(open(fetchFor(base), base.url())).rejects.toThrow('the WebSocket was refused');
    const silent = closing(await openRawSource(() => {}));
    const http = fetchFor(base, { allowedHosts: [silent.host], timeoutSeconds: 0.3 });
    await expect(open(http, `http://${silent.host}/`)).rejects.toThrow('no WebSocket in time');
  });
});
