import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Clock } from '#kernel';
import type {
  ByteRange,
  CopyOptions,
  MultipartStorage,
  MultipartUpload,
  ObjectBody,
  ObjectHeaders,
  ObjectInfo,
  ObjectStorage,
  SigningLimits,
  UploadedPart,
} from '../index.ts';

interface StoredObject {
  readonly info: ObjectInfo;
  readonly bytes: Buffer;
  readonly headers: ObjectHeaders | undefined;
}

const LIST_GROUP = 10;

/** Objects in a map. */
export class InMemoryObjectStorage implements ObjectStorage {
  readonly parts: MultipartStorage = {
    begin: async (key, count) => this.#begin(key, count),
    sign: async ({ key, id, count }, limits) =>
      Promise.all(Array.from({ length: count }, (_, index) => this.signPut(`${key}.${id}.${index + 1}`, limits))),
    list: async (upload) => this.#sent(upload),
    join: async (upload, parts) => this.#join(upload, parts),
    abandon: async ({ id }) => {
      this.#parts.delete(id);
    },
  };
  readonly #objects = new Map<string, StoredObject>();
  readonly #parts = new Map<string, Map<number, { readonly bytes: Buffer; readonly etag: string }>>();
  #etags = 0;

  constructor(private readonly clock: Clock) {}

  /** All keys, sorted. */
  get keys(): readonly string[] {
    return [...this.#objects.keys()].sort();
  }

  /** The response headers of the object. */
  headersOf(key: string): ObjectHeaders | undefined {
    return this.#objects.get(key)?.headers;
  }

  async signPut(key: string, { expiresAt, maxBytes }: SigningLimits): Promise<string> {
    const query = `expires=${expiresAt.toISOString()}&max_bytes=${maxBytes}`;
    return `https://files.example.com/${key}?${query}`;
  }

  async signGet(key: string, expiresAt: Date): Promise<string> {
    return `https://files.example.com/${encodeURI(key)}?get_until=${expiresAt.toISOString()}`;
  }

  /** Reads from a signed URL, as a client does; `null` when it is refused. */
  fetch(url: string): Buffer | null {
    const { pathname, searchParams } = new URL(url);
    const until = new Date(searchParams.get('get_until') ?? 0);
    const found = this.#objects.get(decodeURI(pathname.slice(1)));
    return until > this.clock.now() && found ? found.bytes : null;
  }

  /** Sends bytes to a signed URL, as a client does. */
  receive(url: string, bytes: Buffer): void {
    const key = new URL(url).pathname.slice(1);
    const etag = String(++this.#etags);
    const [, id = '', number] = /\.(parts-\d+)\.(\d+)$/.exec(key) ?? [];
    if (number === undefined) this.#store(key, bytes, undefined, etag);
    else this.#parts.get(id)?.set(Number(number), { bytes, etag });
  }

  #begin(key: string, count: number): MultipartUpload {
    const id = `parts-${++this.#etags}`;
    this.#parts.set(id, new Map());
    return { key, id, count };
  }

  #sent({ id }: MultipartUpload): readonly UploadedPart[] {
    return [...(this.#parts.get(id) ?? [])]
      .map(([number, { bytes, etag }]) => ({ number, size: bytes.length, etag }))
      .sort((one, other) => one.number - other.number);
  }

  #join({ key, id }: MultipartUpload, parts: readonly UploadedPart[]): ObjectInfo | null {
    const sent = parts.map(({ number, etag }) => {
      const part = this.#parts.get(id)?.get(number);
      return part?.etag === etag ? part.bytes : null;
    });
    const bytes = sent.filter((each) => each !== null);
    if (bytes.length < sent.length) return null;
    this.#parts.delete(id);
    return this.#store(key, Buffer.concat(bytes), undefined, String(++this.#etags));
  }

  async requireSpace(): Promise<void> {}

  async head(key: string): Promise<ObjectInfo | null> {
    return this.#objects.get(key)?.info ?? null;
  }

  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    const bytes = this.#objects.get(key)?.bytes;
    if (!bytes) return null;
    const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
    return Readable.from(part.length > 0 ? [part] : []);
  }

  async put(key: string, body: ObjectBody, headers: ObjectHeaders): Promise<ObjectInfo> {
    const bytes = 'file' in body ? await readFile(body.file) : Buffer.from(body.bytes);
    return this.#store(key, bytes, headers, String(++this.#etags));
  }

  async putStream(key: string, chunks: AsyncIterable<Uint8Array>, headers: ObjectHeaders): Promise<ObjectInfo> {
    return this.#store(key, await buffer(chunks), headers, String(++this.#etags));
  }

  async copy(from: string, to: string, options: CopyOptions): Promise<ObjectInfo | null> {
    const source = this.#objects.get(from);
    if (!source || (options.ifMatch !== undefined && source.info.etag !== options.ifMatch)) return null;
    return this.#store(to, source.bytes, options.headers ?? source.headers, source.info.etag);
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#objects.delete(key);
  }

  async *list(prefix: string, after = ''): AsyncIterable<readonly ObjectInfo[]> {
    const keys = this.keys.filter((key) => key.startsWith(prefix) && key > after);
    for (let start = 0; start < keys.length; start += LIST_GROUP) {
      yield keys.slice(start, start + LIST_GROUP).flatMap((key) => this.#objects.get(key)?.info ?? []);
    }
  }

  async tidy(): Promise<void> {}

  #store(key: string, bytes: Buffer, headers: ObjectHeaders | undefined, etag: string): ObjectInfo {
    const info = { key, size: bytes.length, etag, modifiedAt: this.clock.now() };
    this.#objects.set(key, { info, bytes, headers });
    return info;
  }
}
