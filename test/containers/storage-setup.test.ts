import { GetBucketCorsCommand, GetBucketPolicyCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someToken } from '#testing/files';
import { systemClock } from '#kernel';
import { fileKey, frozenKey, stagingKey, StoredUrls } from '#files';
import { bucketRules, bucketUrl, setUpBucket, S3ObjectStorage } from '#adapters/storage';
import { createBucket, gateway, newBucketName, type TestBucket } from '../support/s3-bucket.ts';

const PICTURE = { contentType: 'image/png' };
const ORIGIN = 'https://pages.example.com';

let bucket: TestBucket;
let storage: S3ObjectStorage;
const place = { ...gateway, publicEndpoint: null, clock: systemClock };
beforeAll(async () => {
  bucket = await createBucket();
  await setUpBucket(bucket.options, 2);
  storage = new S3ObjectStorage(bucket.options);
});
afterAll(async () => {
  storage.close();
  await bucket.drop();
});

const inAnHour = () => ({ expiresAt: new Date(Date.now() + 3_600_000) });
const bytes = { bytes: Buffer.from('bytes') };
const allowedOrigin = ({ headers }: Response) =>
  ['*', ORIGIN].includes(headers.get('access-control-allow-origin') ?? '');
const addressOf = (key: string) => `${gateway.endpoint}/${bucket.options.bucket}/${key}`;

describe('the set-up of a bucket', () => {
  it('makes it, says what it did, and does no harm when it is run again', async () => {
    const name = newBucketName();
    const first = await setUpBucket({ ...place, bucket: name }, 2);
    expect(first.map(({ step, state }) => [step, state])).toEqual([
      ['bucket', 'created'],
      ['public access', 'set'],
      ['policy', 'set'],
      ['cors', 'set'],
      ['lifecycle', 'set'],
    ]);
    const again = await setUpBucket({ ...place, bucket: name }, 2);
    expect(again[0]).toMatchObject({ state: 'was there' });
    const { Policy } = await bucket.client.send(new GetBucketPolicyCommand({ Bucket: name }));
    expect(JSON.parse(Policy!).Statement).toHaveLength(bucketRules(name, 2).policy.Statement.length);
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

  it('refuses what it can not set up, and says what to change', async () => {
    const credentials = { ...gateway.credentials, secretAccessKey: 'wrong' };
    const setup = setUpBucket({ ...place, bucket: newBucketName(), credentials }, 2);
    await expect(setup).rejects.toMatchObject({
      code: 'unavailable',
      cause: expect.objectContaining({ message: expect.stringMatching(/AWS_ACCESS_KEY_ID/) }),
    });
  });
});

describe('a bucket that was set up', () => {
  it('lets anybody read saved files, and nothing else', async () => {
    const [file, frozen, staged] = [
      fileKey(someToken(), 'a.png'),
      frozenKey(someToken(), 'a'),
      stagingKey(someToken()),
    ];
    for (const key of [file, frozen, staged]) await storage.put(key, bytes, PICTURE);
    const read = await fetch(new StoredUrls(bucketUrl(bucket.options)).urlOf(file), { headers: { origin: ORIGIN } });
    expect([read.status, await read.text()]).toEqual([200, 'bytes']);
    expect(allowedOrigin(read)).toBe(true);
    for (const path of [frozen, staged, '', '?list-type=2', '?list-type=2&prefix=files/', '?uploads']) {
      expect([path, (await fetch(addressOf(path))).status]).toEqual([path, 403]);
    }
    expect((await fetch(addressOf(file), { method: 'PUT', body: 'mine' })).status).toBe(403);
    expect((await fetch(addressOf(file), { method: 'DELETE' })).status).toBe(403);
  });

  it('lets browsers PUT from any page', async () => {
    const url = await storage.signPut(stagingKey(someToken()), inAnHour());
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type,cache-control,expires',
      },
    });
    expect(preflight.status).toBe(200);
    expect(allowedOrigin(preflight)).toBe(true);
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/cache-control/);
    const put = await fetch(url, { method: 'PUT', body: 'bytes', headers: { origin: ORIGIN } });
    expect([put.status, allowedOrigin(put)]).toEqual([200, true]);
    expect(put.headers.get('access-control-expose-headers')).toMatch(/etag/i);
  });

  it('takes no orders with a signed URL that were not signed', async () => {
    const secret = frozenKey(someToken(), 'of another workspace');
    await storage.put(secret, bytes, PICTURE);
    const key = stagingKey(someToken());
    const url = await storage.signPut(key, inAnHour());
    const copied = await fetch(url, {
      method: 'PUT',
      headers: { 'x-amz-copy-source': `/${bucket.options.bucket}/${secret}` },
    });
    expect(copied.status).toBe(403);
    expect(await storage.head(key)).toBeNull();
    for (const acl of ['public-read', 'public-read-write']) {
      await fetch(url, { method: 'PUT', body: 'mine', headers: { 'x-amz-acl': acl } });
      expect((await fetch(addressOf(key))).status).toBe(403);
    }
    expect((await fetch(url, { method: 'PUT', body: 'mine' })).status).toBe(200);
  });
});
