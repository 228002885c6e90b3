import { PutObjectCommand, S3Client, UploadPartCommand, type S3ClientConfig } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import { S3Presigner } from './s3-presigner.ts';

const now = new Date('2026-03-14T09:26:53.589Z');
const inAnHour = new Date(now.getTime() + 3_600_000);
const credentials = { accessKeyId: 'AKID/+EXAMPLE', secretAccessKey: 'secret/+key' };

/** The parts of a URL that count, in any order. */
const partsOf = (url: string) => {
  const { origin, pathname, searchParams } = new URL(url);
  return { origin, pathname, query: Object.fromEntries(searchParams) };
};

describe.each<[string, S3ClientConfig]>([
  ['AWS', { region: 'eu-west-1' }],
  ['a part of AWS with names of its own', { region: 'cn-north-1' }],
  ['a store by its path', { region: 'us-east-1', endpoint: 'http://127.0.0.1:7480', forcePathStyle: true }],
  ['a store below a path', { region: 'x', endpoint: 'https://s3.example.com/a/b', forcePathStyle: true }],
  ['a store by host', { region: 'x', endpoint: 'https://s3.example.com:8443' }],
  ['a role', { region: 'x', credentials: { ...credentials, sessionToken: 'session/+=token' } }],
])('URLs of %s', (_name, config) => {
  const client = new S3Client({ credentials, ...config, requestChecksumCalculation: 'WHEN_REQUIRED' });
  const presigner = new S3Presigner(client, 'bucket', config.region as string, new ManualClock(now));
  const options = { expiresIn: 3_600, signingDate: now };

  it('are those of the SDK', async () => {
    for (const Key of ['staging/Ab-_12', "staging/a b+ä!'()*~%"]) {
      const theirs = await getSignedUrl(client, new PutObjectCommand({ Bucket: 'bucket', Key }), options);
      const ours = await presigner.signPut(Key, inAnHour, { 'x-id': 'PutObject' });
      expect(partsOf(ours)).toEqual(partsOf(theirs));
    }
  });

  it('are those of the SDK for a part', async () => {
    const part = { Bucket: 'bucket', Key: 'staging/a', UploadId: '2~a+/=b', PartNumber: 12 };
    const theirs = await getSignedUrl(client, new UploadPartCommand(part), options);
    const ours = await presigner.signPut('staging/a', inAnHour, {
      'x-id': 'UploadPart',
      partNumber: '12',
      uploadId: '2~a+/=b',
    });
    expect(partsOf(ours)).toEqual(partsOf(theirs));
  });
});

describe('a signed URL', () => {
  it('follows the day and the credentials', async () => {
    let secretAccessKey = 'one';
    const provider = async () => ({ accessKeyId: 'id', secretAccessKey, expiration: new Date() });
    const client = new S3Client({ region: 'x', credentials: provider });
    const clock = new ManualClock(now);
    const presigner = new S3Presigner(client, 'bucket', 'x', clock);
    const sign = async () => {
      const at = clock.now();
      const ours = await presigner.signPut('a', new Date(at.getTime() + 60_000), { 'x-id': 'PutObject' });
      const fresh = new S3Client({
        region: 'x',
        credentials: { accessKeyId: 'id', secretAccessKey },
        requestChecksumCalculation: 'WHEN_REQUIRED',
      });
      const command = new PutObjectCommand({ Bucket: 'bucket', Key: 'a' });
      const theirs = await getSignedUrl(fresh, command, { expiresIn: 60, signingDate: at });
      expect(partsOf(ours)).toEqual(partsOf(theirs));
    };
    await sign();
    clock.advance(86_400);
    await sign();
    secretAccessKey = 'other';
    await sign();
  });
});
