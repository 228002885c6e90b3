import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SourceFailure } from '#sources';
import { remoteSourcesContract } from '#testing/sources';
import type { Network } from './guarded-connector.ts';
import { SafeHttp } from './safe-http.ts';
import { SafeRemoteSources } from './safe-remote-sources.ts';
import { openCanary } from './testing/canary.ts';
import { openHttpSource, openRawSource, type HttpSource } from './testing/http-source.ts';

remoteSourcesContract('SafeRemoteSources', async () => {
  const files: Buffer[] = [];
  const source = await openHttpSource((request, response) => {
    const [, kind, number] = request.url!.split('/');
    if (kind === 'file') response.end(files[Number(number)]);
    else if (kind === 'status') response.writeHead(Number(number)).end();
    else response.write('the beginning');
  });
  const http = new SafeHttp({ allowedHosts: [source.host], timeoutSeconds: 1 });
  return {
    sources: new SafeRemoteSources(http),
    serve: (bytes) => source.url(`/file/${files.push(bytes) - 1}`),
    refuse: (status) => source.url(`/status/${status}`),
    hang: () => source.url('/hang'),
    forbidden: source.url('/file/0').replace('127.0.0.1', 'localhost'),
    close: () => source.close(),
  };
});

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n';

describe('A source', () => {
  let folder: string;
  let target: string;
  let open: HttpSource[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'x12-fetch-'));
    target = join(folder, 'source');
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((source) => source.close()));
    await rm(folder, { recursive: true });
  });

  const speaking = async (speak: (socket: Socket, request: string) => void): Promise<HttpSource> => {
    const source = await openRawSource(speak);
    open.push(source);
    return source;
  };
  const answering = (answer: string | Buffer) => speaking((socket) => socket.end(answer));
  const listening = async (...listener: Parameters<typeof openHttpSource>): Promise<HttpSource> => {
    const source = await openHttpSource(...listener);
    open.push(source);
    return source;
  };
  const fetchFrom = (
    { host, url }: HttpSource,
    { path = '/', timeoutSeconds = 5, maxBytes = 100_000 } = {},
  ): Promise<number> => {
    const http = new SafeHttp({ allowedHosts: [host], timeoutSeconds });
    return new SafeRemoteSources(http).fetchToFile(url(path), target, { maxBytes });
  };
  const failureOf = async (fetched: Promise<number>): Promise<SourceFailure> => {
    const failure = await fetched.catch((error) => error);
    expect(failure).toBeInstanceOf(SourceFailure);
    expect(await readdir(folder)).toEqual([]);
    return failure as SourceFailure;
  };

  it('that announces more than allowed is not read at all', async () => {
    let written = () => 0;
    const source = await listening((_request, response) => {
      written = pour(response.writeHead(200, { 'content-length': 10_000_000_000 }));
    });
    expect(await failureOf(fetchFrom(source))).toMatchObject({ code: 'url_too_large', retryable: false });
    expect(written()).toBeLessThan(20_000_000);
  });

  it('that never ends is cut off at the limit', async () => {
    const source = await listening((_request, response) => pour(response));
    expect(await failureOf(fetchFrom(source))).toMatchObject({ code: 'url_too_large', retryable: false });
  });

  it('that sends more than it announced is taken at its word', async () => {
    const source = await answering('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n12345678901234567890');
    await expect(fetchFrom(source)).resolves.toBe(5);
    await expect(readFile(target, 'utf8')).resolves.toBe('12345');
  });

  it.each([
    ['sends less than it announced', 'content-length: 50\r\n\r\n12345'],
    ['breaks off between chunks', `${CHUNKED}5\r\n12345\r\n`],
  ])('that %s is not there, for now', async (_what, rest) => {
    const source = await answering(OK + rest);
    expect(await failureOf(fetchFrom(source))).toMatchObject({ code: 'url_unreachable', retryable: true });
  });

  it('may announce no length and end with the connection', async () => {
    const source = await answering('HTTP/1.0 200 OK\r\n\r\n12345');
    await expect(fetchFrom(source)).resolves.toBe(5);
  });

  it('that sends compressed bytes gets them saved as they are', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const source = await listening((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    await expect(fetchFrom(source)).resolves.toBe(bomb.length);
    await expect(readFile(target)).resolves.toEqual(bomb);
  });

  it('is told that no compression is wanted, and nothing about who asks', async () => {
    let headers: IncomingHttpHeaders = {};
    const source = await listening((request, response) => {
      headers = request.headers;
      response.end('x');
    });
    await fetchFrom(source);
    expect(headers).toEqual({
      host: source.host,
      connection: 'close',
      'accept-encoding': 'identity',
      'user-agent': 'x12',
    });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['sends its headers a byte at a time', drip(`${OK}x: ${'x'.repeat(1_000)}`)],
    ['sends its bytes one at a time', drip(`${OK}content-length: 1000\r\n\r\n${'x'.repeat(900)}`, 40)],
    ['sends early hints for ever', repeat('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')],
  ])('that %s is given up when the time is over', async (_what, speak) => {
    const source = await speaking(speak);
    const started = performance.now();
    expect(await failureOf(fetchFrom(source, { timeoutSeconds: 0.3 }))).toMatchObject({
      code: 'url_timeout',
      retryable: true,
    });
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  it('that redirects and then hangs gets no second helping of time', async () => {
    const source = await listening((request, response) => {
      if (request.url === '/') setTimeout(() => response.writeHead(302, { location: '/slow' }).end(), 250);
    });
    const started = performance.now();
    expect(await failureOf(fetchFrom(source, { timeoutSeconds: 0.4 }))).toMatchObject({ code: 'url_timeout' });
    expect(performance.now() - started).toBeLessThan(600);
  });

  it.each<[string, string | Buffer]>([
    ['closes at once', ''],
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
  ])('that %s looks like one that is not there', async (_what, answer) => {
    const source = await answering(answer);
    const closed = await answering('');
    await closed.close();
    const failure = await failureOf(fetchFrom(source));
    const failureOfClosedPort = await failureOf(fetchFrom(closed));
    expect(failure).toMatchObject({ code: 'url_unreachable', retryable: true });
    expect(failureOfClosedPort).toMatchObject({ code: failure.code, retryable: failure.retryable });
  });

  describe('that redirects', () => {
    const staircase: RequestListener = (request, response) => {
      const steps = Number(request.url!.slice(1));
      if (steps === 0) response.writeHead(200).end('arrived');
      else response.writeHead(302, { location: `${steps - 1}` }).end('on we go');
    };

    it('is followed three times and not four', async () => {
      await expect(fetchFrom(await listening(staircase), { path: '/3' })).resolves.toBe(7);
      await rm(target);
      expect(await failureOf(fetchFrom(await listening(staircase), { path: '/4' }))).toMatchObject({
        code: 'url_unreachable',
        retryable: false,
      });
    });

    it.each<[string, string[], number]>([
      ['in a circle', ['/'], 4],
      ['to nowhere', [], 1],
      ['to two places', ['/a', '/b'], 1],
    ])('%s is given up', async (_where, locations, expected) => {
      let requests = 0;
      const source = await listening((_request, response) => {
        requests++;
        if (locations.length > 0) response.setHeader('location', locations);
        response.writeHead(302).end();
      });
      expect(await failureOf(fetchFrom(source))).toMatchObject({ code: 'url_unreachable', retryable: false });
      expect(requests).toBe(expected);
    });

    it('and never stops talking is followed all the same', async () => {
      const source = await listening((request, response) => {
        if (request.url === '/there') response.end('arrived');
        else pour(response.writeHead(302, { location: '/there' }));
      });
      await expect(fetchFrom(source)).resolves.toBe(7);
    });
  });

  it('is asked by no proxy', async () => {
    const canary = await openCanary();
    const names = 'HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy NODE_USE_ENV_PROXY'.split(' ');
    const before = { ...process.env };
    for (const name of names) process.env[name] = `http://127.0.0.1:${canary.port}`;
    try {
      await expect(fetchFrom(await answering('HTTP/1.1 200 OK\r\n\r\n12345'))).resolves.toBe(5);
      expect(canary.connections).toBe(0);
    } finally {
      for (const name of names) delete process.env[name];
      Object.assign(process.env, before);
      await canary.close();
    }
  });

  it('leaves the secrets in its URL out of every error', async () => {
    const source = await answering('no HTTP');
    const silent = await speaking(() => {});
    const failures = [
      await failureOf(fetchFrom(source, { path: '/a?token=s3cret' })),
      await failureOf(fetchFrom(silent, { path: '/a?token=s3cret', timeoutSeconds: 0.1 })),
      await failureOf(fetchFrom({ ...source, url: () => 'http://127.0.0.1/a?token=s3cret' })),
      await failureOf(fetchFrom({ ...source, url: () => 'http://[bad/a?token=s3cret' })),
    ];
    for (const failure of failures) {
      expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain('s3cret');
    }
  });
});

describe('A name', () => {
  const fetchByName = (network: Network, ports: number[]): Promise<unknown> => {
    const http = new SafeHttp({ allowedHosts: [], timeoutSeconds: 0.3, ports }, network);
    const target = join(tmpdir(), 'never-written');
    return new SafeRemoteSources(http)
      .fetchToFile(`http://name.test:${ports[0]}/`, target, { maxBytes: 1_000 })
      .catch((error: unknown) => error);
  };

  it('that changes its address after the check is connected to where it was checked', async () => {
    const canary = await openCanary();
    const addresses = [['93.184.216.34'], ['127.0.0.1']];
    const dialled: unknown[] = [];
    const failure = await fetchByName(
      {
        resolve: async () => addresses.shift() ?? ['127.0.0.1'],
        dial: (options) => {
          for (const all of [true, false]) {
            options.lookup!('name.test', { all }, (_error, found) => dialled.push(found));
          }
          const socket = connect({ port: canary.port });
          socket.destroy(new Error('this test reaches no public address'));
          return socket;
        },
      },
      [canary.port],
    );
    expect(dialled).toEqual([[{ address: '93.184.216.34', family: 4 }], '93.184.216.34']);
    expect(failure).toMatchObject({ code: 'url_unreachable' });
    await canary.close();
  });

  it('that does not exist is not asked for again', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND name.test'), { code: 'ENOTFOUND' });
    };
    expect(await fetchByName({ resolve, dial: connect }, [80])).toMatchObject({
      code: 'url_unreachable',
      retryable: false,
    });
  });

  it('whose server does not answer is given up when the time is over', async () => {
    const started = performance.now();
    const resolve = () => new Promise<never>(() => {});
    expect(await fetchByName({ resolve, dial: connect }, [80])).toMatchObject({ code: 'url_timeout', retryable: true });
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

/** Writes without end; tells how much. */
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
