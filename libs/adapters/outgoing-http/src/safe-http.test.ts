import { getEventListeners } from 'node:events';
import fs from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SourceFailure } from '#sources';
import { eventually } from '../../../../test/support/eventually.ts';
import { temporaryFolder } from '../../../sources/src/testing/temporary-folder.ts';
import type { Network } from './guarded-connector.ts';
import { SafeHttp, type SafeResponse } from './safe-http.ts';
import { SafeRemoteSources } from './safe-remote-sources.ts';
import { connectionsToProxy, openCanary } from './testing/canary.ts';
import { openHttpSource, openRawSource, type HttpSource } from './testing/http-source.ts';

let open: HttpSource[];
beforeEach(() => {
  open = [];
});
afterEach(() => Promise.all(open.map((source) => source.close())));

async function opened(opening: Promise<HttpSource>): Promise<HttpSource> {
  const source = await opening;
  open.push(source);
  return source;
}
const listening = (listener: RequestListener) => opened(openHttpSource(listener));
const speaking = (speak: (socket: Socket) => void) => opened(openRawSource(speak));
const sending = (response: string | Buffer) => speaking((socket) => socket.end(response));

const textOf = ({ body }: SafeResponse) => text(body);

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n';
const UNREACHABLE = { code: 'url_unreachable', retryable: true };
const TIMEOUT = { code: 'url_timeout', retryable: true };
const TOO_LARGE = { code: 'url_too_large', retryable: false };

