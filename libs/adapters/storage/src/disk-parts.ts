import { randomBytes } from 'node:crypto';
import { forEach } from '#kernel';
import type { MultipartStorage, MultipartUpload, ObjectInfo, SigningLimits, UploadedPart } from '#files';
import { FILES_AT_ONCE, writeDurably } from './disk-files.ts';
import type { DiskObjects } from './disk-objects.ts';

/** A part has been replaced or removed since it was listed. */
class PartChanged extends Error {}

/** Uploads in parts: each part is an object until the parts are joined. */
export class DiskParts implements MultipartStorage {
  constructor(
    private readonly objects: DiskObjects,
    private readonly signPut: (key: string, limits: SigningLimits) => string,
  ) {}

  /** Creates nothing: parts are objects under secret keys. */
  async begin(key: string, count: number): Promise<MultipartUpload> {
    return { key, id: randomBytes(9).toString('base64url'), count };
  }

  async sign(upload: MultipartUpload, limits: SigningLimits): Promise<readonly string[]> {
    return keysOf(upload).map((key) => this.signPut(key, limits));
  }

  async list(upload: MultipartUpload): Promise<readonly UploadedPart[]> {
    const parts: UploadedPart[] = [];
    await forEach(keysOf(upload).entries(), FILES_AT_ONCE, async ([index, key]) => {
      const part = await this.objects.head(key);
      if (part) parts.push({ number: index + 1, size: part.size, etag: part.etag });
    });
    return parts.sort((one, other) => one.number - other.number);
  }

  async join(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<ObjectInfo | null> {
    const headers = { contentType: 'application/octet-stream' };
    const write = (path: string): Promise<number> => writeDurably(path, this.#bytesOf(upload, parts));
    try {
      const whole = await this.objects.store(upload.key, headers, write);
      await this.abandon(upload);
      return whole;
    } catch (error) {
      if (error instanceof PartChanged) return null;
      throw error;
    }
  }

  abandon(upload: MultipartUpload): Promise<void> {
    return this.objects.delete(keysOf(upload));
  }

  async *#bytesOf(upload: MultipartUpload, parts: readonly UploadedPart[]): AsyncGenerator<Uint8Array> {
    for (const { number, etag } of parts) {
      const opened = await this.objects.openObject(keyOf(upload, number));
      if (!opened) throw new PartChanged();
      await using bytes = opened.bytes;
      if (opened.record.etag !== etag) throw new PartChanged();
      yield* bytes.createReadStream({ autoClose: false });
    }
  }
}

function keysOf(upload: MultipartUpload): readonly string[] {
  return Array.from({ length: upload.count }, (_, index) => keyOf(upload, index + 1));
}

function keyOf({ key, id }: MultipartUpload, number: number): string {
  return `${key}.${id}.${number}`;
}
