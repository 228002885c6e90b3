import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { createFalClient } from '@fal-ai/client';
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import Replicate from 'replicate';
import { temporaryFolder } from '../../../sources/src/testing/temporary-folder.ts';
import { connectionsToProxy } from './testing/canary.ts';
import { openHttpSource, openRawSource, type HttpSource } from './testing/http-source.ts';
import { closing, fetchFor } from './testing/vendor-fetch.ts';
import { VendorCallFailed, type VendorFetch } from './vendor-fetch.ts';

type Fetch = typeof globalThis.fetch;

const KEY = 'key-s3cret';
/** A vendor that does the same with every request, and the requests that it got. */
async function vendor(listener: RequestListener): Promise<HttpSource & { requests: string[] }> {
  const requests: string[] = [];
  const source = await openHttpSource((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  return { ...closing(source), requests };
}

const unaborted = () => ({ signal: new AbortController().signal });
const POST = { method: 'POST', body: '{"a":1}', headers: { authorization: KEY } };

async function failureOf(calling: Promise<unknown>): Promise<VendorCallFailed> {
  const failure = await calling.then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(VendorCallFailed);
  return failure as VendorCallFailed;
}

const respond = (status: number, headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) => response.writeHead(status, headers).end('{"detail":"no"}');
};
const drop: RequestListener = ({ socket }) => socket.destroy();
const breakOff: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"id"', () => response.destroy());
};

describe('a submission by an SDK', () => {
  const SUBMIT: Record<string, (url: string, fetch: Fetch) => Promise<unknown>> = {
    replicate: (url, fetch) =>
      new Replicate({ auth: KEY, baseUrl: url, fetch: fetch as never }).predictions.create({
        model: 'owner/name',
        input: { prompt: 'a house' },
      }),
    fal: (url, fetch) =>
      createFalClient({
        credentials: KEY,
        fetch: (input, init) => fetch(String(input).replace('https://queue.fal.run', url), init),
      }).queue.submit('fal-ai/flux', { input: { prompt: 'a house' } }),
    openai: (url, fetch) =>
      // Its own retries are left on: they must not matter.
      new OpenAI({ apiKey: KEY, baseURL: url, fetch }).images.generate({ prompt: 'a house' }),
  };
  const OUTCOMES: [string, RequestListener, object][] = [
    ['drops the connection', drop, { outcome: 'no_response' }],
    ['breaks off its response', breakOff, { outcome: 'no_response' }],
    ['responds 503', respond(503), { outcome: 'refused', response: expect.objectContaining({ status: 503 }) }],
    [
      'responds 429 and asks for a retry',
      respond(429, { 'retry-after': '7', 'x-should-retry': 'true' }),
      { outcome: 'refused', response: expect.objectContaining({ status: 429, retryAfterSeconds: 7 }) },
    ],
    [
      'responds 400 and asks for a retry',
      respond(400, { 'x-should-retry': 'true' }),
      { outcome: 'refused', response: expect.objectContaining({ status: 400, body: '{"detail":"no"}' }) },
    ],
  ];
  const CASES = Object.keys(SUBMIT).flatMap((sdk) => OUTCOMES.map((outcome) => [sdk, ...outcome] as const));

  it.each(CASES)('%s sends one POST to a vendor that %s', async (sdk, _what, listener, expected) => {
    const fake = await vendor(listener);
    const calling = fetchFor(fake).call((fetch) => SUBMIT[sdk]!(`http://${fake.host}`, fetch), unaborted());
    const failure = await failureOf(calling);
    expect(failure).toMatchObject(expected);
    expect(fake.requests).toHaveLength(1);
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain(KEY);
  });
});

