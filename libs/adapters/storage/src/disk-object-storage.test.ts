import { link, mkdir, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import { contentOf } from '#testing/files';
import { temporaryFolder } from '../../../sources/src/testing/temporary-folder.ts';
import { DiskObjectStorage } from './disk-object-storage.ts';
import { DiskLayout, FOLDERS, isTurnOver, newVersion } from './disk-layout.ts';

const HOUR = 3_600;
const PICTURE = { contentType: 'image/png' };

const { fileAt } = temporaryFolder();
let root: string;
let clock: ManualClock;
let storage: DiskObjectStorage;
beforeEach(() => {
  root = fileAt('');
  clock = new ManualClock(new Date());
  storage = open();
});

const open = (secret = 's'.repeat(32)) =>
  new DiskObjectStorage({ root, publicUrl: 'https://api.example.com/base/', secret, clock });
const put = (key: string, text: string) => storage.put(key, { bytes: Buffer.from(text) }, PICTURE);
const bytesOf = async (key: string) => (await contentOf(await storage.open(key))).toString();
const filesOnDisk = async () =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** One turn, which is a whole round where so few files are. */
async function tidyAfter(seconds: number): Promise<void> {
  clock.advance(seconds);
  await storage.tidy();
}

describe('the reserve of the disk store', () => {
  const MEGABYTE = 1024 * 1024;
  const reserved = (free: () => number) =>
    new DiskObjectStorage({
      root,
      publicUrl: 'https://api.example.com',
      secret: 's'.repeat(32),
      clock,
      reserveBytes: 100 * MEGABYTE,
      freeBytes: async () => free(),
    });
  const permission = { key: 'staging/a', maxBytes: 100 * MEGABYTE, expiresAt: new Date(2100, 0) };
  const full = { code: 'unavailable', message: expect.stringMatching(/^the disk of the service is full/) };

  it('refuses uploads at the reserve, and objects of the service at half of it', async () => {
    let free = 100 * MEGABYTE;
    const store = reserved(() => free);
    const send = () => store.receive(permission, Readable.from([Buffer.from('bytes')]));
    const keep = () => store.put('files/a/a.png', { bytes: Buffer.from('bytes') }, PICTURE);
    await store.requireSpace();
    await send();
    free--;
    await expect(store.requireSpace()).rejects.toMatchObject(full);
    await expect(send()).rejects.toMatchObject(full);
    free = 50 * MEGABYTE;
    await keep();
    free--;
    await expect(keep()).rejects.toMatchObject(full);
    expect((await store.head('staging/a'))?.size).toBe(5);
  });

  it('ends a stream that reaches it, and keeps nothing of that', async () => {
    let free = 110 * MEGABYTE;
    const chunks = async function* () {
      for (let sent = 0; sent < 40; sent++) {
        free -= MEGABYTE;
        yield Buffer.alloc(MEGABYTE);
      }
    };
    await expect(reserved(() => free).receive(permission, chunks())).rejects.toMatchObject(full);
    expect(free).toBeGreaterThanOrEqual(95 * MEGABYTE);
    expect(await filesOnDisk()).toEqual([]);
  });
});

describe('the disk store', () => {
  it('keeps two files an object, for its own user only, and none of a replaced one', async () => {
    for (const text of ['one', 'two', 'three']) await put('staging/a', text);
    await put('files/token/..', 'a name that means something to file systems');
    await storage.copy('staging/a', 'frozen/a', {});
    expect(await filesOnDisk()).toHaveLength(6);
    for (const file of await filesOnDisk()) expect((await stat(file)).mode & 0o077).toBe(0);
    await storage.delete(['staging/a', 'frozen/a', 'files/token/..']);
    expect(await filesOnDisk()).toEqual([]);
  });

  it('keeps one version after concurrent writes, also of several processes after a tidy', async () => {
    const other = open();
    await Promise.all(Array.from({ length: 20 }, () => put('staging/a', 'one')));
    expect(await filesOnDisk()).toHaveLength(2);
    for (let round = 0; round < 20; round++) {
      await Promise.all([put('staging/a', 'one'), other.put('staging/a', { bytes: Buffer.from('other') }, PICTURE)]);
      expect(['one', 'other']).toContain(await bytesOf('staging/a'));
    }
    await tidyAfter(HOUR + 1);
    expect(await filesOnDisk()).toHaveLength(2);
    expect(['one', 'other']).toContain(await bytesOf('staging/a'));
  });

  it('knows no keys outside its three areas', async () => {
    for (const key of ['', 'a', 'other/a', '../a', '/etc/passwd', 'filesa']) {
      await expect(storage.head(key)).rejects.toThrow(TypeError);
    }
  });

  it('says unavailable, and why, when the disk fails', async () => {
    await writeFile(join(root, 'staging'), 'a file where a folder should be');
    await expect(put('staging/a', 'x')).rejects.toMatchObject({
      code: 'unavailable',
      cause: expect.objectContaining({ syscall: expect.any(String) }),
    });
    await rm(join(root, 'staging'));
    expect(await filesOnDisk()).toEqual([]);
  });

  it('keeps no bytes of a write that fails, at whatever step', async () => {
    await put('staging/a', 'x');
    const before = await filesOnDisk();
    await mkdir(new DiskLayout(root).place('frozen/a').record, { recursive: true });
    await expect(storage.copy('staging/a', 'frozen/a', {})).rejects.toMatchObject({ code: 'unavailable' });
    await expect(put('frozen/a', 'x')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await filesOnDisk()).toEqual(before);
  });

  it('has no object whose record a power cut took', async () => {
    await put('staging/a', 'x');
    await truncate(new DiskLayout(root).place('staging/a').record);
    expect(await storage.head('staging/a')).toBeNull();
    expect(await storage.open('staging/a')).toBeNull();
    await put('staging/a', 'again');
    expect(await bytesOf('staging/a')).toBe('again');
    await tidyAfter(HOUR + 1);
    expect(await filesOnDisk()).toHaveLength(2);
  });

  it('has no object whose bytes are gone', async () => {
    await put('staging/a', 'x');
    const [bytes] = (await filesOnDisk()).filter((file) => !file.endsWith('.json'));
    await rm(bytes!);
    expect(await storage.open('staging/a')).toBeNull();
    expect(await storage.copy('staging/a', 'frozen/a', {})).toBeNull();
  });
});

describe('tidying', () => {
  it('reads a few folders per turn, and all folders if they contain few files', () => {
    const foldersOf = (filesAFolder: number) => {
      let folders = 0;
      while (!isTurnOver(folders, folders * filesAFolder)) folders++;
      return folders;
    };
    expect(foldersOf(0)).toBe(FOLDERS);
    // 10,000 objects of two files each, all in one area.
    expect(foldersOf(20_000 / FOLDERS)).toBe(FOLDERS);
    // Each five minutes, that is a round in eight hours.
    expect(foldersOf(100_000)).toBe(Math.ceil(FOLDERS / 96));
    expect(foldersOf(1_000)).toBe(25);
  });

  it('removes a link that a crash left although its bytes are old, and keeps one of this moment', async () => {
    await put('staging/a', 'x');
    const layout = new DiskLayout(root);
    const [bytes] = (await filesOnDisk()).filter((file) => !file.endsWith('.json'));
    await utimes(bytes!, 0, 0);
    const left = layout.newIncoming(clock.now());
    await link(bytes!, left);
    clock.advance(HOUR + 1);
    const linking = layout.newIncoming(clock.now());
    await link(bytes!, linking);
    // The last name but these: its removal changes the inode, so a link looks young.
    await storage.delete(['staging/a']);
    await storage.tidy();
    expect(await filesOnDisk()).toEqual([linking]);
  });

  it('removes leftovers of crashes after an hour, and nothing else', async () => {
    await put('files/token/kept.png', 'kept');
    await put('files/token/replaced.png', 'old');
    await put('files/token/a.png', 'x');
    await storage.delete(['files/token/a.png']);
    const layout = new DiskLayout(root);
    const blobOf = (key: string) => layout.blob(layout.place(key), newVersion(clock.now()));
    const leftovers = [
      blobOf('files/token/replaced.png'),
      blobOf('files/token/a.png'),
      layout.newIncoming(clock.now()),
    ];
    for (const file of leftovers) await writeFile(file, 'left');
    const before = await filesOnDisk();

    await tidyAfter(HOUR - 60);
    expect((await filesOnDisk()).sort()).toEqual(before.sort());
    await tidyAfter(120);
    expect((await filesOnDisk()).sort()).toEqual(before.filter((file) => !leftovers.includes(file)).sort());
    expect(await bytesOf('files/token/kept.png')).toBe('kept');
    expect(await bytesOf('files/token/replaced.png')).toBe('old');
  });
});

describe('received uploads', () => {
  const permission = { key: 'staging/a', maxBytes: 10, expiresAt: new Date() };
  const receive = (chunks: AsyncIterable<Buffer>) => storage.receive(permission, chunks);

  it('may be as long as is allowed, in pieces of any size', async () => {
    const info = await receive(Readable.from([Buffer.from('12345'), Buffer.alloc(0), Buffer.from('67890')]));
    expect(info.size).toBe(10);
    expect(await bytesOf('staging/a')).toBe('1234567890');
  });

  it('changes nothing when it is too long or breaks off', async () => {
    await put('staging/a', 'before');
    const broken = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('12345');
      throw new Error('broken off');
    };
    await expect(receive(Readable.from([Buffer.alloc(11)]))).rejects.toMatchObject({ code: 'too_large' });
    await expect(receive(broken())).rejects.toThrow('broken off');
    expect(await bytesOf('staging/a')).toBe('before');
    expect(await filesOnDisk()).toHaveLength(2);
  });
});

