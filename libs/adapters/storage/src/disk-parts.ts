import type { MultipartUpload, UploadedPart } from '#files';
import { forEach, writeDurably } from './disk-files.ts';
import type { DiskObjects } from './disk-objects.ts';
import type { ObjectRecord } from './object-record.ts';

/** A part is not the one that is to be joined. */
class PartChanged extends Error {}

/** Objects in parts: each part is an object of its own until they are joined. */
export class DiskParts {
  readonly #objects: DiskObjects;

  constructor(objects: DiskObjects) {
    this.#objects = objects;
  }

  keysOf(upload: MultipartUpload): readonly string[] {
    return Array.from({ length: upload.count }, (_, index) => keyOf(upload, index + 1));
  }

  async list(upload: MultipartUpload): Promise<readonly UploadedPart[]> {
    const parts: UploadedPart[] = [];
    await forEach([...this.keysOf(upload).entries()], async ([index, key]) => {
      const record = await this.#objects.find(key);
      if (record) parts.push({ number: index + 1, size: record.size, etag: record.etag });
    });
    return parts.sort((one, other) => one.number - other.number);
  }

  /** `null` when one of the parts has changed or is gone. */
  async join(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<ObjectRecord | null> {
    const headers = { contentType: 'application/octet-stream' };
    try {
      const whole = await this.#objects.store(upload.key, headers, (path) =>
        writeDurably(path, this.#bytesOf(upload, parts)),
      );
      await this.remove(upload);
      return whole;
    } catch (error) {
      if (error instanceof PartChanged) return null;
      throw error;
    }
  }

  async remove(upload: MultipartUpload): Promise<void> {
    await this.#objects.remove(this.keysOf(upload));
  }

  async *#bytesOf(upload: MultipartUpload, parts: readonly UploadedPart[]): AsyncGenerator<Uint8Array> {
    for (const { number, etag } of parts) {
      const opened = await this.#objects.open(keyOf(upload, number));
      if (!opened) throw new PartChanged();
      try {
        if (opened.record.etag !== etag) throw new PartChanged();
        yield* opened.bytes.createReadStream({ autoClose: false });
      } finally {
        await opened.bytes.close();
      }
    }
  }
}

function keyOf({ key, id }: MultipartUpload, number: number): string {
  return `${key}.${id}.${number}`;
}
