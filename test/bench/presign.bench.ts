import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { onBenchService } from './bench-service.ts';
import { load } from './measure.ts';

const ALLOCATIONS = 5_000;
const CALLERS = 32;
const WANTED_A_SECOND = 1_000;
const WANTED_SHARE = 0.5;

const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench-secret' };

/** Allocations a second of one API process that signs for S3, beside the same SDK that does nothing else. */
const bucket = createServer((request, response) => {
  // All that readiness asks for: the bucket is there, and no object.
  response.writeHead(/^\/bench\/?(\?|$)/.test(request.url ?? '') ? 200 : 404).end();
});
await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
const env = {
  S3_BUCKET: 'bench',
  S3_ENDPOINT: endpoint,
  S3_FORCE_PATH_STYLE: 'true',
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};

await onBenchService(
  async ({ allocate, apiCpuSeconds }) => {
    const signer = new S3Client({
      region: 'us-east-1',
      endpoint,
      forcePathStyle: true,
      credentials,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
    let objects = 0;
    const sign = (): Promise<string> => {
      const command = new PutObjectCommand({ Bucket: 'bench', Key: `staging/${++objects}` });
      return getSignedUrl(signer, command, { expiresIn: 3_600 });
    };

    await aSecond(sign, 1_000);
    const idle = process.cpuUsage();
    const alone = await aSecond(sign, ALLOCATIONS);
    const { user, system } = process.cpuUsage(idle);
    const each = (user + system) / 1000 / ALLOCATIONS;
    console.log(`the SDK alone signs ${alone.toFixed(0)}/s, with ${each.toFixed(2)} ms of processor time each`);
    await aSecond(allocate, 1_000);
    const busy = await apiCpuSeconds();
    const allocated = await aSecond(allocate, ALLOCATIONS);
    const spent = ((await apiCpuSeconds()) - busy) / ALLOCATIONS;
    const share = allocated / alone;
    console.log(`the API allocates ${allocated.toFixed(0)}/s from ${CALLERS} callers: ${share.toFixed(2)} of that`);
    console.log(`an allocation costs the API ${(spent * 1000).toFixed(2)} ms of processor time`);
    if (allocated < WANTED_A_SECOND && share < WANTED_SHARE) process.exitCode = 1;
  },
  { connections: CALLERS, env },
).finally(() => bucket.close());

async function aSecond(work: () => Promise<unknown>, times: number): Promise<number> {
  return (await load({ callers: CALLERS, times }, work)).perSecond;
}
