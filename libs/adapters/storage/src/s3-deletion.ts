import { DeleteObjectCommand, DeleteObjectsCommand } from '@aws-sdk/client-s3';
import type { S3Connection } from './s3-connection.ts';
import { s3Failure } from './s3-failure.ts';

const BATCH = 1_000;
/** Some stores delete one after the other. */
const OBJECT_MS = 20;

/** Characters that XML has no way to write: one key with them would spoil the whole list that it is in. */
const NOT_IN_XML = /[\uFFFE\uFFFF]/;

/** @throws DomainError `unavailable`; some may be deleted then */
export async function deleteObjects(s3: S3Connection, keys: readonly string[]): Promise<void> {
  const all = [...new Set(keys)];
  const listed = all.filter((key) => !NOT_IN_XML.test(key));
  for (let start = 0; start < listed.length; start += BATCH) {
    await deleteBatch(s3, listed.slice(start, start + BATCH));
  }
  for (const Key of all.filter((key) => NOT_IN_XML.test(key))) {
    await s3.find(new DeleteObjectCommand({ Bucket: s3.bucket, Key }));
  }
}

async function deleteBatch(s3: S3Connection, keys: readonly string[]): Promise<void> {
  const { Errors = [] } = await s3.send(
    new DeleteObjectsCommand({
      Bucket: s3.bucket,
      Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
    }),
    keys.length * OBJECT_MS,
  );
  const [failed] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
  if (!failed) return;
  const error = new Error(`${Errors.length} objects were not deleted: ${failed.Code}`);
  throw s3Failure(Object.assign(error, { name: failed.Code ?? 'Error' }));
}
