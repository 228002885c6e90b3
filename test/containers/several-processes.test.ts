/** @tier deep, 20 s, about libs/adapters/queue libs/adapters/redis */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { freePort } from '#process';
import { callApi, type TestRequest } from '../support/call-api.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { engineSettings } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { Processes, untilReady } from '../support/processes.ts';
const REQUESTS_A_MINUTE = 200;

let database: TestDatabase;
let folder: string;
let processes: Processes;
/** Where each API listens. */
let urls: string[];
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'x12-processes-'));
  const ports = [await freePort(), await freePort()];
  urls = ports.map((port) => `http://127.0.0.1:${port}`);
  processes = new Processes({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '5',
    PUBLIC_URL: urls[0],
    AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY,
    ...(await engineSettings()),
    RATE_LIMIT_PER_MINUTE: String(REQUESTS_A_MINUTE),
    PLANS: '{"free":{"monthly_credits":1000,"teams":false}}',
  });
  for (const port of ports) processes.start(`api ${port}`, 'api', { PORT: String(port) });
  for (const name of ['worker 1', 'worker 2']) processes.start(name, 'worker');
  await untilReady(urls);
});
afterAll(async () => {
  await processes.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A new user; `0` and `1` are the two APIs. */
async function newClient() {
  const call = (api: 0 | 1, method: string, path: string, request?: TestRequest) =>
    callApi(new URL(path, urls[api]), method, request);
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  const { body } = await call(0, 'POST', '/v2/auth/signup', { json: account });
  const token = body.token as string;
  return {
    token,
    get: (api: 0 | 1, path: string) => call(api, 'GET', path, { token }),
    post: (api: 0 | 1, path: string, form: TestRequest['form'] = {}, headers = {}) =>
      call(api, 'POST', path, { token, form, headers }),
  };
}
type Client = Awaited<ReturnType<typeof newClient>>;

async function upload(client: Client, pid: number, color: string): Promise<string> {
  const bytes = await sharp({ create: { width: 640, height: 480, channels: 3, background: color } })
    .jpeg()
    .toBuffer();
  const { body } = await client.post(0, '/v2/upload', { filename: `${color}.jpg`, pid });
  const put = await fetch(body.signed_url, { method: 'PUT', headers: body.headers, body: new Uint8Array(bytes) });
  expect(put.status).toBe(200);
  const saved = await client.get(1, `/v2/finalize_upload?url=${encodeURIComponent(body.final_url)}`);
  expect(saved.body).toMatchObject({ status: true, url: body.final_url });
  return body.final_url as string;
}

/** The events of a generation up to the one that tells its end. */
async function eventsOf(client: Client, api: 0 | 1, id: number): Promise<string> {
  const response = await fetch(`${urls[api]}/v2/generations/${id}/events`, {
    headers: { authorization: `Bearer ${client.token}` },
  });
  return response.text();
}

describe('two APIs and two workers on PostgreSQL, Valkey and S3', () => {
  it('take a client from a persona to a picture and to a board, whichever of them responds', async () => {
    const client = await newClient();
    const pid = (await client.post(0, '/v2/personas', { name: 'Ada' })).body.persona.id as number;
    const photos = [await upload(client, pid, 'teal'), await upload(client, pid, 'coral')];
    for (const [at, slot] of [1, 7].entries()) {
      const trained = await client.post(1, `/v2/personas/${pid}/trains`, { photo: photos[at], slot });
      expect(trained.status).toBe(201);
    }
    const wish = { model: 'local-image', prompt: 'a lake', pid, style_transfer: 'persona' };
    const accepted = await client.post(0, '/v2/generate', wish);
    expect(accepted.body).toMatchObject({ status: true, state: 'queued' });
    expect(accepted.body.inputs.style_reference).toContain('teal.jpg');

    const id = accepted.body.generation_id as number;
    const events = await Promise.all([eventsOf(client, 0, id), eventsOf(client, 1, id)]);
    for (const each of events) expect(each).toContain('"state":"succeeded"');

    const { body } = await client.post(1, '/v2/results', { processing_url: `gen_${id}` });
    expect(body.output.startsWith(`${processes.env.S3_ENDPOINT}/${processes.env.S3_BUCKET}/files/`)).toBe(true);
    const picture = await fetch(body.output);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(await sharp(await picture.arrayBuffer()).metadata()).toMatchObject({ format: 'webp' });

    const board = (await client.post(1, '/boards', { name: 'Summer' })).body.board.id as number;
    await client.post(0, `/boards/${board}/media`, { url: photos[0] });
    const media = await eventually(async () => {
      const [first] = (await client.get(1, `/boards/${board}`)).body.board.media;
      return first.state !== 'created' && first;
    });
    expect(media).toMatchObject({ state: 'processed', width: 640, height: 480 });
    const thumbnail = await fetch(media.thumbnails[0].url);
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  it('do once what is sent to both at the same time with one Idempotency-Key', async () => {
    const client = await newClient();
    const pid = (await client.get(0, '/v2/personas')).body.personas[0].id as number;
    const form = { model: 'local-image', prompt: 'once', pid };
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        client.post((index % 2) as 0 | 1, '/v2/generate', form, { 'idempotency-key': 'the-same' }),
      ),
    );
    const accepted = responses.filter(({ status }) => status !== 409);
    expect(accepted.length).toBeGreaterThan(0);
    expect(new Set(accepted.map(({ body }) => body.generation_id)).size).toBe(1);
    const again = await client.post(1, '/v2/generate', form, { 'idempotency-key': 'the-same' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const id = again.body.generation_id as number;
    await eventsOf(client, 1, id);
    const { used } = (await client.get(0, '/v2/credits')).body.credits;
    expect(used).toBe(again.body.cost);
  });

  it('never allow more requests together than the limit, and waste little of it', async () => {
    const client = await newClient();
    const responses = await Promise.all(
      Array.from({ length: REQUESTS_A_MINUTE + 60 }, (_, index) => client.get((index % 2) as 0 | 1, '/v2/credits')),
    );
    const allowed = responses.filter(({ status }) => status === 200).length;
    expect(allowed).toBeLessThanOrEqual(REQUESTS_A_MINUTE);
    expect(allowed).toBeGreaterThanOrEqual(REQUESTS_A_MINUTE * 0.9);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(responses.length - allowed);
  });

  it('refuse a token at once that the other has revoked', async () => {
    const client = await newClient();
    const created = await client.post(0, '/v2/auth/tokens', { name: 'laptop' });
    const laptop = { token: created.body.token as string };
    const me = (api: 0 | 1) => callApi(new URL('/v2/auth/me', urls[api]), 'GET', laptop);
    expect([(await me(0)).status, (await me(1)).status]).toEqual([200, 200]);
    const tokens = (await client.get(0, '/v2/auth/tokens')).body.tokens as { id: number; name: string }[];
    const { id } = tokens.find(({ name }) => name === 'laptop')!;
    await callApi(new URL(`/v2/auth/tokens/${id}`, urls[0]), 'DELETE', client);
    expect([(await me(1)).status, (await me(0)).status]).toEqual([401, 401]);
  });
});