describe('fetching a source', () => {
  const { fileAt, list } = temporaryFolder();
  const saved = () => readFile(fileAt('source'), 'utf8');

  interface Fetch {
    path?: string;
    timeoutSeconds?: number;
    maxBytes?: number;
    signal?: AbortSignal;
  }
  const fetchFrom = ({ host, url }: HttpSource, options: Fetch = {}): Promise<number> => {
    const { path = '/', timeoutSeconds = 5, maxBytes = 100_000, signal } = options;
    const http = new SafeHttp({ allowedHosts: [host], timeoutSeconds });
    return new SafeRemoteSources(http).fetchToFile(url(path), fileAt('source'), { maxBytes, signal });
  };
  const failureOf = async (fetched: Promise<number>): Promise<SourceFailure> => {
    const failure = await fetched.catch((error) => error);
    expect(failure).toBeInstanceOf(SourceFailure);
    expect(await list()).toEqual([]);
    return failure as SourceFailure;
  };

  it('reads nothing of a response whose content-length exceeds the limit', async () => {
    let written = () => 0;
    const source = await listening((_request, response) => {
      written = pour(response.writeHead(200, { 'content-length': 10_000_000_000 }));
    });
    expect(await failureOf(fetchFrom(source))).toMatchObject(TOO_LARGE);
    expect(written()).toBeLessThan(20_000_000);
  });

  it('ends a response at the limit', async () => {
    const source = await listening((_request, response) => pour(response));
    expect(await failureOf(fetchFrom(source))).toMatchObject(TOO_LARGE);
  });

  it.each([
    ['reads as many bytes as content-length says', `${OK}content-length: 5\r\n\r\n12345678901234567890`, '12345'],
    ['reads a response without length to the end of the connection', 'HTTP/1.0 200 OK\r\n\r\n12345', '12345'],
    ['reads an empty response', `${OK}content-length: 0\r\n\r\n`, ''],
  ])('%s', async (_what, response, expected) => {
    await expect(fetchFrom(await sending(response))).resolves.toBe(expected.length);
    await expect(saved()).resolves.toBe(expected);
  });

  it('reads as many bytes as allowed and not one more', async () => {
    const source = await listening((_request, response) => response.end(Buffer.alloc(1_000)));
    await expect(fetchFrom(source, { maxBytes: 1_000 })).resolves.toBe(1_000);
    await rm(fileAt('source'));
    expect(await failureOf(fetchFrom(source, { maxBytes: 999 }))).toMatchObject(TOO_LARGE);
  });

  it.each([
    ...[429, 500, 503].map((status) => [status, true] as const),
    ...[204, 206, 401, 404, 410].map((status) => [status, false] as const),
  ])('fails for the status %i, retryable: %p', async (status, retryable) => {
    const source = await listening((_request, response) => response.writeHead(status).end());
    expect(await failureOf(fetchFrom(source))).toMatchObject({ code: 'url_unreachable', retryable });
  });

  it('throws the reason of an abort', async () => {
    const source = await speaking((socket) => socket.write(`${OK}${CHUNKED}`));
    const reason = new Error('the worker stops');
    const stop = new AbortController();
    const fetched = fetchFrom(source, stop);
    stop.abort(reason);
    await expect(fetched).rejects.toBe(reason);
    await expect(fetchFrom(source, stop)).rejects.toBe(reason);
    expect(await list()).toEqual([]);
  });

  it('sends no identifying headers, and saves compressed bytes as received', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    let headers: IncomingHttpHeaders = {};
    const source = await listening((request, response) => {
      headers = request.headers;
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    await expect(fetchFrom(source)).resolves.toBe(bomb.length);
    await expect(readFile(fileAt('source'))).resolves.toEqual(bomb);
    const { host } = source;
    expect(headers).toEqual({ host, connection: 'close', 'accept-encoding': 'identity', 'user-agent': 'x12' });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['sends its headers a byte at a time', drip(`${OK}x: ${'x'.repeat(1_000)}`)],
    ['sends its bytes one at a time', drip(`${OK}content-length: 1000\r\n\r\n${'x'.repeat(900)}`, 40)],
    ['stops within a file', (socket) => socket.write(`${OK}content-length: 50\r\n\r\nthe beginning`)],
    ['sends early hints for ever', repeat('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')],
  ])('times out when the source %s', async (_what, speak) => {
    const source = await speaking(speak);
    expect(await failureOf(fetchFrom(source, { timeoutSeconds: 0.1 }))).toMatchObject(TIMEOUT);
  });

  it('limits the total time of redirects and response', async () => {
    const source = await listening((request, response) => {
      const [status, headers] = request.url === '/' ? [302, { location: '/slow' }] : [200, {}];
      setTimeout(() => response.writeHead(status, headers).end(), 250);
    });
    expect(await failureOf(fetchFrom(source, { timeoutSeconds: 0.4 }))).toMatchObject(TIMEOUT);
  });

  it.each<[string, string | Buffer]>([
    ['closes at once', ''],
    ['sends less than it announced', `${OK}content-length: 50\r\n\r\n12345`],
    ['breaks off between chunks', `${OK}${CHUNKED}5\r\n12345\r\n`],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['sends noise', Buffer.from(Array.from({ length: 2_000 }, (_, i) => (i * 197 + 13) % 256))],
    ['sends too many headers', `${OK}${'x-filler: 0123456789\r\n'.repeat(2_000)}\r\nbody`],
    ['sends a header that is too long', `${OK}x: ${'x'.repeat(20_000)}\r\n\r\nbody`],
    ['announces two lengths', `${OK}content-length: 4\r\ncontent-length: 5\r\n\r\nbody!`],
    ['announces a negative length', `${OK}content-length: -1\r\n\r\nbody`],
    ['announces a length and chunks', `${OK}content-length: 4\r\n${CHUNKED}4\r\nbody\r\n0\r\n\r\n`],
    ['sends chunks that are none', `${OK}${CHUNKED}zz\r\n`],
    ['says "go on"', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
  ])('fails as for a closed port when the source %s', async (_what, response) => {
    const [source, closed] = [await sending(response), await sending('')];
    await closed.close();
    for (const each of [source, closed]) expect(await failureOf(fetchFrom(each))).toMatchObject(UNREACHABLE);
  });

  it('leaves no file when the connection breaks while the file is being opened', async () => {
    const open = fs.open as (...args: unknown[]) => void;
    const opened = Promise.withResolvers<void>();
    const slow = jest.spyOn(fs, 'open');
    slow.mockImplementation(((...args: unknown[]) => {
      const done = args.pop() as (...results: unknown[]) => void;
      setTimeout(() => open(...args, (...results: unknown[]) => (done(...results), opened.resolve())), 50);
    }) as never);
    try {
      await failureOf(fetchFrom(await sending(`${OK}content-length: 50\r\n\r\n12345`)));
      await opened.promise;
      await eventually(async () => (await list()).length === 0);
    } finally {
      slow.mockRestore();
    }
  });

  describe('a redirect', () => {
    it('is followed three times and not four', async () => {
      const staircase = await listening((request, response) => {
        const steps = Number(request.url!.slice(1));
        if (steps === 0) response.writeHead(200).end('arrived');
        else response.writeHead(302, { location: `${steps - 1}` }).end('moved');
      });
      await expect(fetchFrom(staircase, { path: '/3' })).resolves.toBe(7);
      await rm(fileAt('source'));
      const failure = await failureOf(fetchFrom(staircase, { path: '/4' }));
      expect(failure).toMatchObject({ code: 'url_unreachable', retryable: false });
    });

    it.each<[string, string[], number]>([
      ['in a circle', ['/'], 4],
      ['to nowhere', [], 1],
      ['to two places', ['/a', '/b'], 1],
    ])('%s fails', async (_where, locations, expected) => {
      let requests = 0;
      const source = await listening((_request, response) => {
        requests++;
        if (locations.length > 0) response.setHeader('location', locations);
        response.writeHead(302).end();
      });
      expect(await failureOf(fetchFrom(source))).toMatchObject({ code: 'url_unreachable', retryable: false });
      expect(requests).toBe(expected);
    });

    it('is followed without reading its body', async () => {
      const source = await listening((request, response) => {
        if (request.url === '/there') response.end('arrived');
        else pour(response.writeHead(302, { location: '/there' }));
      });
      await expect(fetchFrom(source)).resolves.toBe(7);
    });
  });

  it('uses no proxy', async () => {
    const connections = await connectionsToProxy(async () => {
      await expect(fetchFrom(await sending(`${OK}\r\n12345`))).resolves.toBe(5);
    });
    expect(connections).toBe(0);
  });

  it('leaves the query of the URL out of every error', async () => {
    const [source, silent] = [await sending('no HTTP'), await speaking(() => {})];
    const path = '/a?token=s3cret';
    for (const fetched of [
      fetchFrom(source, { path }),
      fetchFrom(silent, { path, timeoutSeconds: 0.1 }),
      fetchFrom({ ...source, url: () => `http://127.0.0.1${path}` }),
      fetchFrom({ ...source, url: () => `http://[bad${path}` }),
    ]) {
      expect(inspect(await failureOf(fetched), { depth: 10, showHidden: true })).not.toContain('s3cret');
    }
  });
});

describe('a host name', () => {
  const fetchByName = (network: Network, ports: number[]): Promise<unknown> => {
    const http = new SafeHttp({ allowedHosts: [], timeoutSeconds: 0.1, ports }, network);
    const target = join(tmpdir(), 'never-written');
    const fetched = new SafeRemoteSources(http).fetchToFile(`http://name.test:${ports[0]}/`, target, {
      maxBytes: 1_000,
    });
    return fetched.catch((error: unknown) => error);
  };

  it('is connected to at the addresses that were checked', async () => {
    const canary = await openCanary();
    const addresses = [['93.184.216.34'], ['127.0.0.1']];
    const dialled: unknown[] = [];
    const dial: Network['dial'] = ({ lookup }) => {
      for (const all of [true, false]) lookup!('name.test', { all }, (_error, found) => dialled.push(found));
      const socket = connect({ port: canary.port });
      socket.destroy(new Error('this test reaches no public address'));
      return socket;
    };
    const failure = await fetchByName({ resolve: async () => addresses.shift() ?? ['127.0.0.1'], dial }, [canary.port]);
    expect(dialled).toEqual([[{ address: '93.184.216.34', family: 4 }], '93.184.216.34']);
    expect(failure).toMatchObject({ code: 'url_unreachable' });
    await canary.close();
  });

  it('that does not exist is not retried', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND name.test'), { code: 'ENOTFOUND' });
    };
    const failure = await fetchByName({ resolve, dial: connect }, [80]);
    expect(failure).toMatchObject({ code: 'url_unreachable', retryable: false });
  });

  it('whose DNS server does not respond times out', async () => {
    const resolve = () => new Promise<never>(() => {});
    expect(await fetchByName({ resolve, dial: connect }, [80])).toMatchObject(TIMEOUT);
  });

  it('times out before a connection that others may use is opened', async () => {
    const opening: AbortSignal[] = [];
    let end = (): void => undefined;
    const resolve = (_name: string, signal: AbortSignal) => {
      opening.push(signal);
      return new Promise<never>((_resolve, reject) => (end = () => reject(new Error('no response'))));
    };
    const limits = { allowedHosts: [], timeoutSeconds: 60, keepSeconds: 5 };
    const http = new SafeHttp(limits, { resolve, dial: connect });
    const request = { method: 'POST', maxBytes: 0, timeoutSeconds: 0.1 } as const;
    await expect(http.exchange('http://name.test/', request, async () => {})).rejects.toMatchObject(TIMEOUT);
    expect(opening).toMatchObject([{ aborted: false }]);
    end();
    await http.close();
  });

  it('leaves nothing that listens to the end of its request', async () => {
    const signals: AbortSignal[] = [];
    const resolve = async (_name: string, signal: AbortSignal) => {
      signals.push(signal);
      return ['127.0.0.1'];
    };
    expect(await fetchByName({ resolve, dial: connect }, [80])).toMatchObject({ code: 'url_blocked' });
    expect(signals.map((signal) => getEventListeners(signal, 'abort'))).toEqual([[]]);
  });
});

