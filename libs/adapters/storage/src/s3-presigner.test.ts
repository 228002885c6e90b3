import {
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import { S3Presigner } from './s3-presigner.ts';

const now = new Date('2026-03-14T09:26:53.589Z');
const credentials = { accessKeyId: 'AKID/+EXAMPLE', secretAccessKey: 'secret/+key' };
const withoutChecksum = {
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const;

/** Expects that the parts of both URLs that count are the same, in any order. */
function expectSame(ours: string, theirs: string): void {
  const [one, other] = [ours, theirs].map((url) => {
    const { origin, pathname, searchParams } = new URL(url);
    return { origin, pathname, query: Object.fromEntries(searchParams) };
  });
  expect(one).toEqual(other);
}

it.each<[string, S3ClientConfig]>([
  ['AWS', { region: 'eu-west-1' }],
  ['a part of AWS with names of its own', { region: 'cn-north-1' }],
  ['a store by its path', { region: 'us-east-1', endpoint: 'http://127.0.0.1:7480', forcePathStyle: true }],
  ['a store below a path', { region: 'x', endpoint: 'https://s3.example.com/a/b', forcePathStyle: true }],
  ['a store by host', { region: 'x', endpoint: 'https://s3.example.com:8443' }],
  ['a role', { region: 'x', credentials: { ...credentials, sessionToken: 'session/+=token' } }],
])('URLs of %s are those of the SDK, for an object, for its bytes and for a part', async (_name, config) => {
  const client = new S3Client({ credentials, ...config, ...withoutChecksum });
  const presigner = new S3Presigner(client, 'bucket', config.region as string, new ManualClock(now));
  const options = { expiresIn: 3_600, signingDate: now };
  const inAnHour = new Date(now.getTime() + 3_600_000);
  for (const Key of ['staging/Ab-_12', "staging/a b+ä!'()*~%"]) {
    const theirs = await getSignedUrl(client, new PutObjectCommand({ Bucket: 'bucket', Key }), options);
    expectSame(await presigner.sign('PUT', Key, inAnHour, { 'x-id': 'PutObject' }), theirs);
  }
  const key = 'weights/Ab-_12/generation-7.safetensors';
  const get = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'bucket', Key: key }), options);
  expectSame(await presigner.sign('GET', key, inAnHour, { 'x-id': 'GetObject' }), get);
  const part = { Bucket: 'bucket', Key: 'staging/a', UploadId: '2~a+/=b', PartNumber: 12 };
  const theirs = await getSignedUrl(client, new UploadPartCommand(part), options);
  const parameters = { 'x-id': 'UploadPart', partNumber: '12', uploadId: '2~a+/=b' };
  expectSame(await presigner.sign('PUT', 'staging/a', inAnHour, parameters), theirs);
});

it('a signed URL follows the day and the credentials', async () => {
  let credentials = { accessKeyId: 'id', secretAccessKey: 'one' };
  const provider = async () => ({ ...credentials, expiration: new Date() });
  const clock = new ManualClock(now);
  const presigner = new S3Presigner(new S3Client({ region: 'x', credentials: provider }), 'bucket', 'x', clock);
  const expectSigned = async () => {
    const at = clock.now();
    const fresh = new S3Client({ region: 'x', credentials, ...withoutChecksum });
    const command = new PutObjectCommand({ Bucket: 'bucket', Key: 'a' });
    const theirs = await getSignedUrl(fresh, command, { expiresIn: 60, signingDate: at });
    expectSame(await presigner.sign('PUT', 'a', new Date(at.getTime() + 60_000), { 'x-id': 'PutObject' }), theirs);
  };
  await expectSigned();
  clock.advance(86_400);
  await expectSigned();
  credentials = { ...credentials, secretAccessKey: 'other' };
  await expectSigned();
});
