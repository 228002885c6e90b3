import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

/** Settings for a service of the calling suite's own on the containers of this run, but for its database. */
export async function engineSettings(): Promise<Record<string, string>> {
  const s3 = {
    S3_BUCKET: `t-${randomBytes(6).toString('hex')}`,
    S3_ENDPOINT: given('TEST_S3_ENDPOINT'),
    S3_FORCE_PATH_STYLE: 'true',
    AWS_ACCESS_KEY_ID: given('TEST_S3_ACCESS_KEY_ID'),
    AWS_SECRET_ACCESS_KEY: given('TEST_S3_SECRET_ACCESS_KEY'),
  };
  return { ...s3, REDIS_URL: await emptyRedis() };
}

/** Suites run beside each other: each of Jest's workers has a database of Valkey's to itself. */
async function emptyRedis(): Promise<string> {
  const url = `${given('TEST_VALKEY_URL')}/${process.env.JEST_WORKER_ID ?? 0}`;
  const redis = new Redis(url);
  await redis.flushdb();
  redis.disconnect();
  return url;
}

function given(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this suite through the Jest project "containers"`);
  return value;
}
