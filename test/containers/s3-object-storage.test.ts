import { randomBytes } from 'node:crypto';
import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import { contentOf, objectStorageContract, someToken } from '#testing/files';
import { fileKey, frozenKey, servingHeaders, stagingKey } from '#files';
import { S3ObjectStorage } from '#adapters/storage';
import { createBucket, gateway, type TestBucket } from '../support/s3-bucket.ts';

const DAY = 86_400;
const PART = 5 * 1024 ** 2;

let bucket: TestBucket;
let storage: S3ObjectStorage;
beforeAll(async () => {
  bucket = await createBucket();
  storage = new S3ObjectStorage(bucket.options);
});
afterAll(async () => {
  storage.close();
  await bucket.drop();
});

objectStorageContract('S3', async () => ({
  storage,
  send: async (url, bytes) => {
    const { status } = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) });
    if (status !== 200) throw new Error(`the PUT was answered with ${status}`);
  },
}));

const inAnHour = () => new Date(Date.now() + 3_600_000);
const putBytes = async (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body, headers });

describe('a signed URL of S3', () => {
  it('takes bytes with any headers of the source', async () => {
    const key = stagingKey(someToken());
    const url = await storage.signPut(key, { expiresAt: inAnHour() });
    const headers = { 'content-type': 'image/png', 'cache-control': 'max-age=315360000', expires: 'x' };
    expect((await putBytes(url, 'bytes', headers)).status).toBe(200);
    expect((await contentOf(await storage.open(key))).toString()).toBe('bytes');
  });

  it('is good for its key and until its time only', async () => {
    const clock = new ManualClock(new Date(Date.now() - 60_000));
    const then = new S3ObjectStorage({ ...bucket.options, clock });
    const key = stagingKey(someToken());
    const late = await then.signPut(key, { expiresAt: new Date(Date.now() - 30_000) });
    expect((await putBytes(late, 'late')).status).toBe(403);
    const url = await storage.signPut(key, { expiresAt: inAnHour() });
    expect((await putBytes(url.replace(key, stagingKey(someToken())), 'elsewhere')).status).toBe(403);
    expect((await fetch(url)).status).toBe(403);
    expect(await storage.head(key)).toBeNull();
    then.close();
  });

  it('leads to the public endpoint, whatever the service itself uses', async () => {
    const { port } = new URL(gateway.endpoint);
    const both = new S3ObjectStorage({ ...bucket.options, publicEndpoint: `http://localhost:${port}` });
    const key = stagingKey(someToken());
    const url = await both.signPut(key, { expiresAt: inAnHour() });
    expect(new URL(url).host).toBe(`localhost:${port}`);
    expect((await putBytes(url, 'bytes')).status).toBe(200);
    expect(await both.head(key)).toMatchObject({ size: 5 });
    both.close();
  });

  it('costs no request', async () => {
    const nowhere = new S3ObjectStorage({ ...bucket.options, endpoint: 'http://127.0.0.1:9' });
    expect(await nowhere.signPut('staging/a', { expiresAt: inAnHour() })).toMatch(/^http:/);
    nowhere.close();
  });
});

describe('what S3 serves', () => {
  const headersOf = async (contentType: string, expiresAt: Date | null = null) => {
    const key = fileKey(someToken(), 'a');
    await storage.put('frozen/served', { bytes: Buffer.from('x') }, { contentType: 'text/html' });
    await storage.copy('frozen/served', key, { headers: servingHeaders({ contentType, expiresAt }) });
    const command = new HeadObjectCommand({ Bucket: bucket.options.bucket, Key: key });
    return bucket.client.send(command);
  };

  it('is cached for long, unless it has an end', async () => {
    const lasting = await headersOf('image/png');
    expect(lasting).toMatchObject({ ContentType: 'image/png', CacheControl: 'public, max-age=315360000, immutable' });
    expect(lasting.ContentDisposition).toBeUndefined();
    const end = new Date('2031-02-03T04:05:06Z');
    expect(await headersOf('image/png', end)).toMatchObject({
      CacheControl: 'public',
      ExpiresString: end.toUTCString(),
    });
  });

  it('is saved, not shown, when it could run a script', async () => {
    for (const type of ['image/svg+xml', 'text/html', 'application/octet-stream', 'model/gltf+json']) {
      expect(await headersOf(type)).toMatchObject({ ContentType: type, ContentDisposition: 'attachment' });
    }
  });
});