describe('a signed URL', () => {
  const KEY = 'weights/token/a b.safetensors';
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
  const queryOf = (url: string) => url.split('?')[1]!;
  /** By method: a key, its place in the URL, and what the query of a URL permits. */
  const METHODS = {
    PUT: {
      key: 'staging/a',
      place: 'staging/a',
      sign: (key: string) => storage.signPut(key, { maxBytes: 10, expiresAt: inSeconds(60) }),
      permitted: (key: string) => ({ key, maxBytes: 10, expiresAt: inSeconds(60) }),
      permits: (query: string, key: string, by = storage) => by.permissionOf(key, query),
    },
    GET: {
      key: KEY,
      place: 'weights/token/a%20b.safetensors',
      sign: (key: string) => storage.signGet(key, inSeconds(60)),
      permitted: () => true,
      permits: (query: string, key: string, by = storage) => by.mayRead(key, query) || null,
    },
  } as const;
  const EACH = Object.entries(METHODS);

  it.each(EACH)('of a %s leads to the key below the public URL, for its time', async (_, method) => {
    const { key, permits } = method;
    const permitted = method.permitted(key);
    const [place, query] = (await method.sign(key)).split('?') as [string, string];
    expect(place).toBe(`https://api.example.com/base/storage/${method.place}`);
    for (const by of [storage, open()]) expect(permits(query, key, by)).toEqual(permitted);
    clock.advance(59.999);
    expect(permits(query, key)).toEqual(permitted);
    clock.advance(0.001);
    expect(permits(query, key)).toBeNull();
  });

  it.each(EACH)('of a %s permits nothing else', async (_, { key, sign, permits }) => {
    const query = queryOf(await sign(key));
    const changed = [
      query.replace(/expires=\d/, 'expires=9'),
      query.replace(/signature=.{3}/, 'signature=AAA'),
      query.replace(/&signature=.*/, ''),
      `${query}&max_bytes=99`,
      `x=1&${query}`,
      `${query}A`,
      query.slice(0, -1),
      query.toUpperCase(),
      '',
    ];
    for (const each of changed) expect([each, permits(each, key)]).toEqual([each, null]);
    expect(permits(query, `${key}b`)).toBeNull();
    expect(permits(query, key, open('another secret of 32 characters!'))).toBeNull();
  });

  it('of a PUT permits no more bytes and no reading, and of a GET no PUT', async () => {
    const [put, get] = [queryOf(await METHODS.PUT.sign(KEY)), queryOf(await METHODS.GET.sign(KEY))];
    expect(storage.permissionOf(KEY, put.replace('max_bytes=10', 'max_bytes=11'))).toBeNull();
    expect(storage.mayRead(KEY, put)).toBe(false);
    expect(storage.mayRead(KEY, put.replace(/&max_bytes=\d+/, ''))).toBe(false);
    expect(storage.permissionOf(KEY, get)).toBeNull();
    expect(storage.permissionOf(KEY, get.replace('&signature', '&max_bytes=10&signature'))).toBeNull();
  });
});

it('a served object comes with its headers until its time is over', async () => {
  const expiresAt = new Date(clock.now().getTime() + 1000);
  const headers = { ...PICTURE, cacheControl: 'public', expiresAt };
  await storage.put('files/token/a.png', { bytes: Buffer.from('picture') }, headers);
  const served = await storage.serve('files/token/a.png');
  expect(served).toMatchObject({
    info: { size: 7 },
    headers: { contentType: 'image/png', cacheControl: 'public, max-age=1', expiresAt },
  });
  expect((await contentOf(served!.read({ start: 1, end: 2 }))).toString()).toBe('ic');
  await served!.close();
  clock.advance(1);
  expect(await storage.serve('files/token/a.png')).toBeNull();
  expect(await bytesOf('files/token/a.png')).toBe('picture');
});
