/** @tier deep, 15 s, about libs/adapters/storage */
import { randomBytes } from 'node:crypto';
import {
  CreateMultipartUploadCommand,
  GetBucketCorsCommand,
  GetBucketPolicyCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutBucketCorsCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import { contentOf, objectStorageContract, someToken } from '#testing/files';
import { fileKey, frozenKey, privateKey, servingHeaders, stagingKey, StoredUrls } from '#files';
import { bucketUrl, loadS3, type S3ObjectStorage } from '#adapters/storage';
import { createBucket, gateway, newBucketName, type TestBucket } from '../support/s3-bucket.ts';

const DAY = 86_400;
const PART = 5 * 1024 ** 2;
const PICTURE = { contentType: 'image/png' };
const ORIGIN = 'https://pages.example.com';

const s3 = await loadS3();
const { bucketRules, setUpBucket } = s3;

let bucket: TestBucket;
let storage: S3ObjectStorage;
const opened: S3ObjectStorage[] = [];
/** The storage in the bucket, with other options until the end of the suite. */
const open = (differences: Partial<TestBucket['options']> = {}) =>
  opened[opened.push(new s3.S3ObjectStorage({ ...bucket.options, ...differences })) - 1]!;
beforeAll(async () => {
  bucket = await createBucket();
  await setUpBucket(bucket.options, 2);
  storage = open();
});
afterAll(async () => {
  for (const each of opened) each.close();
  await bucket.drop();
});

const put = (url: string, body: string | Uint8Array<ArrayBuffer> = 'bytes', headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body, headers });
const inAnHour = () => ({ expiresAt: new Date(Date.now() + 3_600_000) });
const bytes = { bytes: Buffer.from('bytes') };
const bytesOf = async (key: string) => (await contentOf(await storage.open(key))).toString();
const refusal = (advice: RegExp) => ({
  code: 'unavailable',
  cause: expect.objectContaining({ message: expect.stringMatching(advice) }),
});

objectStorageContract('S3', async () => ({
  storage,
  send: async (url, bytes) => {
    const { status } = await put(url, new Uint8Array(bytes));
    if (status !== 200) throw new Error(`the PUT got ${status}`);
  },
  fetch: async (url) => {
    const response = await fetch(url);
    return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
  },
}));

describe('a signed URL of S3', () => {
  it('takes bytes with any headers of the source', async () => {
    const key = stagingKey(someToken());
    const headers = { 'content-type': 'image/png', 'cache-control': 'max-age=315360000', expires: 'x' };
    expect((await put(await storage.signPut(key, inAnHour()), 'bytes', headers)).status).toBe(200);
    expect(await bytesOf(key)).toBe('bytes');
  });

  it('is good for its key and until its time only', async () => {
    const then = open({ clock: new ManualClock(new Date(Date.now() - 60_000)) });
    const key = stagingKey(someToken());
    const late = await then.signPut(key, { expiresAt: new Date(Date.now() - 30_000) });
    expect((await put(late, 'late')).status).toBe(403);
    const url = await storage.signPut(key, inAnHour());
    expect((await put(url.replace(key, stagingKey(someToken())), 'elsewhere')).status).toBe(403);
    expect((await fetch(url)).status).toBe(403);
    expect(await storage.head(key)).toBeNull();
  });

  it('that reads a private object reads no other, and writes nothing', async () => {
    const [key, other] = [privateKey(someToken(), 'a.safetensors'), privateKey(someToken(), 'b.safetensors')];
    for (const each of [key, other]) await storage.put(each, bytes, PICTURE);
    const url = await storage.signGet(key, inAnHour().expiresAt);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url.replace(key, other))).status).toBe(403);
    expect((await fetch(url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=86400'))).status).toBe(403);
    expect((await put(url)).status).toBe(403);
    expect((await fetch(addressOf(key))).status).toBe(403);
  });

  it('takes no orders that were not signed', async () => {
    const secret = frozenKey(someToken(), 'of another workspace');
    await storage.put(secret, bytes, PICTURE);
    const key = stagingKey(someToken());
    const url = await storage.signPut(key, inAnHour());
    const source = `/${bucket.options.bucket}/${secret}`;
    const copied = await fetch(url, { method: 'PUT', headers: { 'x-amz-copy-source': source } });
    expect(copied.status).toBe(403);
    expect(await storage.head(key)).toBeNull();
    for (const acl of ['public-read', 'public-read-write']) {
      await put(url, 'mine', { 'x-amz-acl': acl });
      expect((await fetch(addressOf(key))).status).toBe(403);
    }
    expect((await put(url, 'mine')).status).toBe(200);
  });
});