describe('copies of S3', () => {
  it('go part by part above the size that one call can copy', async () => {
    const small = new S3ObjectStorage({ ...bucket.options, maxSingleCopy: PART });
    const bytes = randomBytes(2 * PART + 1234);
    const [from, to] = [stagingKey(someToken()), frozenKey(someToken(), 'a')];
    const { etag } = await small.put(from, { bytes }, { contentType: 'image/png' });
    const copy = await small.copy(from, to, { ifMatch: etag, headers: { contentType: 'video/mp4' } });
    expect(copy).toMatchObject({ key: to, size: bytes.length });
    expect(copy!.etag).toMatch(/-3"$/);
    expect((await contentOf(await small.open(to))).equals(bytes)).toBe(true);
    const again = fileKey(someToken(), 'a.mp4');
    expect(await small.copy(to, again, { headers: { contentType: 'video/mp4' } })).toMatchObject({
      size: bytes.length,
    });
    expect(await small.copy(from, to, { ifMatch: '"other"' })).toBeNull();
    small.close();
  });
});

describe('deletes of S3', () => {
  it('reach keys that XML can not write, which spoil nothing for the others', async () => {
    const keys = ['a\uFFFE.png', 'b\uFFFF.png', 'c.png'].map((name) => fileKey(someToken(), name));
    for (const key of keys) await storage.put(key, { bytes: Buffer.from('x') }, { contentType: 'image/png' });
    const listed: string[] = [];
    for await (const batch of storage.list('files/')) listed.push(...batch.map(({ key }) => key));
    expect(listed).toEqual(expect.arrayContaining(keys));
    await storage.delete(keys);
    expect(await Promise.all(keys.map((key) => storage.head(key)))).toEqual([null, null, null]);
  });
});

describe('tidying S3', () => {
  it('gives up what was begun in parts long ago, and nothing younger or of others', async () => {
    const begin = (Key: string) =>
      bucket.client.send(new CreateMultipartUploadCommand({ Bucket: bucket.options.bucket, Key }));
    const open = async () => {
      const command = new ListMultipartUploadsCommand({ Bucket: bucket.options.bucket });
      return ((await bucket.client.send(command)).Uploads ?? []).map(({ Key }) => Key);
    };
    const ours = ['staging/a', 'frozen/a', 'files/a/a.png'];
    for (const key of [...ours, 'other/a']) await begin(key);
    const clock = new ManualClock(new Date());
    const later = new S3ObjectStorage({ ...bucket.options, clock });
    clock.advance(14 * DAY);
    for (let turn = 0; turn < 3; turn++) await later.tidy();
    expect(await open()).toEqual(expect.arrayContaining([...ours, 'other/a']));
    clock.advance(2 * DAY);
    for (let turn = 0; turn < 3; turn++) await later.tidy();
    expect(await open()).toEqual(['other/a']);
    later.close();
  });
});

describe('an S3 store that is set up wrongly', () => {
  const with_ = (differences: Partial<TestBucket['options']>) =>
    new S3ObjectStorage({ ...bucket.options, ...differences });
  const refusal = (advice: RegExp) => ({
    code: 'unavailable',
    cause: expect.objectContaining({ message: expect.stringMatching(advice) }),
  });

  it('says that there is no such bucket, to every call', async () => {
    const nowhere = with_({ bucket: 'x12-is-not-there' });
    const calls = [
      () => nowhere.head('files/a/a.png'),
      () => nowhere.open('files/a/a.png'),
      () => nowhere.copy('files/a/a.png', 'files/b/a.png', {}),
      () => nowhere.put('files/a/a.png', { bytes: Buffer.from('x') }, { contentType: 'image/png' }),
      () => nowhere.delete(['files/a/a.png']),
      () => nowhere.tidy(),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(refusal(/no such bucket.*S3_BUCKET/));
    nowhere.close();
  });

  it('says that the keys are wrong', async () => {
    const secret = with_({ credentials: { ...gateway.credentials, secretAccessKey: 'wrong' } });
    await expect(secret.open('files/a/a.png')).rejects.toMatchObject(
      refusal(/secret key is wrong.*AWS_SECRET_ACCESS_KEY/),
    );
    await expect(secret.head('files/a/a.png')).rejects.toMatchObject(refusal(/AWS_ACCESS_KEY_ID/));
    const unknown = with_({ credentials: { accessKeyId: 'nobody', secretAccessKey: 'wrong' } });
    await expect(unknown.open('files/a/a.png')).rejects.toMatchObject(refusal(/access key is unknown/));
    secret.close();
    unknown.close();
  });
});

it('reads objects as the client of the bucket does', async () => {
  const key = fileKey(someToken(), 'für Ünïcödé + 100% (1).png');
  await storage.put(key, { bytes: Buffer.from('bytes') }, { contentType: 'image/png' });
  const answer = await bucket.client.send(new GetObjectCommand({ Bucket: bucket.options.bucket, Key: key }));
  expect(await answer.Body!.transformToString()).toBe('bytes');
});
