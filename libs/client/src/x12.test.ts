import { describe, expect, it } from '@jest/globals';
import {
  all,
  baseUrl,
  client,
  error,
  hangUp,
  json,
  responses,
  seen,
  server,
  ticketOf,
} from '../../../test/support/scripted-api.ts';
import { X12Error } from './index.ts';

const boards = json(200, { status: true, boards: [], next_cursor: null });
const busy = error(503, 'unavailable', {}, { 'Retry-After': '0' });
const listBoards = (options = {}) => all(client(options).boards.list());

describe('the client', () => {
  describe('repeats a call', () => {
    it.each([
      ['after 503', busy],
      ['after 429', error(429, 'rate_limited', {}, { 'Retry-After': '0' })],
      ['after a broken connection', hangUp],
    ])('%s', async (_, failure) => {
      responses['GET /boards'] = [failure, failure, boards];
      expect(await listBoards()).toEqual([]);
      expect(seen).toHaveLength(3);
    });

    it('when no response begins in time', async () => {
      responses['GET /boards'] = [() => {}, boards];
      expect(await listBoards({ timeout: 200 })).toEqual([]);
    });

    it('at most maxRetries times', async () => {
      responses['GET /boards'] = [busy];
      await expect(listBoards({ maxRetries: 1 })).rejects.toMatchObject({ code: 'unavailable', status: 503 });
      expect(seen).toHaveLength(2);
      await expect(listBoards({ maxRetries: 0 })).rejects.toThrow('do that');
      expect(seen).toHaveLength(3);
    });

    it('after the Retry-After', async () => {
      responses['GET /boards'] = [error(429, 'rate_limited', {}, { 'Retry-After': '1' }), boards];
      const start = performance.now();
      await listBoards();
      expect(performance.now() - start).toBeGreaterThan(990);
    });

    it('with the same Idempotency-Key, another call with another', async () => {
      responses['POST /v2/generate'] = [hangUp, busy, json(202, { status: true, generation_id: 7 })];
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
      [402, 'insufficient_credits'],
      [409, 'conflict'],
      [500, 'internal_error'],
    ])('after %d', async (status, code) => {
      responses['GET /boards'] = [error(status, code), boards];
      await expect(listBoards()).rejects.toMatchObject({ name: 'X12Error', status, code, requestId: 'r1' });
      expect(seen).toHaveLength(1);
    });

    it('when Retry-After is more than a minute', async () => {
      responses['GET /boards'] = [error(503, 'unavailable', {}, { 'Retry-After': '61' }), boards];
      await expect(listBoards()).rejects.toMatchObject({ status: 503 });
    });

    it('with the reason of an abort', async () => {
      responses['GET /v2/generations/7'] = [() => {}];
      const signal = AbortSignal.timeout(50);
      await expect(client().generations.get({ id: 7 }, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
      expect(seen.length).toBeLessThanOrEqual(1);
    });
  });

  it('retries a POST whose first attempt still runs', async () => {
    const running = error(409, 'idempotency_in_progress', {}, { 'Retry-After': '0' });
    responses['POST /v2/generate'] = [hangUp, running, json(202, { status: true, generation_id: 7 })];
    await expect(client().generate({ model: 'local-image' })).resolves.toMatchObject({ generation_id: 7 });
    responses['POST /v2/generate'] = [running];
    await expect(client().generate({ model: 'local-image' })).rejects.toMatchObject({ status: 409 });
  });

  it('reports invalid fields', async () => {
    responses['POST /v2/generate'] = [error(400, 'validation_failed', { errors: { model: ['is required'] } })];
    const failure = await client()
      .generate({ model: '' })
      .catch((reason) => reason);
    expect(failure).toBeInstanceOf(X12Error);
    expect(failure).toMatchObject({ message: 'do that', fields: { model: ['is required'] } });
  });

  it('reports a response that did not come from the service', async () => {
    responses['GET /boards'] = [(response) => response.writeHead(502).end('<h1>Bad gateway</h1>')];
    await expect(listBoards()).rejects.toMatchObject({ code: 'unexpected_response', status: 502, requestId: null });
  });

  it('reports that the service cannot be reached', async () => {
    await new Promise((resolve) => server.close(resolve));
    await expect(listBoards({ maxRetries: 0 })).rejects.toMatchObject({ code: 'network_error', status: 0 });
    server.listen(0);
  });

  it('sends the token only to the API', async () => {
    responses['POST /v2/upload'] = [json(201, ticketOf({ signed_url: `${baseUrl}/storage/a` }))];
    responses['PUT /storage/a'] = [json(200, {})];
    responses['GET /v2/finalize_upload'] = [json(200, { status: true, url: 'u', size: 3, content_type: 'image/png' })];
    await client().upload(new Blob(['abc']), { filename: 'a.png' });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', undefined, 'Bearer secret']);
  });

  it('calls each operation by its id: fields of path and body in one object', async () => {
    responses['POST /boards'] = [json(201, { status: true, board: { id: 1 } })];
    responses['POST /v2/team/send_invitation'] = [json(201, { status: true })];
    responses['PUT /boards/1/media/2/move'] = [json(200, { status: true })];
    responses['POST /v2/generate'] = [json(202, { status: true, generation_id: 7 })];
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
    responses['GET /boards'] = [json(200, { status: true, boards: [{ id: 1 }], next_cursor: 'c2' })];
    client().boards.list();
    expect(await client().boards.list({ limit: 1, cursor: 'c1' })).toMatchObject({ next_cursor: 'c2' });
    expect(seen.map(({ url }) => url)).toEqual(['/boards?limit=1&cursor=c1']);
  });

  it('reads the pages of a list as they are needed', async () => {
    responses['GET /boards'] = [
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

  it.each([
    [0, true],
    [400, false],
    [428, false],
    [429, true],
    [430, false],
    [499, false],
    [500, true],
    [503, true],
  ])('an error of status %d is transient: %s', (status, isTransient) => {
    expect(new X12Error('unexpected_response', '', { status })).toMatchObject({ isTransient });
  });
});
