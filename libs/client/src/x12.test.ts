import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type UploadState, X12, X12Error } from './index.ts';

type Respond = (response: ServerResponse, request: Seen) => void;

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const json = (status: number, body: object, headers: Record<string, string> = {}): Respond => {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
};
const error = (status: number, code: string, more: object = {}, headers = {}) =>
  json(status, { status: false, code, message: 'do that', request_id: 'r1', ...more }, headers);
const hangUp: Respond = (response) => response.destroy();
const boards = json(200, { status: true, boards: [], next_cursor: null });
const busy = error(503, 'unavailable', {}, { 'Retry-After': '0' });

async function all<Entry>(list: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of list) found.push(entry);
  return found;
}

describe('the client', () => {
  let server: Server;
  let baseUrl: string;
  let seen: Seen[];
  /** Answers by method and path, one for each request; the last one stays. */
  let answers: Record<string, Respond[]>;

  beforeEach(async () => {
    seen = [];
    answers = {};
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const left = answers[`${method} ${url.split('?')[0]}`] ?? [error(404, 'not_found')];
        const one: Seen = { method, url, headers, body: Buffer.concat(chunks).toString('latin1') };
        seen.push(one);
        (left.length > 1 ? left.shift()! : left[0]!)(response, one);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const client = (options = {}) => new X12({ baseUrl, token: 'secret', ...options });
  const listBoards = (options = {}) => all(client(options).boards.list());

  describe('repeats a call', () => {
    it.each([
      ['after 503', busy],
      ['after 429', error(429, 'rate_limited', {}, { 'Retry-After': '0' })],
      ['after a broken connection', hangUp],
    ])('%s', async (_, failure) => {
      answers['GET /boards'] = [failure, failure, boards];
      expect(await listBoards()).toEqual([]);
      expect(seen).toHaveLength(3);
    });

    it('when no response begins in time', async () => {
      answers['GET /boards'] = [() => {}, boards];
      expect(await listBoards({ timeout: 200 })).toEqual([]);
    });

    it('at most maxRetries times', async () => {
      answers['GET /boards'] = [busy];
      await expect(listBoards({ maxRetries: 1 })).rejects.toMatchObject({ code: 'unavailable', status: 503 });
      expect(seen).toHaveLength(2);
      await expect(listBoards({ maxRetries: 0 })).rejects.toThrow('do that');
      expect(seen).toHaveLength(3);
    });

    it('after the Retry-After', async () => {
      answers['GET /boards'] = [error(429, 'rate_limited', {}, { 'Retry-After': '1' }), boards];
      const start = performance.now();
      await listBoards();
      expect(performance.now() - start).toBeGreaterThan(990);
    });

    it('with the same Idempotency-Key, another call with another', async () => {
      answers['POST /v2/generate'] = [hangUp, busy, json(202, { status: true, generation_id: 7 })];
      const x12 = client();
      await x12.generate({ model: 'local-image', prompt: 'a hat', seed: 3 });
      await x12.generate({ model: 'local-image' });
      const keys = seen.map(({ headers }) => headers['idempotency-key']);
      expect(keys).toEqual([keys[0], keys[0], keys[0], expect.stringMatching(/^[0-9a-f]{32}$/)]);
      expect(keys[3]).not.toBe(keys[0]);
      expect(new Set(seen.slice(0, 3).map(({ body }) => body))).toEqual(
        new Set(['{"model":"local-image","prompt":"a hat","seed":3}']),
      );
    });
  });

  describe('fails at once', () => {
    it.each([
      [400, 'validation_failed'],
      [401, 'unauthenticated'],
      [402, 'insufficient_credits'],
      [404, 'not_found'],
      [409, 'conflict'],
      [500, 'internal_error'],
    ])('after %d', async (status, code) => {
      answers['GET /boards'] = [error(status, code), boards];
      await expect(listBoards()).rejects.toMatchObject({ name: 'X12Error', status, code, requestId: 'r1' });
      expect(seen).toHaveLength(1);
    });

    it('when Retry-After is more than a minute', async () => {
      answers['GET /boards'] = [error(503, 'unavailable', {}, { 'Retry-After': '61' }), boards];
      await expect(listBoards()).rejects.toMatchObject({ status: 503 });
    });

    it('with the reason of an abort', async () => {
      answers['GET /v2/generations/7'] = [() => {}];
      const signal = AbortSignal.timeout(50);
      await expect(client().generations.get({ id: 7 }, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
      expect(seen.length).toBe(1);
    });
  });

  it('retries a POST whose first attempt still runs', async () => {
    const running = error(409, 'idempotency_in_progress', {}, { 'Retry-After': '0' });
    answers['POST /v2/generate'] = [hangUp, running, json(202, { status: true, generation_id: 7 })];
    await expect(client().generate({ model: 'local-image' })).resolves.toMatchObject({ generation_id: 7 });
    answers['POST /v2/generate'] = [running];
    await expect(client().generate({ model: 'local-image' })).rejects.toMatchObject({ status: 409 });
  });

  it('reports invalid fields', async () => {
    answers['POST /v2/generate'] = [error(400, 'validation_failed', { errors: { model: ['is required'] } })];
    const failure = await client()
      .generate({ model: '' })
      .catch((reason) => reason);
    expect(failure).toBeInstanceOf(X12Error);
    expect(failure).toMatchObject({ message: 'do that', fields: { model: ['is required'] } });
  });

  it('reports a response that did not come from the service', async () => {
    answers['GET /boards'] = [(response) => response.writeHead(502).end('<h1>Bad gateway</h1>')];
    await expect(listBoards()).rejects.toMatchObject({ code: 'unexpected_response', status: 502, requestId: null });
  });

  it('reports that the service can not be reached', async () => {
    await new Promise((resolve) => server.close(resolve));
    await expect(listBoards({ maxRetries: 0 })).rejects.toMatchObject({ code: 'network_error', status: 0 });
    server.listen(0);
  });

  it('sends the token only to the API', async () => {
    answers['POST /v2/upload'] = [json(201, ticketOf({ signed_url: `${baseUrl}/storage/a` }))];
    answers['PUT /storage/a'] = [json(200, {})];
    answers['GET /v2/finalize_upload'] = [json(200, { status: true, url: 'u', size: 3, content_type: 'image/png' })];
    await client().upload(new Blob(['abc']), { filename: 'a.png' });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', undefined, 'Bearer secret']);
  });

  it('calls each operation by its id: fields of path and body in one object', async () => {
    answers['POST /boards'] = [json(201, { status: true, board: { id: 1 } })];
    answers['POST /v2/team/send_invitation'] = [json(201, { status: true })];
    answers['PUT /boards/1/media/2/move'] = [json(200, { status: true })];
    answers['POST /v2/generate'] = [json(202, { status: true, generation_id: 7 })];
    const x12 = client();
    expect(await x12.boards.create({ name: 'Portraits' })).toMatchObject({ board: { id: 1 } });
    await x12.team.invitations.send({ email: 'grace@example.com' }, { headers: { 'Idempotency-Key': 'k1' } });
    await x12.boards.media.move({ board_id: 1, id: 2, folder_id: 3 });
    await x12.generations.create({ model: 'local-image', strength: 0.5 });
    expect(seen.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
      ['POST', '/boards', { name: 'Portraits' }],
      ['POST', '/v2/team/send_invitation', { email: 'grace@example.com' }],
      ['PUT', '/boards/1/media/2/move', { folder_id: 3 }],
      ['POST', '/v2/generate', { model: 'local-image', strength: 0.5 }],
    ]);
    expect(seen[1]!.headers['idempotency-key']).toBe('k1');
  });

  it('reads one page of an awaited list, and nothing before', async () => {
    answers['GET /boards'] = [json(200, { status: true, boards: [{ id: 1 }], next_cursor: 'c2' })];
    client().boards.list();
    expect(await client().boards.list({ limit: 1, cursor: 'c1' })).toMatchObject({ next_cursor: 'c2' });
    expect(seen.map(({ url }) => url)).toEqual(['/boards?limit=1&cursor=c1']);
  });

  it('reads the pages of a list as they are needed', async () => {
    answers['GET /boards'] = [
      json(200, { status: true, boards: [{ id: 1 }, { id: 2 }], next_cursor: 'c2' }),
      json(200, { status: true, boards: [{ id: 3 }], next_cursor: null }),
    ];
    const ids: number[] = [];
    for await (const { id } of client().boards.list({ limit: 2 })) {
      ids.push(id);
      expect(seen).toHaveLength(id === 3 ? 2 : 1);
    }
    expect(ids).toEqual([1, 2, 3]);
    expect(seen.map(({ url }) => url)).toEqual(['/boards?limit=2', '/boards?limit=2&cursor=c2']);
  });

  describe('uploads', () => {
    const MIB = 2 ** 20;
    const big = new Blob(['a'.repeat(8 * MIB), 'b'.repeat(8 * MIB), 'c'.repeat(MIB)]);
    const stored = { url: 'u', size: 3, content_type: 'image/png' };
    const parts = () => [1, 2, 3].map((part) => ({ part_number: part, signed_url: `${baseUrl}/storage/${part}` }));

    beforeEach(() => {
      answers['POST /v2/upload'] = [json(201, ticketOf({ parts: parts() }))];
      answers['GET /v2/finalize_upload'] = [json(200, { status: true, ...stored })];
      for (const part of [1, 2, 3]) answers[`PUT /storage/${part}`] = [json(200, {})];
    });

    it('many files that are allocated in one call', async () => {
      const tickets = ['a', 'b'].map((key) => ticketOf({ signed_url: `${baseUrl}/storage/${key}` }));
      answers['POST /v2/uploads'] = [json(201, { status: true, uploads: tickets })];
      answers['PUT /storage/a'] = [json(200, {})];
      answers['PUT /storage/b'] = [json(200, {})];
      const files = ['a.png', 'b.png'].map((name) => ({ source: new File([name], name), state: {}, personaId: 4 }));
      await client().allocateUploads(files);
      for (const { source, state } of files) await client().upload(source, { state });
      expect(JSON.parse(seen[0]!.body)).toEqual({
        files: [
          { filename: 'a.png', pid: 4 },
          { filename: 'b.png', pid: 4 },
        ],
      });
      expect(seen.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
        'POST /v2/uploads',
        'PUT /storage/a',
        'GET /v2/finalize_upload',
        'PUT /storage/b',
        'GET /v2/finalize_upload',
      ]);
    });

    it('a large file in parts, and a failed part alone again', async () => {
      answers['PUT /storage/2'] = [json(500, {}), hangUp, json(200, {})];
      const sent: number[] = [];
      const file = await client().upload(big, {
        filename: 'a.mp4',
        onProgress: (progress) => sent.push(progress.sent),
      });
      expect(file).toEqual(stored);
      const puts = seen
        .filter(({ method }) => method === 'PUT')
        .map(({ url, body }) => url.slice(-1) + body[0] + body.length / MIB);
      expect(puts.sort()).toEqual(['1a8', '2b8', '2b8', '2b8', '3c1']);
      expect(JSON.parse(seen[0]!.body)).toEqual({ filename: 'a.mp4', parts: 3 });
      expect([sent[0], sent.at(-1)]).toEqual([0, big.size]);
    }, 20_000);

    it('only what is missing when it is continued', async () => {
      const state: UploadState = {};
      const options = { filename: 'a.mp4', state };
      const hangUpLast = (response: ServerResponse): void => {
        if (state.sent!.length === 2) response.destroy();
        else setTimeout(hangUpLast, 10, response);
      };
      answers['PUT /storage/3'] = [hangUpLast, json(200, {})];
      await expect(client({ maxRetries: 0 }).upload(big, options)).rejects.toMatchObject({ code: 'network_error' });
      const before = seen.length;
      await client().upload(big, options);
      expect(seen.slice(before).map(({ url }) => url.split('?')[0])).toEqual(['/storage/3', '/v2/finalize_upload']);
    });

    it('to a new place after the storage refused the bytes', async () => {
      const state: UploadState = {};
      answers['PUT /storage/1'] = [json(403, {})];
      await expect(client().upload(big, { filename: 'a.mp4', state })).rejects.toMatchObject({ status: 403 });
      expect(state.ticket).toBeUndefined();
    });

    it('nothing more after an abort', async () => {
      const stop = new AbortController();
      answers['PUT /storage/1'] = [() => stop.abort(new Error('enough'))];
      await expect(client().upload(big, { filename: 'a.mp4', signal: stop.signal })).rejects.toThrow('enough');
      expect(seen.filter(({ url }) => url.startsWith('/v2/finalize_upload'))).toEqual([]);
    });

    it('a path, a stream and bytes, temporary ones by their name', async () => {
      answers['POST /v2/upload'] = [json(201, ticketOf({ signed_url: `${baseUrl}/storage/1` }))];
      const folder = await mkdtemp(join(tmpdir(), 'x12-client-'));
      await writeFile(join(folder, 'photo.jpg'), 'abc');
      await client().upload(join(folder, 'photo.jpg'), { temporary: true, personaId: 4 });
      await client().upload(new Blob(['abc']).stream(), { filename: 'b.png' });
      await client().upload(new TextEncoder().encode('abc'), { filename: 'c.png' });
      await rm(folder, { recursive: true });
      expect(seen.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual(['abc', 'abc', 'abc']);
      const allocated = seen.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
      expect(allocated).toEqual([
        { filename: 'x12tmp-photo.jpg', pid: 4 },
        { filename: 'b.png' },
        { filename: 'c.png' },
      ]);
      await expect(client().upload(new Blob(['abc']))).rejects.toThrow('give a filename');
    });
  });

  describe('follows a generation', () => {
    const EVENTS = 'GET /v2/generations/7/events';
    const running = { status: true, id: 7, state: 'running', progress: 0.5, finished_at: null };
    const succeeded = { ...running, state: 'succeeded', progress: 1, finished_at: 'now', error: null };
    const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const stream =
      (...chunks: string[]): Respond =>
      (response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        for (const chunk of chunks) response.write(chunk);
      };
    const state = event('state', { state: 'running', progress: 0 });
    const done = event('done', succeeded);

    it('through broken streams, comments and split events', async () => {
      answers[EVENTS] = [
        (response, request) => {
          stream(state, ': \n\n', done.slice(0, 20))(response, request);
          setTimeout(() => response.destroy(), 20);
        },
        (response, request) => {
          stream(done.slice(0, 30))(response, request);
          setTimeout(() => response.end(done.slice(30)), 20);
        },
      ];
      const events = await all(client().events(7));
      expect(events).toEqual([
        { type: 'state', state: 'running', progress: 0 },
        { type: 'done', generation: succeeded },
      ]);
    });

    it('no further than the token reaches', async () => {
      answers[EVENTS] = [
        (response, request) => {
          stream(state)(response, request);
          response.end();
        },
        error(401, 'unauthenticated'),
      ];
      await expect(all(client().events(7))).rejects.toMatchObject({ code: 'unauthenticated' });
    });

    it('to its end as soon as an event says so', async () => {
      answers[EVENTS] = [
        (response, request) => {
          stream(state)(response, request);
          setTimeout(() => {
            answers['GET /v2/generations/7'] = [json(200, succeeded)];
            response.end(done);
          }, 100);
        },
      ];
      answers['GET /v2/generations/7'] = [json(200, running)];
      const start = performance.now();
      await expect(client().waitFor(7)).resolves.toEqual(succeeded);
      expect(performance.now() - start).toBeLessThan(900);
    });

    it('to its end without any event', async () => {
      answers['GET /v2/generations/7'] = [json(200, running), json(200, succeeded)];
      answers[EVENTS] = [error(400, 'validation_failed')];
      const progress: number[] = [];
      const ended = await client().waitFor(7, { onProgress: (now) => progress.push(now.progress) });
      expect([ended.state, progress]).toEqual(['succeeded', [0.5]]);
    });

    it.each([
      ['a broken connection', hangUp],
      ['502 of a proxy', (response: ServerResponse) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
    ])('to its end through %s', async (_, failure) => {
      answers['GET /v2/generations/7'] = [failure, json(200, succeeded)];
      answers[EVENTS] = [error(400, 'validation_failed')];
      await expect(client({ maxRetries: 0 }).waitFor(7)).resolves.toEqual(succeeded);
    });

    it.each([
      [0, true],
      [400, false],
      [401, false],
      [403, false],
      [404, false],
      [429, true],
      [500, true],
      [503, true],
    ])('after status %d: %s', (status, isTransient) => {
      expect(new X12Error('unexpected_response', '', { status })).toMatchObject({ isTransient });
    });

    it('no further than it may be read', async () => {
      answers['GET /v2/generations/7'] = [error(404, 'not_found'), json(200, succeeded)];
      await expect(client().waitFor(7)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('until it is aborted while the service is away', async () => {
      answers['GET /v2/generations/7'] = [hangUp];
      const waiting = client({ maxRetries: 0 }).waitFor(7, { signal: AbortSignal.timeout(200) });
      await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    });

    it('and says why one failed', async () => {
      const failure = { code: 'content_rejected', message: 'choose another prompt' };
      answers['POST /v2/generate'] = [json(202, { status: true, generation_id: 7 })];
      answers['GET /v2/generations/7'] = [json(200, { ...succeeded, state: 'failed', error: failure })];
      answers[EVENTS] = [stream(state)];
      await expect(client().run({ model: 'm' })).rejects.toMatchObject({ name: 'GenerationError', ...failure });
    });

    it('and cancels it when it is aborted', async () => {
      answers['POST /v2/generate'] = [json(202, { status: true, generation_id: 7 })];
      answers['GET /v2/generations/7'] = [json(200, running)];
      answers['POST /v2/generations/7/cancel'] = [json(200, succeeded)];
      answers[EVENTS] = [stream(state)];
      const run = client().run({ model: 'm' }, { signal: AbortSignal.timeout(200) });
      await expect(run).rejects.toMatchObject({ name: 'TimeoutError' });
      expect(seen.at(-1)!.url).toBe('/v2/generations/7/cancel');
    });
  });

  function ticketOf(where: object) {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    return {
      status: true,
      upload_id: 1,
      signed_url: null,
      final_url: `${baseUrl}/files/a`,
      headers: {},
      expires_at,
      ...where,
    };
  }
});