describe('a call to a vendor', () => {
  it('sends method, headers and body, and returns the response', async () => {
    let received = '';
    const fake = await vendor((request, response) => {
      void text(request).then((body) => {
        received = `${request.headers['content-type']?.split(';')[0]} ${request.headers['x-a']} ${body}`;
        response.writeHead(201, { 'content-type': 'application/json', 'x-b': '2' }).end('{"id":"1"}');
      });
    });
    const form = new FormData();
    form.append('content', new Blob(['bytes']), 'picture.png');
    const init = { method: 'POST', body: form, headers: { 'x-a': '1' } };
    const response = await fetchFor(fake).request(fake.url('/files'), init, unaborted());
    expect([response.status, response.headers.get('x-b'), await response.json()]).toEqual([201, '2', { id: '1' }]);
    expect(received).toMatch(/^multipart\/form-data 1 [^]*filename="picture.png"[^]*bytes/);
  });

  it('reuses its connection for GETs, and opens one for each POST', async () => {
    const sockets: Socket[] = [];
    const fake = await vendor(({ socket }, response) => {
      sockets.push(socket);
      response.end('{}');
    });
    const http = fetchFor(fake);
    for (const method of ['GET', 'GET', 'POST', 'POST', 'GET']) {
      await http.request(fake.url(), { method }, unaborted());
      // The connection is free again after the response.
      await setImmediate();
    }
    const [first, second, third, fourth, fifth] = sockets;
    expect(new Set([first, second, fifth]).size).toBe(1);
    expect(new Set([first, third, fourth]).size).toBe(3);
  });

  it.each<[string, RequestListener, number]>([
    ['never responds', () => {}, 0.2],
    ['never ends its response', (_request, response) => void response.writeHead(200).write('{'), 0.2],
    ['sends noise', ({ socket }) => void socket.end('noise\r\n\r\n'), 5],
  ])('may have arrived at a vendor that %s', async (_what, listener, timeoutSeconds) => {
    const fake = await vendor(listener);
    const failure = await failureOf(fetchFor(fake, { timeoutSeconds }).request(fake.url(), POST, unaborted()));
    expect(failure).toMatchObject({ outcome: 'no_response', response: null });
    expect(fake.requests).toHaveLength(1);
  });

  it('reads a response up to the limit, and fails for a larger one', async () => {
    const fake = await vendor((_request, response) => response.end(Buffer.alloc(10_000)));
    const response = await fetchFor(fake).request(fake.url(), POST, unaborted());
    expect((await response.arrayBuffer()).byteLength).toBe(10_000);
    const large = await vendor((_request, response) => response.end(Buffer.alloc(10_001)));
    const failure = await failureOf(fetchFor(large).request(large.url(), POST, unaborted()));
    expect(failure).toMatchObject({ outcome: 'too_large', response: null });
    expect(large.requests).toHaveLength(1);
  });

  it('reads long strings of a response as empty if requested', async () => {
    const picture = 'A'.repeat(1_000_000);
    const fake = await vendor((_request, response) => response.end(JSON.stringify({ pictures: [picture, 'x'] })));
    const response = await fetchFor(fake).request(fake.url(), {}, { ...unaborted(), maxTextBytes: 100 });
    expect(await response.json()).toEqual({ pictures: ['', 'x'] });
  });

  it('does not follow a redirect', async () => {
    const fake = await vendor(respond(307, { location: '/elsewhere' }));
    const failure = await failureOf(fetchFor(fake).request(fake.url(), POST, unaborted()));
    expect(failure).toMatchObject({ outcome: 'refused', response: { status: 307 } });
    expect(fake.requests).toEqual(['POST /']);
  });

  it('has its own time limit if one is given', async () => {
    const fake = await vendor(() => {});
    const calling = fetchFor(fake).request(fake.url(), POST, { ...unaborted(), timeoutSeconds: 0.1 });
    expect(await failureOf(calling)).toMatchObject({ outcome: 'no_response' });
  });

  it('throws the reason of an abort at once', async () => {
    const abort = new AbortController();
    const fake = await vendor(() => abort.abort(new Error('the worker stops')));
    const replicate = (fetch: Fetch) =>
      new Replicate({ auth: KEY, baseUrl: fake.url(), fetch: fetch as never }).predictions.get('p1');
    await expect(fetchFor(fake).call(replicate, abort)).rejects.toThrow('the worker stops');
    await expect(fetchFor(fake).call(replicate, abort)).rejects.toThrow('the worker stops');
    expect(fake.requests).toHaveLength(1);
  });

  it('throws the error of its work after a successful response', async () => {
    const fake = await vendor(respond(200));
    const unreadable = fetchFor(fake).call(async (fetch) => {
      await fetch(fake.url(), POST);
      throw new SyntaxError('no JSON');
    }, unaborted());
    await expect(unreadable).rejects.toThrow(SyntaxError);
  });

  it('reads the Retry-After of a busy vendor', async () => {
    const start = Date.now();
    const date = new Date(start + 60_000).toUTCString();
    const seconds = async (header: string) => {
      const fake = await vendor(respond(429, { 'retry-after': header }));
      const failure = await failureOf(fetchFor(fake).request(fake.url(), POST, unaborted()));
      return failure.response!.retryAfterSeconds;
    };
    expect(await seconds('7')).toBe(7);
    const passed = 60 - (await seconds(date))!;
    expect([passed >= 0, passed <= (Date.now() - start) / 1_000 + 1]).toEqual([true, true]);
    expect(await seconds('Sat, 01 Jan 2000 00:00:00 GMT')).toBe(0);
    expect(await seconds('soon')).toBeNull();
  });
});

