import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  bringBackBytes,
  exportKey,
  fileKey,
  frozenKey,
  keepBytes,
  keptKey,
  MIN_PART_BYTES,
  placeOf,
  privatePlaceOf,
  privateKey,
  stagingKey,
  withPrivatePlaces,
  type ObjectInfo,
  type ObjectStorage,
} from '../index.ts';
import { temporaryFolder } from '../../../sources/src/testing/temporary-folder.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { filenames, someToken } from './builders.ts';

const PICTURE = { contentType: 'image/png' };
const limits = () => ({ expiresAt: new Date(Date.now() + 3_600_000), maxBytes: 100_000_000 });

/** A storage, and functions that send bytes to its signed URLs, and read from them: `null` when that is refused. */
export interface StorageAndClient {
  readonly storage: ObjectStorage;
  send(url: string, bytes: Buffer): Promise<unknown>;
  fetch(url: string): Promise<Buffer | null>;
}

/** The contract of every adapter of `ObjectStorage`. `make` may return the same storage each time. */
export function objectStorageContract(name: string, make: () => Promise<StorageAndClient>): void {
  describe(`object storage: ${name}`, () => {
    const { save } = temporaryFolder();
    let storage: ObjectStorage;
    let send: StorageAndClient['send'];
    let fetch: StorageAndClient['fetch'];
    beforeAll(async () => {
      const made = await make();
      storage = made.storage;
      send = (url, bytes) => made.send(url, bytes);
      fetch = (url) => made.fetch(url);
    });
    const put = (key: string, text: string) => storage.put(key, { bytes: Buffer.from(text) }, PICTURE);
    const textAt = async (key: string) => (await contentOf(await storage.open(key))).toString();

    it('returns stored bytes, whole or in part', async () => {
      const bytes = fc.uint8Array({ maxLength: 3000 }).map((array) => Buffer.from(array));
      await fc.assert(
        fc.asyncProperty(filenames, bytes, fc.nat(3000), fc.nat(3000), async (filename, given, start, length) => {
          const key = fileKey(someToken(), filename);
          const info = await storage.put(key, { bytes: given }, PICTURE);
          expect(info).toMatchObject({ key, size: given.length });
          expect(await storage.head(key)).toEqual({ ...info, modifiedAt: expect.any(Date) });
          expect(await contentOf(await storage.open(key))).toEqual(given);
          const part = await storage.open(key, { start, end: start + length });
          expect(await contentOf(part)).toEqual(given.subarray(start, start + length + 1));
        }),
        { numRuns: 50 },
      );
    });

    it('stores a local file, and leaves that file unchanged', async () => {
      const bytes = Buffer.alloc(300_000, 'picture');
      const file = await save(bytes, 'picture.png');
      const key = fileKey(someToken(), 'picture.png');
      expect(await storage.put(key, { file }, PICTURE)).toMatchObject({ size: bytes.length });
      await writeFile(file, 'changed later');
      expect(await contentOf(await storage.open(key))).toEqual(bytes);
    });

    it('stores a stream of unknown size, in its order', async () => {
      const key = exportKey(someToken());
      const chunks = Array.from({ length: 300 }, (_, index) => Buffer.alloc(1 + index * 37, String(index)));
      const info = await storage.putStream(key, Readable.from(chunks), { contentType: 'application/zip' });
      const whole = Buffer.concat(chunks);
      expect(info).toMatchObject({ key, size: whole.length });
      expect((await contentOf(await storage.open(key))).equals(whole)).toBe(true);
      expect((await listed(storage, 'exports/')).map((each) => each.key)).toContain(key);
    });

    it('stores nothing of a stream that fails, and throws its error', async () => {
      const key = exportKey(someToken());
      const failing = async function* () {
        yield Buffer.alloc(1_000_000);
        throw new Error('no more bytes');
      };
      const headers = { contentType: 'application/zip' };
      await expect(storage.putStream(key, failing(), headers)).rejects.toThrow('no more bytes');
      expect(await storage.head(key)).toBeNull();
      await storage.putStream(key, Readable.from([Buffer.from('whole')]), headers);
      await expect(storage.putStream(key, failing(), headers)).rejects.toThrow('no more bytes');
      expect(await textAt(key)).toBe('whole');
    });

    it('returns null for a missing object', async () => {
      const key = stagingKey(someToken());
      expect(await storage.head(key)).toBeNull();
      expect(await storage.open(key)).toBeNull();
      expect(await storage.open(key, { start: 0, end: 9 })).toBeNull();
      expect(await storage.copy(key, frozenKey(someToken(), 'a'), {})).toBeNull();
    });

    it('replaces an object, with a new etag and time', async () => {
      const key = stagingKey(someToken());
      const first = await put(key, 'first');
      const second = await put(key, 'the second');
      expect(second).toMatchObject({ key, size: 10 });
      expect(second.etag).not.toBe(first.etag);
      const reported = [second, (await storage.head(key))!, ...(await listed(storage, key))];
      expect(reported).toHaveLength(3);
      for (const { modifiedAt } of reported) {
        expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
      }
      expect(await textAt(key)).toBe('the second');
    });

    it('never shows a partial or missing object while it is being replaced', async () => {
      const key = stagingKey(someToken());
      const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000));
      await put(key, texts[0]!);
      let writing = true;
      const writers = Promise.all(
        texts.map(async (text) => {
          for (let round = 0; round < 5; round++) await put(key, text);
        }),
      ).finally(() => (writing = false));
      while (writing) {
        expect(texts.includes(await textAt(key))).toBe(true);
      }
      await writers;
    });

    it('can be read to the end after it was replaced or deleted', async () => {
      const key = stagingKey(someToken());
      const text = 'long '.repeat(100_000);
      await put(key, text);
      const [one, other] = [await storage.open(key), await storage.open(key)];
      await put(key, 'short');
      expect((await contentOf(one)).toString()).toBe(text);
      await storage.delete([key]);
      expect((await contentOf(other)).toString()).toBe(text);
    });

    it('copies an object onto an existing one, and the copy stays unchanged when the source changes', async () => {
      const [from, to] = [stagingKey(someToken()), fileKey(someToken(), 'a picture.png')];
      await put(to, 'old');
      const { etag } = await put(from, 'the bytes');
      await storage.copy(from, to, { ifMatch: etag, headers: PICTURE });
      const copy = await storage.copy(from, to, { ifMatch: etag, headers: PICTURE });
      expect(copy).toMatchObject({ key: to, size: 9 });
      await put(from, 'others');
      await storage.delete([from]);
      expect(await textAt(to)).toBe('the bytes');
      expect(await storage.head(to)).toMatchObject({ size: 9, etag: copy!.etag });
    });

    it('does not copy an object whose etag has changed', async () => {
      const [from, to] = [stagingKey(someToken()), frozenKey(someToken(), 'a')];
      const { etag } = await put(from, 'seen');
      await put(from, 'not seen');
      expect(await storage.copy(from, to, { ifMatch: etag })).toBeNull();
      expect(await storage.head(to)).toBeNull();
    });

    it('copies one complete version while the source is being replaced', async () => {
      const from = stagingKey(someToken());
      const write = (letter: string) => put(from, letter.repeat(50_000));
      await write('x');
      const writer = (async () => {
        for (const letter of 'abcdefghij') await write(letter);
      })();
      for (let round = 0; round < 20; round++) {
        const to = frozenKey(someToken(), String(round));
        const seen = await storage.head(from);
        const copy = await storage.copy(from, to, { ifMatch: seen!.etag });
        if (!copy) continue;
        const text = await textAt(to);
        expect([text.length, new Set(text).size]).toEqual([50_000, 1]);
      }
      await writer;
    });

    it('deletes many objects at once, and ignores missing ones', async () => {
      const keys = Array.from({ length: 1100 }, (_, index) => frozenKey(someToken(), String(index)));
      const there = keys.filter((_, index) => index % 10 === 0);
      await Promise.all(there.map((key) => put(key, 'x')));
      const kept = fileKey(someToken(), 'kept.png');
      await put(kept, 'kept');
      await storage.delete([...keys, keys[0]!]);
      await storage.delete([]);
      expect(await Promise.all(there.map((key) => storage.head(key)))).toEqual(there.map(() => null));
      expect(await storage.head(kept)).not.toBeNull();
    });

    it('moves bytes out of the public prefix and back, repeatedly, and reports missing objects', async () => {
      const [key, missing] = [fileKey(someToken(), 'a picture.png'), fileKey(someToken(), 'missing.png')];
      await put(key, 'kept');
      expect(await keepBytes(storage, [key, missing])).toEqual([key]);
      expect(await keepBytes(storage, [key, missing])).toEqual([]);
      expect(await Promise.all([storage.head(key), storage.head(missing)])).toEqual([null, null]);
      expect(await textAt(keptKey(key))).toBe('kept');
      expect((await listed(storage, 'kept/')).map((info) => info.key)).toContain(keptKey(key));
      const files = [key, missing].map((each) => ({ key: each, isPrivate: false }));
      expect(await bringBackBytes(storage, files)).toEqual([key]);
      expect(await bringBackBytes(storage, files)).toEqual([]);
      expect(await textAt(key)).toBe('kept');
      expect(await storage.head(keptKey(key))).toBeNull();
    });

    it('finds the object of a file at either place, and deletes both', async () => {
      const placed = withPrivatePlaces(storage);
      for (const isPrivate of [false, true]) {
        const key = fileKey(someToken(), 'a picture.png');
        const place = placeOf({ key, isPrivate });
        await put(place, 'bytes');
        expect((await placed.head(key))?.size).toBe(5);
        expect((await contentOf(await placed.open(key, { start: 1, end: 2 }))).toString()).toBe('yt');
        const copy = fileKey(someToken(), 'copy.png');
        expect(await placed.copy(key, copy, {})).toMatchObject({ key: copy, size: 5 });
        expect(await placed.copy(key, place, {})).toMatchObject({ size: 5 });
        await placed.delete([key]);
        expect(await Promise.all([storage.head(key), storage.head(privatePlaceOf(key))])).toEqual([null, null]);
        expect(await Promise.all([placed.head(key), placed.open(key), placed.copy(key, copy, {})])).toEqual([
          null,
          null,
          null,
        ]);
      }
    });

    it('lists the objects under a prefix, each once, and continues after any key', async () => {
      const token = someToken();
      const infos = new Map<string, ObjectInfo>();
      for (let index = 0; index < 25; index++) {
        const key = fileKey(token, `${index}.png`);
        infos.set(key, await put(key, 'x'.repeat(index)));
      }
      await put(fileKey(someToken(), 'another.png'), 'x');
      await put(stagingKey(token), 'staged');
      const frozen = (await listed(storage, 'frozen/')).map(({ key }) => key);
      expect(frozen.filter((key) => key.includes(token))).toEqual([]);
      expect((await listed(storage, 'staging/')).map(({ key }) => key)).toContain(stagingKey(token));
      const all = await listed(storage, `files/${token}/`);
      expect(all.map((info) => info.key).sort()).toEqual([...infos.keys()].sort());
      for (const info of all) expect(info).toEqual({ ...infos.get(info.key), modifiedAt: expect.any(Date) });
      const rest = await listed(storage, `files/${token}/`, all[9]!.key);
      expect(rest).toEqual(all.slice(10));
      await storage.delete([all[9]!.key]);
      expect(await listed(storage, `files/${token}/`, all[9]!.key)).toEqual(rest);
      expect(await listed(storage, `files/${token}/`, all[24]!.key)).toEqual([]);
    });

    it('accepts bytes sent to a signed URL', async () => {
      const key = stagingKey(someToken());
      const url = await storage.signPut(key, limits());
      for (const text of ['first', 'the second']) {
        await send(url, Buffer.from(text));
        expect(await textAt(key)).toBe(text);
      }
    });

    it('lets a private object be read through a signed URL, and nothing else, until its time', async () => {
      const [key, other] = [privateKey(someToken(), 'a b.safetensors'), privateKey(someToken(), 'b.safetensors')];
      const bytes = Buffer.alloc(300_000, 'weights');
      await storage.put(key, { bytes }, { contentType: 'application/octet-stream' });
      await put(other, 'others');
      const url = await storage.signGet(key, limits().expiresAt);
      expect((await fetch(url))?.equals(bytes)).toBe(true);
      const late = await storage.signGet(key, new Date(Date.now() + 1_000));
      await eventually(async () => (await fetch(late)) === null);
      const { origin, pathname } = new URL(url);
      expect(await fetch(origin + pathname)).toBeNull();
      await storage.delete([key]);
      expect(await fetch(url)).toBeNull();
    });

    describe('an object in parts', () => {
      const begin = async (count: number) => {
        const upload = await storage.parts.begin(stagingKey(someToken()), count);
        const urls = await storage.parts.sign(upload, limits());
        expect(new Set(urls).size).toBe(count);
        return { upload, urls };
      };
      const part = (letter: string, size = MIN_PART_BYTES) => Buffer.alloc(size, letter);

      it('exists once its parts are joined, in the order of their numbers', async () => {
        const { upload, urls } = await begin(3);
        for (const [url, bytes] of [
          [urls[2]!, part('c', 1234)],
          [urls[0]!, part('x')],
          [urls[1]!, part('b')],
          [urls[0]!, part('a')],
        ] as const) {
          await send(url, bytes);
          expect(await storage.head(upload.key)).toBeNull();
        }
        const parts = await storage.parts.list(upload);
        expect(parts.map(({ number, size }) => [number, size])).toEqual([
          [1, MIN_PART_BYTES],
          [2, MIN_PART_BYTES],
          [3, 1234],
        ]);
        const whole = await storage.parts.join(upload, parts);
        expect(whole).toMatchObject({ key: upload.key, size: 2 * MIN_PART_BYTES + 1234 });
        const bytes = await contentOf(await storage.open(upload.key));
        expect(bytes.equals(Buffer.concat([part('a'), part('b'), part('c', 1234)]))).toBe(true);
        expect(await storage.parts.list(upload)).toEqual([]);
        const copy = await storage.copy(upload.key, frozenKey(someToken(), 'a'), { ifMatch: whole!.etag });
        expect(copy).toMatchObject({ size: whole!.size });
      });

      const begun = async () => {
        const { upload, urls } = await begin(1);
        await send(urls[0]!, part('a', 10));
        return { upload, url: urls[0]!, parts: await storage.parts.list(upload) };
      };

      it('is joined once', async () => {
        const { upload, parts } = await begun();
        const joined = await Promise.all([storage.parts.join(upload, parts), storage.parts.join(upload, parts)]);
        expect(joined.some((info) => info?.size === 10)).toBe(true);
        await storage.parts.join(upload, parts).catch(() => null);
        expect(await textAt(upload.key)).toBe('a'.repeat(10));
      });

      it('is not joined from a part that was sent again since', async () => {
        const { upload, url, parts } = await begun();
        await send(url, part('b', 11));
        expect(await storage.parts.join(upload, parts)).toBeNull();
        expect(await storage.head(upload.key)).toBeNull();
        expect(await storage.parts.join(upload, await storage.parts.list(upload))).toMatchObject({ size: 11 });
      });

      it('does not affect other objects, and can be abandoned with its parts repeatedly', async () => {
        const [{ upload, parts }, other] = [await begun(), await begin(2)];
        expect(await storage.parts.list(other.upload)).toEqual([]);
        expect(parts).toHaveLength(1);
        for (let time = 0; time < 2; time++) await storage.parts.abandon(upload);
        expect(await storage.parts.list(upload)).toEqual([]);
        expect(await storage.parts.join(upload, parts)).toBeNull();
        expect(await listed(storage, upload.key)).toEqual([]);
      });
    });

    it('does its housekeeping and keeps stored objects', async () => {
      const key = fileKey(someToken(), 'kept.png');
      await put(key, 'kept');
      for (let turn = 0; turn < 3; turn++) await storage.tidy();
      expect(await textAt(key)).toBe('kept');
    });

    afterAll(async () => {
      for (const prefix of ['exports/', 'files/', 'frozen/', 'kept/', 'staging/', 'weights/']) {
        for await (const group of storage.list(prefix)) await storage.delete(group.map(({ key }) => key));
      }
    });
  });
}

export async function contentOf(stream: Readable | null): Promise<Buffer> {
  if (!stream) throw new Error('there is no such object');
  return buffer(stream);
}

async function listed(storage: ObjectStorage, prefix: string, after?: string): Promise<ObjectInfo[]> {
  const all: ObjectInfo[] = [];
  for await (const group of storage.list(prefix, after)) all.push(...group);
  return all;
}