describe('a POST', () => {
  let source: HttpSource;
  let received: string[];
  beforeEach(async () => {
    received = [];
    source = await listening((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        received.push(`${request.method} ${request.url} ${request.headers['webhook-id']} ${body}`);
        if (request.url === '/moved') response.writeHead(308, { location: '/elsewhere' });
        response.end('thanks');
      });
    });
  });

  const post = (
    path: string,
    { allowedHosts = [source.host], read = textOf }: { allowedHosts?: string[]; read?: typeof textOf } = {},
  ) =>
    new SafeHttp({ allowedHosts, timeoutSeconds: 5 }).exchange(
      source.url(path),
      { method: 'POST', headers: { 'webhook-id': 'msg_1' }, body: '{"a":1}', maxBytes: 100 },
      async (response) => ({ status: response.status, text: await read(response) }),
    );

  it.each([
    ['arrives with its headers and body, and gets a response', '/hook', 200],
    ['does not follow a redirect', '/moved', 308],
  ])('%s', async (_what, path, status) => {
    await expect(post(path)).resolves.toEqual({ status, text: 'thanks' });
    expect(received).toEqual([`POST ${path} msg_1 {"a":1}`]);
  });

  it('is refused for a private address', async () => {
    await expect(post('/hook', { allowedHosts: [] })).rejects.toMatchObject({ code: 'url_blocked' });
    expect(received).toEqual([]);
  });

  it.each([
    ['opens a connection each time', 0, [4]],
    ['uses an idle connection that is kept, also when nobody read its last response', 5, [1, 2]],
  ])('%s', async (_what, keepSeconds, connections) => {
    const ports = new Set<number | undefined>();
    const counting = await listening((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('thanks');
    });
    const http = new SafeHttp({ allowedHosts: [counting.host], timeoutSeconds: 5, keepSeconds });
    const request = { method: 'POST', body: '{}', maxBytes: 0 } as const;
    for (let count = 0; count < 4; count++) await http.exchange(counting.url('/'), request, async () => {});
    await http.close();
    // The last connection may not be idle yet.
    expect(connections).toContain(ports.size);
  });

  it('throws the error of its reader', async () => {
    const failure = new Error('disk full');
    await expect(post('/hook', { read: () => Promise.reject(failure) })).rejects.toBe(failure);
  });
});

/** Writes without end. Returns a function that counts the bytes so far. */
function pour(response: ServerResponse): () => number {
  let written = 0;
  const write = () => {
    while (response.write(Buffer.alloc(65_536))) written += 65_536;
  };
  response.on('drain', write);
  write();
  return () => written;
}

function drip(text: string, atOnce = 1): (socket: Socket) => void {
  return (socket) => {
    let sent = atOnce;
    socket.write(text.slice(0, atOnce));
    const timer = setInterval(() => socket.write(text.charAt(sent++)), 20);
    socket.on('close', () => clearInterval(timer));
  };
}

function repeat(text: string): (socket: Socket) => void {
  return (socket) => {
    const timer = setInterval(() => socket.write(text), 5);
    socket.on('close', () => clearInterval(timer));
  };
}
