/** @tier deep, 80 s, about libs/adapters/storage */
import { randomBytes } from 'node:crypto';
import { readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { callApi, type TestResponse } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { aftermath } from './rig/aftermath.ts';
import { Stage } from './rig/stage.ts';
let stage: Stage;
let token: string;
beforeAll(async () => {
  stage = await Stage.open({ ownDisk: true });
  token = await stage.token();
  await call('POST', '/v2/personas', { name: 'First' });
}, 180_000);
afterAll(() => stage.close());

const call = (method: string, path: string, form?: Record<string, string>): Promise<TestResponse> =>
  callApi(new URL(path, stage.baseUrl), method, { token, form });

async function put(url: string, bytes: Buffer): Promise<TestResponse> {
  const response = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** A picture of at least so many bytes. */
const picture = (bytes: number): Buffer => Buffer.concat([PIXEL, randomBytes(bytes)]);

/** The responses up to the first refusal, which is included. */
async function upload(bytes: Buffer): Promise<{ readonly url: string; readonly responses: readonly TestResponse[] }> {
  const allocated = await call('POST', '/v2/upload', { filename: 'a.png' });
  if (allocated.status !== 201) return { url: '', responses: [allocated] };
  const sent = await put(allocated.body.signed_url, bytes);
  if (sent.status !== 200) return { url: '', responses: [allocated, sent] };
  const url = allocated.body.final_url as string;
  const saved = await call('GET', `/v2/finalize_upload?url=${encodeURIComponent(url)}`);
  return { url: saved.status === 200 ? url : '', responses: [allocated, sent, saved] };
}

async function readiness(): Promise<[status: number, states: string]> {
  const { status, body } = await call('GET', '/health/ready');
  const checks = body.checks as { name: string; state: string }[];
  return [status, checks.map(({ name, state }) => `${name} ${state}`).join(', ')];
}

const bytesAt = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());

it('refuses uploads and generations at the reserve, while the database goes on', async () => {
  if (!stage.disk) return;
  await stage.disk.fill({ leaving: 200 });
  const full = /the disk of the service is full/;
  await eventually(async () => String(await readiness()) === '503,database up, queue up, storage full');
  const generation = await call('POST', '/v2/generate', { model: 'local-image', width: '64', height: '64' });
  for (const { status, headers, body } of [...(await upload(picture(1_000))).responses, generation]) {
    expect([status, headers.get('retry-after'), body.message]).toEqual([
      503,
      expect.any(String),
      expect.stringMatching(full),
    ]);
  }
  const { status, body } = await call('POST', '/boards', { name: 'Board' });
  expect(status).toBe(201);
  expect((await call('DELETE', `/boards/${body.board.id}`)).status).toBe(200);
  await stage.disk.empty();
  expect((await upload(picture(1_000))).responses.map((response) => response.status)).toEqual([201, 200, 200]);
});

it('refuses writes while the disk is full, loses nothing, and goes on when there is space', async () => {
  if (!stage.disk) {
    process.stderr.write(`full disk: left out, ${stage.lacks.get('fill disk')}\n`);
    return;
  }
  const early = picture(100_000);
  const { url } = await upload(early);
  expect(await readiness()).toEqual([200, 'database up, queue up, storage up']);
  await stage.disk.fill();
  const refused = [503, 'database read_only, queue up, storage full'];
  await eventually(async () => String(await readiness()) === String(refused));

  const accepted: { url: string; bytes: Buffer }[] = [{ url, bytes: early }];
  const responses: TestResponse[] = [];
  for (let tries = 0; tries < 20; tries++) {
    const bytes = picture(100_000);
    const result = await upload(bytes);
    responses.push(...result.responses);
    if (result.url !== '') accepted.push({ url: result.url, bytes });
    responses.push(await call('POST', '/boards', { name: 'B'.repeat(255) }));
    responses.push(await call('POST', '/v2/generate', { model: 'local-image', width: '64', height: '64' }));
  }
  const refusals = responses.filter(({ status }) => status >= 300);
  expect(refusals.length).toBeGreaterThan(0);
  for (const { status, headers, body } of refusals) {
    expect([status, headers.get('retry-after'), body.message]).toEqual([503, expect.any(String), expect.any(String)]);
    expect(body.message).not.toBe('');
  }
  expect((await bytesAt(url)).equals(early)).toBe(true);

  // A database that has to recover has nowhere to write either.
  await stage.faults['kill database']();
  await sleep(3000);
  await stage.disk.empty();
  await stage.recovered();
  expect(await readiness()).toEqual([200, 'database up, queue up, storage up']);
  expect(await readdir(join(stage.folder, 'files', 'incoming'))).toEqual([]);
  const late = picture(100_000);
  const { url: lateUrl, responses: lateResponses } = await upload(late);
  expect(lateResponses.map(({ status }) => status)).toEqual([201, 200, 200]);
  accepted.push({ url: lateUrl, bytes: late });
  for (const { url: each, bytes } of accepted) expect((await bytesAt(each)).equals(bytes)).toBe(true);
  const boards = responses.filter(({ body }) => body.board !== undefined).length;
  expect((await call('GET', '/boards')).body.boards).toHaveLength(boards);

  const isOpen = ({ state }: { state: string }) => state === 'queued' || state === 'running';
  const allEnded = async () => !(await call('GET', '/v2/generations?limit=200')).body.generations.some(isOpen);
  await eventually(allEnded);
  const after = await aftermath(stage);
  expect(after.findings).toEqual([]);
  expect(after.storage).toMatchObject({ strayObjects: 0, lostFiles: 0 });
});

it('never passes damaged bytes off as whole ones', async () => {
  const noise = sharp(randomBytes(700 * 700 * 3), { raw: { width: 700, height: 700, channels: 3 } });
  const { url } = await upload(await noise.png().toBuffer());
  await damageLargest();
  await expect(bytesAt(url)).rejects.toThrow();
  const form = { model: 'local-image', image: url, width: '64', height: '64' };
  const { status, body } = await call('POST', '/v2/generate', form);
  expect([status, body.state]).toEqual([202, 'queued']);
  const generation = async () => (await call('GET', `/v2/generations/${body.generation_id}`)).body;
  await eventually(async () => ['failed', 'succeeded'].includes((await generation()).state));
  expect(await generation()).toMatchObject({ state: 'failed', error: { code: 'not_an_image' } });
});

/** Cuts the largest object in half, behind the service's back. */
async function damageLargest(): Promise<void> {
  const store = join(stage.folder, 'files', 'files');
  for (const shard of await readdir(store)) {
    for (const name of await readdir(join(store, shard))) {
      const path = join(store, shard, name);
      const { size } = await stat(path);
      if (size > 900_000) await truncate(path, size / 2);
    }
  }
}
