import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FileTypes } from '#files';
import { RecordedJobs } from '#testing/kernel';
import { anSvg, aPng, SourcesStage } from '#testing/sources';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { fileStoreOn } from '../../../test/support/file-store.ts';
import type { MediaSources } from './domain/media.ts';
import { PrepareMedia } from './prepare-media.ts';
import { aFilm, InMemoryVideos } from './testing/in-memory-videos.ts';

const MODEL = Buffer.from('glTF, a cube');

/** Knows the samples of this suite. */
const sampleTypes: FileTypes = {
  async detect(bytes) {
    const text = bytes.toString('latin1');
    if (text.startsWith('\x89PNG')) return 'image/png';
    if (text.startsWith('<svg ')) return 'image/svg+xml';
    if (text.startsWith('film ')) return 'video/mp4';
    return text.startsWith('glTF') ? 'model/gltf-binary' : null;
  },
};

describe('preparing a media', () => {
  let db: TestDatabase;
  let stage: SourcesStage;
  let jobs: RecordedJobs;
  beforeAll(async () => {
    db = await createDatabase();
  });
  afterAll(() => db.drop());
  beforeEach(async () => {
    stage = await SourcesStage.open(fileStoreOn(db.database));
    jobs = new RecordedJobs();
  });
  afterEach(async () => expect(await stage.close()).toEqual([]));

  const prepare = async (given: Partial<MediaSources>, signal = new AbortController().signal) => {
    const { sources, urls, pictures: derivatives, folders, store } = stage;
    const { unitOfWork } = store;
    const outside = { fileTypes: sampleTypes, derivatives, videos: new InMemoryVideos(), jobs };
    const preparation = new PrepareMedia({ ...outside, sources, urls, folders, unitOfWork });
    const wanted = { url: null, controlImage: null, ...given };
    const { content, fileIds } = await preparation.prepare(stage.workspaceId, wanted, signal);
    return { ...content, fileIds };
  };
  const bytesAt = async (key: string | null) => Buffer.concat(await (await stage.storage.open(key!))!.toArray());
  /** What is in the storage besides what was there before. */
  const storedBy = async <T>(work: () => Promise<T>): Promise<readonly [T, readonly string[]]> => {
    const before = stage.storage.keys;
    const result = await work();
    return [result, stage.storage.keys.filter((key) => !before.includes(key))];
  };

  it('stores a foreign picture with two thumbnails, and says what it is', async () => {
    const bytes = aPng({ width: 60, height: 30 });
    const [prepared, keys] = await storedBy(() => prepare({ url: stage.remote.serve(bytes) }));
    expect(prepared).toEqual({
      fileKey: expect.stringMatching(/^files\/.*\/picture\.png$/),
      controlImageKey: null,
      contentType: 'image/png',
      width: 60,
      height: 30,
      duration: null,
      placeholder: expect.any(String),
      thumbnails: [
        { key: expect.stringMatching(/^files\/.*\.webp$/), width: 60, height: 30 },
        { key: expect.stringMatching(/^files\/.*\.webp$/), width: 60, height: 30 },
      ],
      fileIds: [expect.any(Number), expect.any(Number), expect.any(Number)],
    });
    expect(await bytesAt(prepared.fileKey)).toEqual(bytes);
    expect(keys).toHaveLength(3);
    for (const id of prepared.fileIds) {
      await expect(stage.store.files.find(id)).resolves.toMatchObject({
        workspaceId: stage.workspaceId,
        personaId: null,
        origin: 'import',
      });
    }
  });

  const film = { contentType: 'video/mp4', width: 640, height: 320, duration: 7 };
  const drawing = { contentType: 'image/svg+xml', width: 8, height: 4, duration: null };
  const model = { contentType: 'model/gltf-binary', width: null, height: null, duration: null, placeholder: null };
  it.each<[string, Buffer, object, readonly number[]]>([
    ['a video, with thumbnails of a frame', aFilm({ width: 640, height: 320, seconds: 7 }), film, [320, 640]],
    ['a drawing, with thumbnails of it', anSvg({ width: 8, height: 4 }), drawing, [320, 1024]],
    ['a model, without any', MODEL, model, []],
  ])('stores as it is %s', async (_, bytes, facts, thumbnails) => {
    const prepared = await prepare({ url: stage.remote.serve(bytes) });
    expect(prepared).toMatchObject(facts);
    expect(prepared.thumbnails.map(({ width }) => width)).toEqual(thumbnails);
    expect(await bytesAt(prepared.fileKey)).toEqual(bytes);
    expect(prepared.fileIds).toHaveLength(1 + thumbnails.length);
  });

  it('uses a file of the workspace without a copy, and makes thumbnails of it', async () => {
    const own = await stage.stored(aPng({ width: 640, height: 320 }));
    const [prepared, keys] = await storedBy(() => prepare({ url: stage.urlOf(own) }));
    expect(prepared).toMatchObject({
      fileKey: own.key,
      contentType: 'image/png',
      thumbnails: [
        { width: 320, height: 160 },
        { width: 640, height: 320 },
      ],
    });
    expect(prepared.fileIds).toContain(own.id);
    expect(keys).toHaveLength(2);
    expect(keys.every((key) => key.endsWith('.webp'))).toBe(true);
    // The key of a file resolved earlier leads to it too, whatever the public address is by now.
    await expect(prepare({ url: own.key })).resolves.toMatchObject({ fileKey: own.key, width: 640 });
  });

  it('shows the media itself where it has both, and brings the control image along', async () => {
    const control = aPng({ width: 5, height: 5 });
    const prepared = await prepare({
      url: stage.remote.serve(aFilm({ width: 64, height: 32 })),
      controlImage: stage.remote.serve(control),
    });
    expect(prepared).toMatchObject({ contentType: 'video/mp4', width: 64, height: 32 });
    expect(await bytesAt(prepared.controlImageKey)).toEqual(control);
    expect(prepared.fileIds).toHaveLength(4);
  });

  it('shows the control image where that is all there is', async () => {
    const prepared = await prepare({ controlImage: stage.remote.serve(aPng({ width: 640, height: 480 })) });
    expect(prepared).toMatchObject({
      fileKey: null,
      contentType: 'image/png',
      width: 640,
      height: 480,
      thumbnails: [{ width: 320 }, { width: 640 }],
    });
    expect(prepared.placeholder).not.toBeNull();
  });

  it('counts a file that is both sources once', async () => {
    const own = await stage.stored(MODEL, { contentType: 'model/gltf-binary', filename: 'model.glb' });
    const url = stage.urlOf(own);
    await expect(prepare({ url, controlImage: url })).resolves.toMatchObject({
      fileKey: own.key,
      controlImageKey: own.key,
      fileIds: [own.id],
    });
  });

  const broken = aPng({ width: 50, height: 50 }).subarray(0, 60);
  const FAILURES: [string, (stage: SourcesStage) => string, string, boolean?][] = [
    ['to a page', ({ remote }) => remote.serve(Buffer.from('<html>')), 'unsupported_file_type'],
    ['to a broken picture', ({ remote }) => remote.serve(broken), 'not_an_image', false],
    ['to a broken video', ({ remote }) => remote.serve(aFilm().subarray(0, -1)), 'unsupported_file_type'],
    ['to too much', ({ remote }) => remote.serve(Buffer.alloc(10_001)), 'url_too_large', false],
    ['nowhere', ({ remote }) => remote.refuse(503), 'url_unreachable', true],
    ['to something slow', ({ remote }) => remote.hang(), 'url_timeout', true],
    ['inward', () => 'http://10.0.0.1/', 'url_blocked', false],
    ['to no file', (stage) => stage.urlOf({ key: 'files/unknown/picture.png' }), 'not_found'],
  ];
  const failure = (code: string, retryable?: boolean) => ({ code, ...(retryable !== undefined && { retryable }) });
  it.each(FAILURES)('stores nothing when the URL leads %s', async (_, urlOf, ...expected) => {
    await expect(prepare({ url: urlOf(stage) })).rejects.toMatchObject(failure(...expected));
    expect(stage.storage.keys).toEqual([]);
    expect(jobs.announced).toEqual([]);
  });

  it('schedules the deletion of what it has stored when the control image leads nowhere', async () => {
    const sources = { url: stage.remote.serve(aPng()), controlImage: stage.remote.refuse(503) };
    await expect(prepare(sources)).rejects.toMatchObject({ code: 'url_unreachable', retryable: true });
    expect(stage.storage.keys).toHaveLength(1);
    const deletion = { name: 'files.reclaim', payload: { fileIds: [expect.any(Number)] } };
    expect(jobs.announced).toMatchObject([deletion]);
  });

  it("does not delete the workspace's own files", async () => {
    const own = await stage.stored(MODEL, { contentType: 'model/gltf-binary', filename: 'model.glb' });
    const url = stage.urlOf(own);
    const controlImage = stage.remote.refuse(404);
    await expect(prepare({ url, controlImage })).rejects.toMatchObject({ code: 'url_unreachable' });
    expect(jobs.announced).toEqual([]);
  });

  it('does not tell a file of another workspace from one that does not exist', async () => {
    const { workspaceId } = await stage.store.newWorkspace();
    const foreign = await stage.stored(aPng(), { workspaceId });
    await expect(prepare({ url: stage.urlOf(foreign) })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stops when it is aborted, with the reason of the signal', async () => {
    const stop = new AbortController();
    const reason = new Error('the worker stops');
    const url = stage.remote.serve(aPng());
    const controlImage = stage.remote.hang(() => stop.abort(reason));
    await expect(prepare({ url, controlImage }, stop.signal)).rejects.toBe(reason);
    expect(jobs.announced).toMatchObject([{ name: 'files.reclaim' }]);
  });
});
