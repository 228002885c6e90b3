import { stagingKey } from '../domain/object-key.ts';
import { leftoversOf, type Upload } from '../domain/upload.ts';
import type { MultipartUpload, ObjectStorage } from '../ports/object-storage.ts';

/** Uploads in parts that are given up at the same time, each in a call of its own. */
const AT_ONCE = 8;

/** Deletes what these uploads may have left behind. */
export async function deleteLeftovers(storage: ObjectStorage, uploads: readonly Upload[]): Promise<void> {
  const waiting = uploads.flatMap(({ token, parts }): MultipartUpload[] =>
    parts ? [{ key: stagingKey(token), ...parts }] : [],
  );
  const giveUp = async (): Promise<void> => {
    for (let each = waiting.pop(); each; each = waiting.pop()) await storage.abandonParts(each);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, giveUp));
  await storage.delete(uploads.flatMap(leftoversOf));
}