describe('what S3 serves', () => {
  const headersOf = async (contentType: string, expiresAt: Date | null = null) => {
    const key = fileKey(someToken(), 'a');
    await storage.put('frozen/served', bytes, { contentType: 'text/html' });
    await storage.copy('frozen/served', key, { headers: servingHeaders({ contentType, expiresAt }) });
    return bucket.client.send(new HeadObjectCommand({ Bucket: bucket.options.bucket, Key: key }));
  };

  it('is cached for long, unless it has an end, and is saved, not shown, when it could run a script', async () => {
    const lasting = await headersOf('image/png');
    expect(lasting).toMatchObject({ ContentType: 'image/png', CacheControl: 'public, max-age=315360000, immutable' });
    expect(lasting.ContentDisposition).toBeUndefined();
    const end = new Date('2031-02-03T04:05:06Z');
    const ending = { CacheControl: 'public', ExpiresString: end.toUTCString() };
    expect(await headersOf('image/png', end)).toMatchObject(ending);
    for (const type of ['image/svg+xml', 'text/html', 'application/octet-stream', 'model/gltf+json']) {
      expect(await headersOf(type)).toMatchObject({ ContentType: type, ContentDisposition: 'attachment' });
    }
  });
});

it('copies of S3 go part by part above the size that one call can copy', async () => {
  const small = open({ maxSingleCopy: PART });
  const bytes = randomBytes(2 * PART + 1234);
  const headers = { contentType: 'video/mp4' };
  const [from, to] = [stagingKey(someToken()), frozenKey(someToken(), 'a')];
  const { etag } = await small.put(from, { bytes }, PICTURE);
  const copy = await small.copy(from, to, { ifMatch: etag, headers });
  expect(copy).toMatchObject({ key: to, size: bytes.length });
  expect(copy!.etag).toMatch(/-3"$/);
  expect((await contentOf(await small.open(to))).equals(bytes)).toBe(true);
  const again = await small.copy(to, fileKey(someToken(), 'a.mp4'), { headers });
  expect(again).toMatchObject({ size: bytes.length });
  expect(await small.copy(from, to, { ifMatch: '"other"' })).toBeNull();
});

it('deletes of S3 reach keys that XML cannot write, which spoil nothing for the others', async () => {
  const keys = ['a\uFFFE.png', 'b\uFFFF.png', 'c.png'].map((name) => fileKey(someToken(), name));
  for (const key of keys) await storage.put(key, bytes, PICTURE);
  const listed: string[] = [];
  for await (const batch of storage.list('files/')) listed.push(...batch.map(({ key }) => key));
  expect(listed).toEqual(expect.arrayContaining(keys));
  await storage.delete(keys);
  expect(await Promise.all(keys.map((key) => storage.head(key)))).toEqual([null, null, null]);
});

it('tidying S3 aborts old uploads in parts, and no newer ones or ones of other prefixes', async () => {
  const Bucket = bucket.options.bucket;
  const begun = async () =>
    ((await bucket.client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).map(({ Key }) => Key);
  const ours = ['staging/a', 'frozen/a', 'files/a/a.png', 'kept/a/a.png', 'weights/a/a.json'];
  for (const Key of [...ours, 'exports/a.zip', 'other/a'])
    await bucket.client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const clock = new ManualClock(new Date());
  const later = open({ clock });
  // Each turn tidies one of the six areas.
  const tidy = async () => {
    for (let turn = 0; turn < 6; turn++) await later.tidy();
  };
  clock.advance(DAY);
  await tidy();
  expect(await begun()).toContain('exports/a.zip');
  clock.advance(13 * DAY);
  await tidy();
  const left = await begun();
  expect(left).toEqual(expect.arrayContaining([...ours, 'other/a']));
  expect(left).not.toContain('exports/a.zip');
  clock.advance(2 * DAY);
  await tidy();
  expect(await begun()).toEqual(['other/a']);
});

it('an S3 store that is set up wrongly says what is wrong', async () => {
  const nowhere = open({ bucket: 'x12-is-not-there' });
  for (const call of [
    () => nowhere.head('files/a/a.png'),
    () => nowhere.open('files/a/a.png'),
    () => nowhere.copy('files/a/a.png', 'files/b/a.png', {}),
    () => nowhere.put('files/a/a.png', bytes, PICTURE),
    () => nowhere.delete(['files/a/a.png']),
    () => nowhere.tidy(),
  ]) {
    await expect(call()).rejects.toMatchObject(refusal(/no such bucket.*S3_BUCKET/));
  }
  const secret = open({ credentials: { ...gateway.credentials, secretAccessKey: 'wrong' } });
  const wrongSecret = refusal(/secret key is wrong.*AWS_SECRET_ACCESS_KEY/);
  await expect(secret.open('files/a/a.png')).rejects.toMatchObject(wrongSecret);
  await expect(secret.head('files/a/a.png')).rejects.toMatchObject(refusal(/AWS_ACCESS_KEY_ID/));
  const unknown = open({ credentials: { accessKeyId: 'nobody', secretAccessKey: 'wrong' } });
  await expect(unknown.open('files/a/a.png')).rejects.toMatchObject(refusal(/access key is unknown/));
});

const addressOf = (key: string) => `${gateway.endpoint}/${bucket.options.bucket}/${key}`;

describe('the set-up of a bucket', () => {
  it('makes it, says what it did, and does no harm when it is run again', async () => {
    const place = { ...bucket.options, bucket: newBucketName() };
    const first = await setUpBucket(place, 2);
    expect(first.map(({ step, state }) => `${step}: ${state}`)).toEqual([
      'bucket: created',
      'public access: set',
      'policy: set',
      'cors: set',
      'lifecycle: set',
    ]);
    expect((await setUpBucket(place, 2))[0]).toMatchObject({ state: 'was there' });
    const { Policy } = await bucket.client.send(new GetBucketPolicyCommand({ Bucket: place.bucket }));
    expect(JSON.parse(Policy!).Statement).toHaveLength(bucketRules(place.bucket, 2).policy.Statement.length);
  });

  it('keeps the rules that others gave it', async () => {
    const Bucket = bucket.options.bucket;
    const theirs = { ID: 'theirs', AllowedOrigins: ['https://theirs.example.com'], AllowedMethods: ['DELETE'] };
    const CORSConfiguration = { CORSRules: [theirs] };
    await bucket.client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration }));
    await setUpBucket(bucket.options, 2);
    const { CORSRules } = await bucket.client.send(new GetBucketCorsCommand({ Bucket }));
    expect(CORSRules!.map(({ ID }) => ID).sort()).toEqual(['theirs', 'x12-browsers']);
  });

  it('refuses what it cannot set up, and says what to change', async () => {
    const credentials = { ...gateway.credentials, secretAccessKey: 'wrong' };
    const setup = setUpBucket({ ...bucket.options, bucket: newBucketName(), credentials }, 2);
    await expect(setup).rejects.toMatchObject(refusal(/AWS_ACCESS_KEY_ID/));
  });
});

