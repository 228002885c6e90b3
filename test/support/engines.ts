import { Redis } from 'ioredis';
import { loadS3 } from '#adapters/storage';
import { createBucket } from './s3-bucket.ts';

/** Settings for a service of the calling suite's own on the Valkey and the S3 gateway of this run. */
export async function engineSettings(): Promise<Record<string, string>> {
  const { client, options } = await createBucket();
  client.destroy();
  const { setUpBucket } = await loadS3();
  await setUpBucket(options, 1);
  return {
    S3_BUCKET: options.bucket,
    S3_ENDPOINT: options.endpoint,
    S3_FORCE_PATH_STYLE: 'true',
    REDIS_URL: await emptyRedis(),
  };
}

let opened = 0;

/** A database of Valkey's to itself: services that share one take each other's jobs. */
async function emptyRedis(): Promise<string> {
  const url = `${process.env.TEST_VALKEY_URL}/${Number(process.env.JEST_WORKER_ID ?? 0) * 100 + opened++}`;
  const redis = new Redis(url);
  await redis.flushdb();
  redis.disconnect();
  return url;
}
