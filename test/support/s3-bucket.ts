import { randomBytes } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { systemClock } from '#kernel';
import type { S3StorageOptions } from '#adapters/storage';

/** The S3 gateway of the container suites. */
export const gateway = {
  region: 'us-east-1',
  endpoint: process.env.TEST_S3_ENDPOINT ?? 'http://127.0.0.1:7480',
  forcePathStyle: true,
  credentials: {
    accessKeyId: process.env.TEST_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: process.env.TEST_S3_SECRET_ACCESS_KEY ?? '',
  },
};

/** Lets services of this process use the gateway. */
export function useGatewayCredentials(): void {
  process.env.AWS_ACCESS_KEY_ID = gateway.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = gateway.credentials.secretAccessKey;
}

export interface TestBucket {
  readonly client: S3Client;
  readonly options: S3StorageOptions & { readonly endpoint: string };
  /** The settings of a service that uses the bucket. */
  readonly env: Readonly<Record<string, string>>;
  /** Deletes the bucket and what is in it. */
  drop(): Promise<void>;
}

export function newBucketName(): string {
  return `x12-${randomBytes(6).toString('hex')}`;
}

/** A new bucket that nobody else uses. */
export async function createBucket(bucket = newBucketName()): Promise<TestBucket> {
  const client = new S3Client(gateway);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    client,
    env: { S3_BUCKET: bucket, S3_ENDPOINT: gateway.endpoint, S3_FORCE_PATH_STYLE: 'true' },
    options: { ...gateway, bucket, publicEndpoint: null, clock: systemClock },
    drop: async () => {
      for (;;) {
        const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
        if (Contents.length === 0) break;
        const Objects = Contents.map(({ Key }) => ({ Key }));
        await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
      }
      await client.send(new DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
    },
  };
}
