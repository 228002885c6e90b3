/** @tier deep, 35 s, about libs/adapters/storage */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteBucketPolicyCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { StoredUrls } from '#files';
import { objectStorage } from '#wiring';
import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { createBucket, gateway, newBucketName, type TestBucket, useGatewayCredentials } from '../support/s3-bucket.ts';
import { startService, type TestService } from '../support/service.ts';
const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
  .png()
  .toBuffer();
const before = { ...process.env };

let bucket: TestBucket;
let service: TestService;
let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  bucket = await createBucket();
  useGatewayCredentials();
  // Another name of the same place.
  const storage = {
    ...bucket.env,
    S3_PUBLIC_ENDPOINT: `http://localhost:${new URL(gateway.endpoint).port}`,
    STORAGE_SIGNING_SECRET: 'x'.repeat(32),
  };
  folder = await mkdtemp(join(tmpdir(), 'x12-cli-'));
  env = { ...storage, DATA_DIR: folder };
  expect(await runCommand(env, 'storage', 'setup')).toMatchObject({ code: 0, complaints: '' });
  service = await startService(storage);
  env = { ...env, DATABASE_URL: service.database.url, PUBLIC_URL: service.baseUrl };
});
afterAll(async () => {
  await service?.stop();
  await bucket.drop();
  await rm(folder, { recursive: true });
  process.env = before;
});

const finalize = (of: TestService, token: string, url: string) =>
  of.call('GET', `/v2/finalize_upload?url=${encodeURIComponent(url)}`, { token });

describe('a service with a bucket', () => {
  it('takes a file through a signed URL of the public endpoint, and shows it there', async () => {
    const { token } = await service.signUp();
    const { status, body } = await service.call('POST', '/v2/upload', { token, form: { filename: 'ä b.png' } });
    expect(status).toBe(201);
    expect(new URL(body.signed_url).hostname).toBe('localhost');
    expect(new URL(body.final_url).hostname).toBe('localhost');
    const put = await fetch(body.signed_url, { method: 'PUT', body: picture, headers: body.headers });
    expect(put.status).toBe(200);
    expect((await fetch(body.final_url)).ok).toBe(false);
    const finalized = await finalize(service, token, body.final_url);
    expect(finalized.body).toMatchObject({ status: true, size: picture.length, content_type: 'image/png' });
    const shown = await fetch(body.final_url);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(shown.headers.get('cache-control')).toBe('public, max-age=315360000, immutable');
    expect(Buffer.from(await shown.arrayBuffer()).equals(picture)).toBe(true);
  });

  it('redirects signed URLs of private files to the bucket, which shows these files in no other way', async () => {
    const { token } = await service.signUp();
    const call = (method: string, path: string, json?: object) => service.call(method, path, { token, json });
    const { body } = await service.call('POST', '/v2/upload', { token, form: { filename: 'a.png' } });
    await fetch(body.signed_url, { method: 'PUT', body: picture, headers: body.headers });
    await finalize(service, token, body.final_url);
    const switchTo = async (files: 'private' | 'public') => {
      expect((await call('PUT', '/v2/workspace', { files })).status).toBe(202);
      await eventually(async () => (await call('GET', '/v2/workspace')).body.moving === null);
    };
    await switchTo('private');
    expect((await fetch(body.final_url)).ok).toBe(false);
    const [item] = (await call('GET', '/v2/library')).body.items;
    const url: string = item.url;
    expect(new URL(url).origin).toBe(new URL(service.baseUrl).origin);
    expect((await fetch(url.replace(/\?.*/, ''))).status).toBe(404);
    const redirect = await fetch(url, { redirect: 'manual' });
    const target = new URL(redirect.headers.get('location')!);
    expect([redirect.status, target.hostname]).toEqual([302, 'localhost']);
    const shown = await fetch(url);
    expect(Buffer.from(await shown.arrayBuffer()).equals(picture)).toBe(true);
    expect(shown.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
    expect((await fetch(`${target.origin}${target.pathname}`)).ok).toBe(false);
    const variant = await fetch(`${url}&w=64&fm=webp`);
    expect([variant.redirected, variant.headers.get('content-type')]).toEqual([false, 'image/webp']);
    await switchTo('public');
    expect((await fetch(body.final_url)).ok).toBe(true);
    // The object that it names has moved.
    expect((await fetch(target)).ok).toBe(false);
  });

  it('serves no routes of the disk store', async () => {
    const { token } = await service.signUp();
    expect((await service.call('PUT', '/storage/staging/a', { token })).status).toBe(404);
    expect((await service.call('GET', '/files/a/a.png', { token })).status).toBe(404);
  });
});

describe('a service that serves the files of its bucket itself', () => {
  it('shows them as the disk storage does, and not at all once they are gone', async () => {
    const serving = await startService({ ...bucket.env, FILES_SERVED_BY: 'api' });
    try {
      const { token } = await serving.signUp();
      const save = async (filename: string, content: Uint8Array | string) => {
        const { body } = await serving.call('POST', '/v2/upload', { token, form: { filename } });
        await fetch(body.signed_url, { method: 'PUT', body: content, headers: body.headers });
        expect((await finalize(serving, token, body.final_url)).status).toBe(200);
        return body.final_url as string;
      };
      const url = await save('ä b.png', picture);
      expect(url.startsWith(`${serving.baseUrl}/files/`)).toBe(true);
      const shown = await fetch(url);
      const etag = shown.headers.get('etag')!;
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=315360000, immutable',
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
        etag: expect.stringMatching(/^"[^"]+"$/),
      });
      expect(Buffer.from(await shown.arrayBuffer()).equals(picture)).toBe(true);
      const part = await fetch(url, { headers: { range: 'bytes=2-9' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-9/${picture.length}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(picture.subarray(2, 10))).toBe(true);
      expect((await fetch(url, { headers: { range: `bytes=${picture.length}-` } })).status).toBe(416);
      expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);

      const svg = await fetch(await save('a.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'));
      expect(svg.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox$/);
      expect(svg.headers.get('content-disposition')).toBeNull();

      await serving.api.app.get(objectStorage, { strict: false }).delete([new StoredUrls(serving.baseUrl).keyOf(url)!]);
      expect((await fetch(url)).status).toBe(404);
    } finally {
      await serving.stop();
    }
  });
});

