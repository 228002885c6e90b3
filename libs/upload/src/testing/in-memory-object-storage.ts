import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Clock } from '#kernel';
import {
  StoredUrls,
  type ObjectBody,
  type ObjectHeaders,
  type ObjectInfo,
  type ObjectStorage,
  type SignedPut,
} from '../index.ts';

interface StoredObject {
  readonly info: ObjectInfo;
  readonly bytes: Buffer;
  readonly headers: ObjectHeaders | undefined;
}

const LIST_BATCH = 10;

/** Objects in a map. */
export class InMemoryObjectStorage implements ObjectStorage {
  readonly #objects = new Map<string, StoredObject>();
  readonly #urls = new StoredUrls('https://files.example.com');
  readonly #clock: Clock;
  #etags = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Every key that there is, in order. */
  get keys(): readonly string[] {
    return [...this.#objects.keys()].sort();
  }

  /** How the object is served. */
  headersOf(key: string): ObjectHeaders | undefined {
    return this.#objects.get(key)?.headers;
  }

  async signPut(
    key: string,
    options: { readonly expiresAt: Date; readonly maxBytes: number },
  ): Promise<SignedPut> {
    const query = `expires=${options.expiresAt.toISOString()}&max_bytes=${options.maxBytes}`;
    return { url: `https://files.example.com/${key}?${query}`, headers: {} };
  }

  async head(key: string): Promise<ObjectInfo | null> {
    return this.#objects.get(key)?.info ?? null;
  }

  async open(
    key: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<Readable | null> {
    const bytes = this.#objects.get(key)?.bytes;
    if (!bytes) return null;
    const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
    return Readable.from(part.length > 0 ? [part] : []);
  }

  async put(key: string, body: ObjectBody, headers: ObjectHeaders): Promise<ObjectInfo> {
    const bytes = 'file' in body ? await readFile(body.file) : Buffer.from(body.bytes);
    return this.#store(key, bytes, headers, String(++this.#etags));
  }

  async copy(
    from: string,
    to: string,
    options: { readonly ifMatch?: string; readonly headers?: ObjectHeaders },
  ): Promise<ObjectInfo | null> {
    const source = this.#objects.get(from);
    if (!source || (options.ifMatch !== undefined && source.info.etag !== options.ifMatch)) return null;
    return this.#store(to, source.bytes, options.headers ?? source.headers, source.info.etag);
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#objects.delete(key);
  }

  async *list(prefix: string, after = ''): AsyncIterable<readonly ObjectInfo[]> {
    const keys = this.keys.filter((key) => key.startsWith(prefix) && key > after);
    for (let start = 0; start < keys.length; start += LIST_BATCH) {
      yield keys.slice(start, start + LIST_BATCH).flatMap((key) => this.#objects.get(key)?.info ?? []);
    }
  }

  async tidy(): Promise<void> {}

  publicUrl(key: string): string {
    return this.#urls.urlOf(key);
  }

  keyOf(url: string): string | null {
    return this.#urls.keyOf(url);
  }

  #store(key: string, bytes: Buffer, headers: ObjectHeaders | undefined, etag: string): ObjectInfo {
    const info = { key, size: bytes.length, etag, modifiedAt: this.#clock.now() };
    this.#objects.set(key, { info, bytes, headers });
    return info;
  }
}