describe('a bucket that was set up', () => {
  const allowedOrigin = ({ headers }: Response) =>
    ['*', ORIGIN].includes(headers.get('access-control-allow-origin') ?? '');

  it('lets anybody read saved files, and nothing else', async () => {
    const file = fileKey(someToken(), 'a.png');
    const [frozen, staged] = [frozenKey(someToken(), 'a'), stagingKey(someToken())];
    for (const key of [file, frozen, staged]) await storage.put(key, bytes, PICTURE);
    const read = await fetch(new StoredUrls(bucketUrl(bucket.options)).plainUrlOf(file), {
      headers: { origin: ORIGIN },
    });
    expect([read.status, await read.text(), allowedOrigin(read)]).toEqual([200, 'bytes', true]);
    for (const path of [frozen, staged, '', '?list-type=2', '?list-type=2&prefix=files/', '?uploads']) {
      expect([path, (await fetch(addressOf(path))).status]).toEqual([path, 403]);
    }
    expect((await put(addressOf(file), 'mine')).status).toBe(403);
    expect((await fetch(addressOf(file), { method: 'DELETE' })).status).toBe(403);
  });

  it('lets browsers PUT from any page', async () => {
    const url = await storage.signPut(stagingKey(someToken()), inAnHour());
    const headers = {
      origin: ORIGIN,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,cache-control,expires',
    };
    const preflight = await fetch(url, { method: 'OPTIONS', headers });
    expect([preflight.status, allowedOrigin(preflight)]).toEqual([200, true]);
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/cache-control/);
    const sent = await put(url, 'bytes', { origin: ORIGIN });
    expect([sent.status, allowedOrigin(sent)]).toEqual([200, true]);
    expect(sent.headers.get('access-control-expose-headers')).toMatch(/etag/i);
  });
});
