import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { all, baseUrl, client, error, hangUp, json, responses, seen } from '../../../test/support/scripted-api.ts';
import { X12, X12AbortError, X12Error, X12TimeoutError } from './index.ts';

const accepted = json(202, { status: true, generation_id: 7 });
const canceled = json(200, { status: true });
const batch = (state: string) => json(200, { status: true, batch: { id: 3, state }, cells: [], next_cursor: null });
const reasonOf = (call: Promise<unknown>) => call.then(() => null).catch((reason: unknown) => reason);
const calls = () => seen.map(({ method, url }) => `${method} ${url.split('?')[0]}`);

describe('an abort', () => {
  it('while the response of generate is under way cancels the generation, which its key finds', async () => {
    const abort = new AbortController();
    const running = error(409, 'idempotency_in_progress', {}, { 'Retry-After': '0' });
    responses['POST /v2/generate'] = [() => abort.abort(), running, accepted];
    responses['POST /v2/generations/7/cancel'] = [canceled];
    const { signal } = abort;
    const failure = await reasonOf(client().run({ model: 'local-image', seed: 3 }, { signal }));
    expect(failure).toBeInstanceOf(X12AbortError);
    expect(failure).toMatchObject({ name: 'AbortError', code: 'aborted', isTransient: false, cause: signal.reason });
    const generate = 'POST /v2/generate';
    expect(calls()).toEqual([generate, generate, generate, 'POST /v2/generations/7/cancel']);
    expect(new Set(seen.slice(0, 3).map(({ headers, body }) => headers['idempotency-key'] + body)).size).toBe(1);
  });

  it('before generate sends nothing', async () => {
    const signal = AbortSignal.abort();
    expect(await reasonOf(client().generate({ model: 'local-image' }, { signal }))).toBeInstanceOf(X12AbortError);
    expect(seen).toEqual([]);
  });

  it('while a batch runs cancels it', async () => {
    const abort = new AbortController();
    responses['POST /v2/batches'] = [batch('running')];
    responses['GET /v2/batches/3'] = [batch('running')];
    responses['POST /v2/batches/3/cancel'] = [canceled];
    const { signal } = abort;
    const run = client().runBatch({ name: 'b', rows: [{ model: 'a' }] }, { signal, onProgress: () => abort.abort() });
    expect(await reasonOf(run)).toBeInstanceOf(X12AbortError);
    expect(calls().at(-1)).toBe('POST /v2/batches/3/cancel');
  });
});

it('a call that takes too long has an error of its own class: transient where only the attempt is over', async () => {
  responses['GET /v2/generations/7'] = [() => {}];
  const late = await reasonOf(client({ timeout: 50, maxRetries: 0 }).generations.get({ id: 7 }));
  const over = await reasonOf(client().generations.get({ id: 7 }, { signal: AbortSignal.timeout(50) }));
  for (const each of [late, over]) {
    expect(each).toBeInstanceOf(X12TimeoutError);
    expect(each).toBeInstanceOf(X12Error);
    expect(each).toMatchObject({ name: 'TimeoutError', code: 'timeout' });
  }
  expect([late, over]).toMatchObject([{ isTransient: true }, { isTransient: false }]);
});

describe('a batch', () => {
  it('is waited for through failures of the service', async () => {
    responses['GET /v2/batches/3'] = [batch('running'), error(500, 'internal_error'), batch('ended')];
    const states: string[] = [];
    const ended = await client().waitForBatch(3, { onProgress: ({ state }) => states.push(state) });
    expect([ended.state, states]).toEqual(['ended', ['running']]);
  });

  it('gives its cells page by page', async () => {
    const page = (cell: number, next: string | null) => {
      return json(200, { status: true, batch: { id: 3 }, cells: [{ cell }], next_cursor: next });
    };
    responses['GET /v2/batches/3'] = [page(1, 'c2'), page(2, null)];
    const cells = await all(client().cells(3, { state: 'failed' }));
    expect(cells.map(({ cell }) => cell)).toEqual([1, 2]);
    const query = '/v2/batches/3?state=failed&limit=100';
    expect(seen.map(({ url }) => url)).toEqual([query, `${query}&cursor=c2`]);
  });
});

describe('a download', () => {
  it('is a file once it is whole, and sends no token', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'x12-client-'));
    const path = join(folder, 'a.png');
    try {
      responses['GET /files/a.png'] = [
        hangUp,
        (response) => {
          response.writeHead(200, { 'Content-Length': '9' }).write('abc', () => response.destroy());
        },
        (response) => response.end('abcdef'),
        error(404, 'not_found'),
      ];
      const save = () => client().download(`${baseUrl}/files/a.png`, path);
      await expect(save()).rejects.toThrow();
      expect(await readdir(folder)).toEqual([]);
      await save();
      await expect(save()).rejects.toMatchObject({ code: 'not_found' });
      expect([await readdir(folder), await readFile(path, 'utf8')]).toEqual([['a.png'], 'abcdef']);
      expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill(undefined));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

it('a guest on a server keeps the cookies of the links, each below its path, until they end', async () => {
  const cookie = (text: string) => json(200, { status: true }, { 'Set-Cookie': text });
  responses['POST /v2/shared/one/enter'] = [
    cookie('x12_guest_1=a=b; Path=/v2/shared/one; HttpOnly; SameSite=Lax; Max-Age=60'),
    cookie('x12_guest_1=; Path=/v2/shared/one; Expires=Thu, 01 Jan 1970 00:00:00 GMT'),
  ];
  for (const path of ['one', 'onetwo']) responses[`GET /v2/shared/${path}`] = [json(200, { status: true })];
  const [guest, other] = [{ cookies: true }, {}].map((options) => new X12({ baseUrl, ...options }));
  await guest!.shared.enter({ token: 'one', name: 'Grace' });
  await guest!.shared.get({ token: 'one' });
  await guest!.shared.get({ token: 'onetwo' });
  await other!.shared.get({ token: 'one' });
  await guest!.shared.enter({ token: 'one' });
  await guest!.shared.get({ token: 'one' });
  const sent = 'x12_guest_1=a=b';
  expect(seen.map(({ headers }) => headers.cookie)).toEqual([undefined, sent, undefined, undefined, sent, undefined]);
  expect(seen[4]!.headers.origin).toBe(baseUrl);
});

it('a client without an address says that baseUrl is missing', () => {
  expect(() => new X12({ token: 'secret' })).toThrow('baseUrl is missing');
});

it('gives the response beside its data', async () => {
  responses['GET /boards'] = [json(200, { status: true, boards: [], next_cursor: null }, { 'X-Request-Id': 'r7' })];
  const { data, response } = await client().asResponse((x12) => x12.boards.list());
  expect([data.boards, response.status, response.headers.get('x-request-id')]).toEqual([[], 200, 'r7']);
  expect(await response.json()).toMatchObject({ boards: [] });
});