describe('the command line of a service with a bucket', () => {
  it('prints how to set up a bucket by hand, does nothing then, and refuses what is no bucket', async () => {
    const name = newBucketName();
    const { out } = await runCommand({ ...env, S3_BUCKET: name }, 'storage', 'setup', '--print');
    for (const command of ['create-bucket', 'put-bucket-policy', 'put-bucket-cors', `${name}/files/*`]) {
      expect(out).toContain(command);
    }
    const ready = await runCommand({ ...env, S3_BUCKET: name }, 'doctor', '--json');
    expect(ready.code).toBe(1);
    expect(JSON.parse(ready.out)).toContainEqual(
      expect.objectContaining({ check: 'storage', state: 'ill', finding: expect.stringMatching(/no such bucket/) }),
    );
    const { code, complaints } = await runCommand({ ...env, S3_BUCKET: '' }, 'storage', 'setup');
    expect([code, complaints]).toEqual([1, expect.stringMatching(/^S3_BUCKET is missing/)]);
  });

  it('finds the storage well, and ill once nobody may read saved files', async () => {
    const storageOf = async () => {
      const { out } = await runCommand(env, 'doctor', '--json');
      return (JSON.parse(out) as { check: string }[]).find(({ check }) => check === 'storage');
    };
    expect(await storageOf()).toMatchObject({ state: 'well' });
    await bucket.client.send(new DeleteBucketPolicyCommand({ Bucket: bucket.options.bucket }));
    expect(await storageOf()).toMatchObject({ state: 'ill', advice: expect.stringMatching(/storage setup/) });
    const { out } = await runCommand(env, 'storage', 'setup', '--json');
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ step: 'bucket', state: 'was there' }));
    expect(await storageOf()).toMatchObject({ state: 'well' });
  });
});

describe('a service whose bucket is not there', () => {
  it('starts, and is not ready', async () => {
    const lost = await startService({ ...bucket.env, S3_BUCKET: newBucketName() });
    try {
      const { status, body } = await lost.call('GET', '/health/ready');
      expect(status).toBe(503);
      expect(body.checks).toContainEqual(expect.objectContaining({ name: 'storage', state: 'down' }));
    } finally {
      await lost.stop();
    }
  });
});

describe('a service whose storage stops responding', () => {
  it('is not ready and responds 503, and recovers with the storage', async () => {
    const proxy = await stallableProxy(gateway.endpoint);
    const stalled = await startService({
      ...bucket.env,
      S3_ENDPOINT: proxy.endpoint,
      S3_PUBLIC_ENDPOINT: gateway.endpoint,
      LOG_LEVEL: 'silent',
    });
    try {
      const { token } = await stalled.signUp();
      const allocate = () => stalled.call('POST', '/v2/upload', { token, form: { filename: 'a.png' } });
      const { body } = await allocate();
      await fetch(body.signed_url, { method: 'PUT', body: picture });
      const finalizeIt = () => finalize(stalled, token, body.final_url);

      proxy.stall();
      // Each has its response while the storage carries nothing.
      expect((await stalled.call('GET', '/health/ready')).status).toBe(503);
      const { status, headers, body: refusal } = await finalizeIt();
      expect([status, refusal.code]).toEqual([503, 'unavailable']);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await allocate()).status).toBe(201);

      proxy.goOn();
      expect((await finalizeIt()).status).toBe(200);
      const ready = await stalled.call('GET', '/health/ready');
      expect(ready.status).toBe(200);
      expect(ready.body.checks).toContainEqual(expect.objectContaining({ name: 'storage', state: 'up' }));
    } finally {
      proxy.goOn();
      await stalled.stop();
      await proxy.close();
    }
  });
});

describe('a service with a bucket and no credentials', () => {
  it('does not start, and names the variables', async () => {
    const mine = { ...process.env };
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
    try {
      // Nobody closes what a start that fails has opened but the end of its process: here, as little as possible.
      const started = startService({ S3_BUCKET: 'any', REDIS_URL: '' });
      await expect(started).rejects.toThrow(/^AWS_ACCESS_KEY_ID .* are missing/);
    } finally {
      process.env = mine;
    }
  });
});

/** A way to a server that can be made to carry nothing, without a word to either side. */
async function stallableProxy(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!isStalled) to.write(bytes);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall: () => (isStalled = true),
    goOn: () => (isStalled = false),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
