import { randomBytes } from 'node:crypto';
import { forEach } from '#kernel';
import type { MultipartStorage, MultipartUpload, ObjectInfo, SignedPut, SigningLimits, UploadedPart } from '#files';
import { FILES_AT_ONCE, translated, writeDurably } from './disk-files.ts';
import { infoOf } from './disk-layout.ts';
import type { DiskObjects } from './disk-objects.ts';

/** A part has been replaced or removed since it was listed. */
class PartChanged extends Error {}

/** Objects in parts: each part is an object of its own until they are joined. */
export class DiskParts implements MultipartStorage {
  constructor(
    private readonly objects: DiskObjects,
    private readonly signPut: (key: string, limits: SigningLimits) => SignedPut,
  ) {}

  /** Nothing is created: parts are objects under keys that only their upload knows. */
  async begin(key: string, count: number): Promise<MultipartUpload> {
    return { key, id: randomBytes(9).toString('base64url'), count };
  }

  async sign(upload: MultipartUpload, limits: SigningLimits): Promise<readonly SignedPut[]> {
    return keysOf(upload).map((key) => this.signPut(key, limits));
  }

  async list(upload: MultipartUpload): Promise<readonly UploadedPart[]> {
    const parts: UploadedPart[] = [];
    const find = async ([index, key]: [number, string]): Promise<void> => {
      const record = await this.objects.find(key);
      if (record) parts.push({ number: index + 1, size: record.size, etag: record.etag });
    };
    await translated(forEach(keysOf(upload).entries(), FILES_AT_ONCE, find));
    return parts.sort((one, other) => one.number - other.number);
  }

  async join(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<ObjectInfo | null> {
    const headers = { contentType: 'application/octet-stream' };
    try {
      const whole = this.objects.store(upload.key, headers, (path) => writeDurably(path, this.#bytesOf(upload, parts)));
      const info = infoOf(await translated(whole));
      await this.abandon(upload);
      return info;
    } catch (error) {
      if (error instanceof PartChanged) return null;
      throw error;
    }
  }

  async abandon(upload: MultipartUpload): Promise<void> {
    await translated(this.objects.remove(keysOf(upload)));
  }

  async *#bytesOf(upload: MultipartUpload, parts: readonly UploadedPart[]): AsyncGenerator<Uint8Array> {
    for (const { number, etag } of parts) {
      const opened = await this.objects.open(keyOf(upload, number));
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

function keysOf(upload: MultipartUpload): readonly string[] {
  return Array.from({ length: upload.count }, (_, index) => keyOf(upload, index + 1));
}

function keyOf({ key, id }: MultipartUpload, number: number): string {
  return `${key}.${id}.${number}`;
}