describe('nothing is sent', () => {
  const notSent = async (http: VendorFetch, url: string) => {
    const failure = await failureOf(http.request(url, POST, unaborted()));
    expect(failure).toMatchObject({ outcome: 'not_sent', response: null });
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toMatch(/127\.0\.0\.1|key-s3cret/);
    return failure.message;
  };

  it('to a closed port', async () => {
    const closed = await vendor(drop);
    await closed.close();
    expect(await notSent(fetchFor(closed), closed.url())).toContain('ECONNREFUSED');
  });

  it('to a private address that is neither the base nor allowed', async () => {
    const [base, other] = [await vendor(respond(200)), await vendor(respond(200))];
    expect(await notSent(fetchFor(base), other.url())).toContain('url_blocked');
    expect(other.requests).toEqual([]);
    await fetchFor(base, { allowedHosts: [other.host] }).request(other.url(), POST, unaborted());
    expect(other.requests).toEqual(['POST /']);
  });

  it('to a name without an address', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('queryA name.test'), { code: 'ENOTFOUND' }));
    const http = fetchFor(await vendor(drop), {}, { resolve, dial: connect });
    expect(await notSent(http, 'http://name.test/')).toContain('ENOTFOUND');
  });

  it('to a name whose server does not respond in time', async () => {
    const resolve = () => new Promise<never>(() => {});
    const http = fetchFor(await vendor(drop), { timeoutSeconds: 0.2 }, { resolve, dial: connect });
    expect(await notSent(http, 'http://name.test/')).toContain('no connection in time');
  });

  it('to a server without a trusted TLS certificate', async () => {
    const silent = closing(await openRawSource(() => {}));
    const plain = closing(await openRawSource((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')));
    for (const { host } of [silent, plain]) {
      const http = fetchFor(silent, { baseUrl: `https://${host}`, timeoutSeconds: 0.4 });
      await notSent(http, `https://${host}/`);
    }
  });

  it('through a proxy', async () => {
    const fake = await vendor(respond(200));
    const connections = await connectionsToProxy(async () => {
      await fetchFor(fake).request(fake.url(), POST, unaborted());
    });
    expect(connections).toBe(0);
  });
});

describe('a download', () => {
  const { fileAt } = temporaryFolder();
  const authorization = (request: IncomingMessage, response: ServerResponse) =>
    response.end(`bytes for ${request.headers.authorization ?? 'everyone'}`);

  it('writes a file, and sends the key only to the vendor', async () => {
    const [base, other] = [await vendor(authorization), await vendor(authorization)];
    const moved = await vendor(respond(302, { location: other.url() }));
    const http = fetchFor(base, { allowedHosts: [other.host, moved.host] });
    const options = { ...unaborted(), maxBytes: 1_000, headers: { authorization: KEY } };
    const saved = async (url: string) => {
      await http.download(url, fileAt('output'), options);
      return readFile(fileAt('output'), 'utf8');
    };
    expect(await saved(base.url())).toBe(`bytes for ${KEY}`);
    expect(await saved(other.url())).toBe('bytes for everyone');
    expect(await saved(moved.url())).toBe('bytes for everyone');
  });

  it('may succeed later when the vendor refuses the key, and not when the output is gone', async () => {
    const base = await vendor(({ url }, response) => response.writeHead(Number(url!.slice(1))).end());
    const http = fetchFor(base);
    const retryable = async (status: number, headers?: Record<string, string>) => {
      const options = { ...unaborted(), maxBytes: 1_000, headers };
      const failing = http.download(base.url(`/${status}`), fileAt('output'), options);
      return failing.catch((error: unknown) => (error as { retryable: boolean }).retryable);
    };
    const statuses = [401, 403, 404, 410, 503];
    const sent = await Promise.all(statuses.map((status) => retryable(status, { authorization: KEY })));
    expect(sent).toEqual([true, true, false, false, true]);
    const public_ = await Promise.all(statuses.map((status) => retryable(status)));
    expect(public_).toEqual([false, false, false, false, true]);
  });

  it('does not send the key after a redirect to another origin', async () => {
    const other = await vendor(authorization);
    const base = await vendor(respond(302, { location: other.url() }));
    const http = fetchFor(base, { allowedHosts: [other.host] });
    await http.download(base.url(), fileAt('output'), {
      ...unaborted(),
      maxBytes: 1_000,
      headers: { authorization: KEY },
    });
    expect(await readFile(fileAt('output'), 'utf8')).toBe('bytes for everyone');
  });

  it('reuses the connection of the last download unless its body was not read', async () => {
    const sockets = new Set<Socket>();
    const fake = await vendor(({ socket, url }, response) => {
      sockets.add(socket);
      if (url === '/gone') response.writeHead(404);
      response.end(Buffer.alloc(url === '/gone' ? 1_000_000 : 500));
    });
    const http = fetchFor(fake);
    const download = (path: string) =>
      http.download(fake.url(path), fileAt('output'), { ...unaborted(), maxBytes: 1_000 });
    await download('/a');
    await download('/b');
    expect(sockets.size).toBe(1);
    await expect(download('/gone')).rejects.toMatchObject({ code: 'url_unreachable' });
    await download('/c');
    expect(sockets.size).toBe(2);
  });

  const trickle: RequestListener = (_request, response) => {
    let left = 12;
    const sending = setInterval(() => (left-- > 0 ? response.write('byte') : response.end('end')), 300);
    response.on('close', () => clearInterval(sending));
  };

  const SILENCES: Readonly<Record<string, RequestListener>> = {
    'no byte comes': () => undefined,
    'no further byte comes': (_request, response) => void response.writeHead(200).write('a part'),
    'no byte comes after a redirect': (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/moved' }).end();
    },
  };

  it('fails soon without bytes: from the start, in the middle, or after a redirect', async () => {
    const ended = Object.entries(SILENCES).map(async ([what, listener]) => {
      const fake = await vendor(listener);
      const file = fileAt(what);
      const options = { ...unaborted(), maxBytes: 1_000 };
      const http = fetchFor(fake, { stallSeconds: 1, timeoutSeconds: 3_600 });
      const failure = await http.download(fake.url(), file, options).catch((error: unknown) => error);
      expect([what, failure]).toEqual([what, expect.objectContaining({ code: 'url_timeout', retryable: true })]);
      await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
    });
    await Promise.all(ended);
  });

  it('continues while bytes come, until its signal ends it', async () => {
    const fake = await vendor(trickle);
    const http = fetchFor(fake, { stallSeconds: 1 });
    await http.download(fake.url(), fileAt('output'), { ...unaborted(), maxBytes: 1_000 });
    expect(await readFile(fileAt('output'), 'utf8')).toBe(`${'byte'.repeat(12)}end`);
    const signal = AbortSignal.timeout(500);
    const downloading = http.download(fake.url(), fileAt('output'), { signal, maxBytes: 1_000 });
    await expect(downloading).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
