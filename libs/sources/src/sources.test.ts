import { readdir, readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { fileStoreOn } from '../../../test/support/file-store.ts';
import type { StoredFile } from '#files';
import type { OpenedPicture } from './sources.ts';
import { InMemoryPictures } from './testing/in-memory-pictures.ts';
import { picturesContract } from './testing/pictures-contract.ts';
import { anSvg, aPng } from './testing/sample-pictures.ts';
import { SourcesStage } from './testing/sources-stage.ts';

picturesContract('InMemoryPictures', () => new InMemoryPictures());

const forGood = (code: string) => ({ code, retryable: false });

let db: TestDatabase;
let stage: SourcesStage;
beforeAll(async () => {
  db = await createDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  stage = await SourcesStage.open(fileStoreOn(db.database));
});
afterEach(async () => expect(await stage.close()).toEqual([]));

interface Picture {
  url: string;
  fileId?: number | null;
  signal?: AbortSignal;
}

function importFrom(url: string, signal?: AbortSignal): Promise<StoredFile> {
  const { workspaceId, personaId } = stage;
  return stage.sources.importPicture({ workspaceId, personaId, url, signal });
}

const open = (picture: Picture, folder: string): Promise<OpenedPicture> =>
  stage.sources.openPicture({ workspaceId: stage.workspaceId, fileId: null, ...picture }, folder);

describe('importing or opening a picture', () => {
  it.each<[string, () => string, object]>([
    ['something else', () => stage.remote.serve(Buffer.from('text')), forGood('not_an_image')],
    ['too much', () => stage.remote.serve(Buffer.alloc(10_001)), forGood('url_too_large')],
    ['an error', () => stage.remote.refuse(503), { code: 'url_unreachable', retryable: true }],
    ['nothing', () => stage.remote.hang(), { code: 'url_timeout', retryable: true }],
    ['a private address', () => 'http://10.0.0.1/', forGood('url_blocked')],
  ])('fails, and stores nothing, when the URL leads to %s', async (_what, urlOf, failure) => {
    await expect(importFrom(urlOf())).rejects.toMatchObject(failure);
    expect(stage.storage.keys).toEqual([]);
    const opened = stage.folders.use((folder) => open({ url: urlOf() }, folder));
    await expect(opened).rejects.toMatchObject(failure);
  });

  it('throws the reason of an abort', async () => {
    const stop = new AbortController();
    const reason = new Error('the worker stops');
    const imported = importFrom(stage.remote.hang(), stop.signal);
    stop.abort(reason);
    await expect(imported).rejects.toBe(reason);
    expect(stage.storage.keys).toEqual([]);
    const own = await stage.stored(aPng());
    for (const picture of [{ url: stage.urlOf(own), fileId: own.id }, { url: stage.remote.hang() }]) {
      const opened = stage.folders.use((folder) => open({ ...picture, signal: stop.signal }, folder));
      await expect(opened).rejects.toBe(reason);
    }
  });
});

describe('importing a picture', () => {
  it('copies a foreign picture, named after its type, into a file of the persona', async () => {
    const bytes = aPng();
    const file = await importFrom(stage.remote.serve(bytes));
    expect(file).toMatchObject({
      workspaceId: stage.workspaceId,
      personaId: stage.personaId,
      origin: 'import',
      filename: 'picture.png',
      contentType: 'image/png',
      size: bytes.length,
      expiresAt: null,
    });
    await expect((await stage.storage.open(file.key))!.toArray()).resolves.toEqual([bytes]);
  });

  it('stores a drawing unchanged', async () => {
    const file = await importFrom(stage.remote.serve(anSvg()));
    expect(file).toMatchObject({ filename: 'picture.svg', contentType: 'image/svg+xml' });
  });

  it('returns a stored picture of the workspace without fetching or copying it', async () => {
    const own = await stage.stored(aPng());
    const before = stage.storage.keys;
    await expect(importFrom(stage.urlOf(own))).resolves.toEqual(own);
    expect(stage.storage.keys).toEqual(before);
  });

  it('refuses a stored file that is not a picture', async () => {
    const film = await stage.stored(Buffer.from('film'), { contentType: 'video/mp4', filename: 'film.mp4' });
    await expect(importFrom(stage.urlOf(film))).rejects.toMatchObject(forGood('not_an_image'));
  });

  it('reports a file of another workspace as missing', async () => {
    const { workspaceId } = await stage.store.newWorkspace();
    const foreign = await stage.stored(aPng(), { workspaceId });
    for (const key of [foreign.key, 'files/unknown/picture.png']) {
      await expect(importFrom(stage.urlOf({ key }))).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('makes another copy each time', async () => {
    const url = stage.remote.serve(aPng());
    const [one, other] = await Promise.all([importFrom(url), importFrom(url)]);
    expect(one.id).not.toBe(other.id);
    for (const { key, size } of [one, other]) {
      await expect(stage.storage.head(key)).resolves.toMatchObject({ size });
    }
  });
});

describe('opening a picture', () => {
  it('copies stored and foreign pictures into a folder', async () => {
    const own = await stage.stored(aPng({ width: 5, height: 6 }));
    const foreign = stage.remote.serve(aPng({ width: 7, height: 8 }));
    await stage.folders.use(async (folder) => {
      const one = await open({ url: stage.urlOf(own), fileId: own.id }, folder);
      const other = await open({ url: foreign }, folder);
      expect(one).toMatchObject({ contentType: 'image/png', width: 5, height: 6 });
      expect(other).toMatchObject({ contentType: 'image/png', width: 7, height: 8 });
      await expect(readFile(one.file)).resolves.toEqual(aPng({ width: 5, height: 6 }));
      await expect(readFile(other.file)).resolves.toEqual(aPng({ width: 7, height: 8 }));
      expect(await readdir(folder)).toHaveLength(2);
    });
  });

  it('uses the file id, not the URL, which may belong to an expired temporary file', async () => {
    const own = await stage.stored(aPng());
    const url = stage.urlOf({ key: 'files/gone/x12tmp-a.png' });
    const opened = stage.folders.use((folder) => open({ url, fileId: own.id }, folder));
    await expect(opened).resolves.toMatchObject({ width: 4, height: 3 });
  });

  it('reduces pictures and drawings if requested', async () => {
    const large = stage.remote.serve(aPng({ width: 30, height: 20 }));
    const drawing = stage.remote.serve(anSvg({ width: 30, height: 20 }));
    await stage.folders.use(async (folder) => {
      for (const url of [large, drawing]) {
        const picture = { workspaceId: stage.workspaceId, fileId: null, url };
        const reduced = await stage.sources.openPicture(picture, folder, 15);
        expect(reduced).toMatchObject({ width: 15, height: 10 });
        expect(await new InMemoryPictures().examine(reduced.file)).toMatchObject({ width: 15, height: 10 });
      }
    });
  });

  it('renders stored and foreign drawings', async () => {
    const drawing = anSvg({ width: 20, height: 10 });
    const own = await stage.stored(drawing, { contentType: 'image/svg+xml', filename: 'own.svg' });
    await stage.folders.use(async (folder) => {
      for (const picture of [{ url: stage.urlOf(own), fileId: own.id }, { url: stage.remote.serve(drawing) }]) {
        const opened = await open(picture, folder);
        expect(opened.contentType).toBe('image/png');
        expect(opened.width).toBe(2 * opened.height);
        expect((await readFile(opened.file)).toString('latin1', 1, 4)).toBe('PNG');
      }
    });
  });

  const stored = async (bytes: Buffer, options?: Parameters<SourcesStage['stored']>[1]): Promise<Picture> => {
    const file = await stage.stored(bytes, options);
    return { url: stage.urlOf(file), fileId: file.id };
  };
  const gone = async () => ({ url: stage.urlOf({ key: 'files/gone/a.png' }), fileId: 404 });
  const unnamed = async () => ({ url: (await stored(aPng())).url });
  const foreign = async () => stored(aPng(), { workspaceId: (await stage.store.newWorkspace()).workspaceId });
  const film = () => stored(Buffer.from('film'), { contentType: 'video/mp4', filename: 'a.mp4' });
  const large = () => stored(Buffer.concat([aPng(), Buffer.alloc(10_000)]));
  it.each<[string, () => Promise<Picture>, object]>([
    ['a file that is gone', gone, forGood('url_unreachable')],
    ['a stored URL that names no file of the workspace', unnamed, forGood('url_unreachable')],
    ['a file of another workspace', foreign, forGood('url_unreachable')],
    ['a film', film, forGood('not_an_image')],
    ['a stored picture that is broken', () => stored(aPng().subarray(0, 40)), forGood('not_an_image')],
    ['a stored picture that is too large', large, forGood('url_too_large')],
  ])('refuses %s', async (_what, pictureOf, failure) => {
    const picture = await pictureOf();
    await expect(stage.folders.use((folder) => open(picture, folder))).rejects.toMatchObject(failure);
  });

  it('accepts a stored picture of exactly the allowed size', async () => {
    const png = aPng();
    const picture = await stored(Buffer.concat([png, Buffer.alloc(10_000 - png.length)]));
    await expect(stage.folders.use((folder) => open(picture, folder))).resolves.toMatchObject({ width: 4 });
  });
});
