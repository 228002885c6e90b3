import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SafeHttp } from './safe-http.ts';
import { openRawSource } from './testing/http-source.ts';
import { LOCALHOST } from './testing/localhost-certificate.ts';

const UNREACHABLE = { code: 'url_unreachable', retryable: true };

describe('fetching an https source', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer(LOCALHOST, (_request, response) => response.end('over TLS'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const get = (host: string, timeoutSeconds = 5) =>
    new SafeHttp({ allowedHosts: [host], timeoutSeconds }).exchange(
      `https://${host}/`,
      { method: 'GET', maxBytes: 100 },
      ({ body }) => text(body),
    );

  it('reads a source with a trusted certificate for its name', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, LOCALHOST.cert]);
    try {
      await expect(get(`localhost:${port}`)).resolves.toBe('over TLS');
      await expect(get(`127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'url_unreachable' });
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  it.each([
    ['never shakes hands', 0.1, { code: 'url_timeout', retryable: true }, () => {}],
    ['closes the connection', 5, UNREACHABLE, (socket: Socket) => socket.destroy()],
    ['does not speak TLS', 5, UNREACHABLE, (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ])('fails when the source %s', async (_what, timeoutSeconds, failure, speak) => {
    const source = await openRawSource(speak);
    await expect(get(source.host, timeoutSeconds)).rejects.toMatchObject(failure);
    await source.close();
  });

  it('refuses an untrusted certificate, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      await expect(get(`localhost:${port}`)).rejects.toMatchObject({ code: 'url_unreachable' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });
});
