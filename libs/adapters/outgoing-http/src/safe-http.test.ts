import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SafeHttp, type SafeResponse } from './safe-http.ts';
import { openHttpSource, openRawSource, type HttpSource } from './testing/http-source.ts';
import { LOCALHOST } from './testing/localhost-certificate.ts';

const textOf = async ({ body }: SafeResponse): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

describe('A message sent by POST', () => {
  let source: HttpSource;
  const received: string[] = [];

  beforeAll(async () => {
    source = await openHttpSource((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        received.push(`${request.method} ${request.url} ${request.headers['webhook-id']} ${body}`);
        if (request.url === '/moved') response.writeHead(308, { location: '/elsewhere' });
        response.end('thanks');
      });
    });
  });
  afterEach(() => {
    received.length = 0;
  });
  afterAll(() => source.close());

  const post = (url: string, allowedHosts = [source.host]) =>
    new SafeHttp({ allowedHosts, timeoutSeconds: 5 }).exchange(
      url,
      { method: 'POST', headers: { 'webhook-id': 'msg_1' }, body: '{"a":1}', maxBytes: 100 },
      async (answer) => ({ status: answer.status, text: await textOf(answer) }),
    );

  it('arrives with its headers and body, and is answered', async () => {
    await expect(post(source.url('/hook'))).resolves.toEqual({ status: 200, text: 'thanks' });
    expect(received).toEqual(['POST /hook msg_1 {"a":1}']);
  });

  it('goes through the same checks', async () => {
    await expect(post(source.url('/hook'), [])).rejects.toMatchObject({ code: 'url_blocked' });
    expect(received).toEqual([]);
  });

  it('is not carried on to where a redirect points', async () => {
    await expect(post(source.url('/moved'))).resolves.toEqual({ status: 308, text: 'thanks' });
    expect(received).toEqual(['POST /moved msg_1 {"a":1}']);
  });

  it('fails as its reader fails', async () => {
    const failure = new Error('disk full');
    const http = new SafeHttp({ allowedHosts: [source.host], timeoutSeconds: 5 });
    const sent = http.exchange(source.url('/hook'), { method: 'POST', maxBytes: 100 }, async () => {
      throw failure;
    });
    await expect(sent).rejects.toBe(failure);
  });
});

describe('An https source', () => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer(LOCALHOST, (_request, response) => response.end('over TLS'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const get = (host: string) =>
    new SafeHttp({ allowedHosts: [`${host}:${port}`], timeoutSeconds: 5 }).exchange(
      `https://${host}:${port}/`,
      { method: 'GET', maxBytes: 100 },
      textOf,
    );

  it('is read when its certificate can be trusted and has its name', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, LOCALHOST.cert]);
    try {
      await expect(get('localhost')).resolves.toBe('over TLS');
      await expect(get('127.0.0.1')).rejects.toMatchObject({ code: 'url_unreachable' });
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  it.each([
    ['never shakes hands', 'url_timeout', () => {}],
    ['hangs up', 'url_unreachable', (socket: Socket) => socket.destroy()],
    ['does not speak TLS', 'url_unreachable', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ])('that %s is given up', async (_what, code, speak) => {
    const source = await openRawSource(speak);
    const http = new SafeHttp({ allowedHosts: [source.host], timeoutSeconds: 0.3 });
    const read = http.exchange(`https://${source.host}/`, { method: 'GET', maxBytes: 100 }, textOf);
    await expect(read).rejects.toMatchObject({ code, retryable: true });
    await source.close();
  });

  it('is not read when its certificate can not be trusted, whatever the environment says', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      await expect(get('localhost')).rejects.toMatchObject({ code: 'url_unreachable' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });
});
