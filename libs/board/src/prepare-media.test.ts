import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FileTypes } from '#files';
import { systemClock } from '#kernel';
import { DerivedFiles, PictureLooks } from '#sources';
import { RecordedJobs } from '#testing/kernel';
import { aFilm, anSvg, aPng, InMemoryVideos, SourcesStage, UNSIGNED } from '#testing/sources';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { fileStoreOn } from '../../../test/support/file-store.ts';
import type { MediaSources } from './domain/media.ts';
import { PrepareMedia } from './prepare-media.ts';

const MODEL = Buffer.from('glTF, a cube');

const SIGNS = { '\x89PNG': 'image/png', '<svg ': 'image/svg+xml', 'film ': 'video/mp4', glTF: 'model/gltf-binary' };
const sampleTypes: FileTypes = {
  detect: async (bytes) =>
    Object.entries(SIGNS).find(([sign]) => bytes.toString('latin1').startsWith(sign))?.[1] ?? null,
};

describe('preparing a media item', () => {
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
    const { sources, urls, pictures: derivatives, folders, store, files } = stage;
    const { unitOfWork } = store;
    const derived = new DerivedFiles({
      files,
      derivatives,
      videos: new InMemoryVideos(),
      manifests: UNSIGNED,
      jobs,
      unitOfWork,
    });
    const { files: records } = store;
    const looks = new PictureLooks({
      ...{ records, storage: stage.storage, derived, folders, clock: systemClock, maxBytes: 1_000_000 },
    });
    const preparation = new PrepareMedia({ sources, derived, looks, urls, fileTypes: sampleTypes, folders });
    const wanted = { url: null, controlImage: null, ...given };
    const { files: prepared, fileIds } = await preparation.prepare(stage.workspaceId, wanted, signal);
    const { fileKey, controlImageKey } = prepared;
    const shown = await store.unitOfWork.run(() => records.lockByKey(stage.workspaceId, (fileKey ?? controlImageKey)!));
    return { ...shown!, ...prepared, fileIds };
  };
  const bytesAt = async (key: string | null) => Buffer.concat(await (await stage.storage.open(key!))!.toArray());

  it('stores a picture from a URL with its thumbnail and its facts', async () => {
    const bytes = aPng({ width: 60, height: 30 });
    const prepared = await prepare({ url: stage.remote.serve(bytes) });
    expect(prepared).toMatchObject({
      fileKey: expect.stringMatching(/^files\/.*\/picture\.png$/),
      controlImageKey: null,
      contentType: 'image/png',
      width: 60,
      height: 30,
      duration: null,
      placeholder: expect.any(String),
      thumbnails: [{ key: expect.stringMatching(/^files\/.*\.webp$/), width: 60, height: 30 }],
      fileIds: [expect.any(Number)],
    });
    expect(await bytesAt(prepared.fileKey)).toEqual(bytes);
    expect(stage.storage.keys).toHaveLength(2);
    const { workspaceId } = stage;
    for (const id of prepared.fileIds) {
      const record = { workspaceId, personaId: null, origin: 'import' };
      await expect(stage.store.files.find(id)).resolves.toMatchObject(record);
    }
  });

  const film = { contentType: 'video/mp4', width: 640, height: 320, duration: 7 };
  const drawing = { contentType: 'image/svg+xml', width: 8, height: 4, duration: null };
  const model = { contentType: 'model/gltf-binary', width: null, height: null, duration: null, placeholder: null };
  it.each<[string, Buffer, object, readonly number[]]>([
    ['a video, with thumbnails of a frame', aFilm({ width: 640, height: 320, seconds: 7 }), film, [320, 640]],
    ['a drawing, with thumbnails of it', anSvg({ width: 8, height: 4 }), drawing, [320, 1024]],
    ['a model, without any', MODEL, model, []],
  ])('stores unchanged %s', async (_, bytes, facts, thumbnails) => {
    const prepared = await prepare({ url: stage.remote.serve(bytes) });
    expect(prepared).toMatchObject(facts);
    expect(prepared.thumbnails.map(({ width }) => width)).toEqual(thumbnails);
    expect(await bytesAt(prepared.fileKey)).toEqual(bytes);
    expect(prepared.fileIds).toHaveLength(1);
  });

  it('uses a file of the workspace without copying it, and makes thumbnails of it', async () => {
    const own = await stage.stored(aPng({ width: 640, height: 320 }));
    const prepared = await prepare({ url: stage.urlOf(own) });
    const thumbnails = [
      { width: 320, height: 160 },
      { width: 640, height: 320 },
    ];
    expect(prepared).toMatchObject({ fileKey: own.key, contentType: 'image/png', thumbnails });
    expect(prepared.fileIds).toContain(own.id);
    const webp = expect.stringMatching(/\.webp$/);
    expect(stage.storage.keys.filter((key) => key !== own.key)).toEqual([webp, webp]);
    // The key of a file resolved earlier also works, even if the public base URL has changed.
    await expect(prepare({ url: own.key })).resolves.toMatchObject({ fileKey: own.key, width: 640 });
  });

  it('shows the main source if there is one, else the control image', async () => {
    const control = aPng({ width: 640, height: 480 });
    const controlImage = stage.remote.serve(control);
    const both = await prepare({ url: stage.remote.serve(aFilm({ width: 64, height: 32 })), controlImage });
    expect(both).toMatchObject({ contentType: 'video/mp4', width: 64, height: 32 });
    expect(await bytesAt(both.controlImageKey)).toEqual(control);
    expect(both.fileIds).toHaveLength(2);
    const alone = await prepare({ controlImage });
    expect(alone).toMatchObject({ fileKey: null, contentType: 'image/png', width: 640, height: 480 });
    expect(alone).toMatchObject({ thumbnails: [{ width: 320 }, { width: 640 }], placeholder: expect.any(String) });
  });

  it('lists a file once when it is both sources', async () => {
    const { id, key } = await stage.stored(MODEL, { contentType: 'model/gltf-binary', filename: 'model.glb' });
    const url = stage.urlOf({ key });
    const once = { fileKey: key, controlImageKey: key, fileIds: [id] };
    await expect(prepare({ url, controlImage: url })).resolves.toMatchObject(once);
  });

  const broken = aPng({ width: 50, height: 50 }).subarray(0, 60);
  const forGood = (code: string) => ({ code, retryable: false });
  it.each<[string, () => string, object]>([
    ['to a page', () => stage.remote.serve(Buffer.from('<html>')), { code: 'unsupported_file_type' }],
    ['to a broken picture', () => stage.remote.serve(broken), forGood('not_an_image')],
    ['to a broken video', () => stage.remote.serve(aFilm().subarray(0, -1)), { code: 'unsupported_file_type' }],
    ['nowhere', () => stage.remote.refuse(503), { code: 'url_unreachable', retryable: true }],
    ['to no file', () => stage.urlOf({ key: 'files/unknown/picture.png' }), { code: 'not_found' }],
  ])('stores nothing when the URL leads %s', async (_, urlOf, failure) => {
    await expect(prepare({ url: urlOf() })).rejects.toMatchObject(failure);
    expect(stage.storage.keys).toEqual([]);
    expect(jobs.announced).toEqual([]);
  });

  it('schedules the deletion of stored files when the control image cannot be fetched', async () => {
    const controlImage = stage.remote.refuse(503);
    const failure = { code: 'url_unreachable', retryable: true };
    const own = await stage.stored(MODEL, { contentType: 'model/gltf-binary', filename: 'model.glb' });
    await expect(prepare({ url: stage.urlOf(own), controlImage })).rejects.toMatchObject(failure);
    expect(jobs.announced).toEqual([]);
    await expect(prepare({ url: stage.remote.serve(aPng()), controlImage })).rejects.toMatchObject(failure);
    expect(stage.storage.keys).toHaveLength(3);
    const deletion = { name: 'files.reclaim', payload: { fileIds: [expect.any(Number), expect.any(Number)] } };
    expect(jobs.announced).toMatchObject([deletion]);
  });

  it('gives the same error for a file of another workspace as for a missing one', async () => {
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
