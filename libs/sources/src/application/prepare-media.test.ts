import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aFilm } from '../testing/in-memory-videos.ts';
import { MediaStage } from '../testing/media-stage.ts';
import { anSvg, aPng } from '../testing/sample-pictures.ts';

const MODEL = Buffer.from('glTF, a cube');

describe('Preparing a media', () => {
  let stage: MediaStage;
  beforeEach(async () => {
    stage = new MediaStage();
    await stage.open();
  });
  afterEach(async () => {
    expect(await stage.folders.count()).toBe(0);
    await stage.folders.remove();
  });

  const prepare = (
    sources: { readonly url?: string; readonly controlImage?: string },
    signal = new AbortController().signal,
  ) => {
    const { url = null, controlImage = null } = sources;
    return stage.prepareMedia.prepare(stage.workspaceId, { url, controlImage }, signal);
  };
  const bytesAt = async (url: string | null) =>
    Buffer.concat(await (await stage.storage.open(stage.storage.keyOf(url!)!))!.toArray());
  /** What is in the storage besides what was there before. */
  const storedBy = async <T>(work: () => Promise<T>): Promise<readonly [T, readonly string[]]> => {
    const before = stage.storage.keys;
    const result = await work();
    return [result, stage.storage.keys.filter((key) => !before.includes(key))];
  };

  it("stores a stranger's picture with two thumbnails, and says what it is", async () => {
    const bytes = aPng({ width: 60, height: 30 });
    const [prepared, keys] = await storedBy(() => prepare({ url: stage.sources.serve(bytes) }));
    expect(prepared).toEqual({
      url: expect.stringMatching(/\/picture\.png$/),
      controlImage: null,
      contentType: 'image/png',
      width: 60,
      height: 30,
      duration: null,
      placeholder: expect.any(String),
      thumbnails: [
        { url: expect.stringMatching(/\.webp$/), width: 60, height: 30 },
        { url: expect.stringMatching(/\.webp$/), width: 60, height: 30 },
      ],
      fileIds: [expect.any(Number), expect.any(Number), expect.any(Number)],
    });
    expect(await bytesAt(prepared.url)).toEqual(bytes);
    expect(keys).toHaveLength(3);
    for (const id of prepared.fileIds) {
      await expect(stage.store.files.find(id)).resolves.toMatchObject({
        workspaceId: stage.workspaceId,
        personaId: null,
        origin: 'import',
      });
    }
  });

  it.each<[string, Buffer, object, number]>([
    [
      'a video, with thumbnails of a frame',
      aFilm({ width: 640, height: 320, seconds: 7 }),
      {
        contentType: 'video/mp4',
        width: 640,
        height: 320,
        duration: 7,
        thumbnails: [{ width: 320 }, { width: 640 }],
      },
      3,
    ],
    [
      'a drawing, with thumbnails of it',
      anSvg({ width: 8, height: 4 }),
      {
        contentType: 'image/svg+xml',
        width: 8,
        height: 4,
        duration: null,
        thumbnails: [{ width: 320 }, { width: 1024 }],
      },
      3,
    ],
    [
      'a model, without any',
      MODEL,
      {
        contentType: 'model/gltf-binary',
        width: null,
        height: null,
        duration: null,
        placeholder: null,
        thumbnails: [],
      },
      1,
    ],
  ])('stores as it is %s', async (_, bytes, facts, files) => {
    const prepared = await prepare({ url: stage.sources.serve(bytes) });
    expect(prepared).toMatchObject(facts);
    expect(await bytesAt(prepared.url)).toEqual(bytes);
    expect(prepared.fileIds).toHaveLength(files);
  });

  it('takes a file of the workspace over without a copy, and makes thumbnails of it', async () => {
    const own = await stage.stored(aPng({ width: 640, height: 320 }));
    const [prepared, keys] = await storedBy(() => prepare({ url: stage.storage.publicUrl(own.key) }));
    expect(prepared).toMatchObject({
      url: stage.storage.publicUrl(own.key),
      contentType: 'image/png',
      thumbnails: [
        { width: 320, height: 160 },
        { width: 640, height: 320 },
      ],
    });
    expect(prepared.fileIds).toContain(own.id);
    expect(keys).toHaveLength(2);
    expect(keys.every((key) => key.endsWith('.webp'))).toBe(true);
  });

  it('shows the media itself where it has both, and brings the control image along', async () => {
    const control = aPng({ width: 5, height: 5 });
    const prepared = await prepare({
      url: stage.sources.serve(aFilm({ width: 64, height: 32 })),
      controlImage: stage.sources.serve(control),
    });
    expect(prepared).toMatchObject({ contentType: 'video/mp4', width: 64, height: 32 });
    expect(await bytesAt(prepared.controlImage)).toEqual(control);
    expect(prepared.fileIds).toHaveLength(4);
  });

  it('shows the control image where that is all there is', async () => {
    const prepared = await prepare({ controlImage: stage.sources.serve(aPng({ width: 640, height: 480 })) });
    expect(prepared).toMatchObject({
      url: null,
      contentType: 'image/png',
      width: 640,
      height: 480,
      thumbnails: [{ width: 320 }, { width: 640 }],
    });
    expect(prepared.placeholder).not.toBeNull();
  });

  it('counts a file that is both sources once', async () => {
    const own = await stage.stored(MODEL, { contentType: 'model/gltf-binary', filename: 'model.glb' });
    const url = stage.storage.publicUrl(own.key);
    await expect(prepare({ url, controlImage: url })).resolves.toMatchObject({
      url,
      controlImage: url,
      fileIds: [own.id],
    });
  });

  const FAILURES: [string, (stage: MediaStage) => string, object][] = [
    ['to a page', ({ sources }) => sources.serve(Buffer.from('<html>')), { code: 'unsupported_file_type' }],
    [
      'to a broken picture',
      ({ sources }) => sources.serve(aPng({ width: 50, height: 50 }).subarray(0, 60)),
      { code: 'not_an_image', retryable: false },
    ],
    [
      'to a broken video',
      ({ sources }) => sources.serve(aFilm().subarray(0, -1)),
      { code: 'unsupported_file_type' },
    ],
    [
      'to too much',
      ({ sources }) => sources.serve(Buffer.alloc(10_001)),
      { code: 'url_too_large', retryable: false },
    ],
    ['nowhere', ({ sources }) => sources.refuse(503), { code: 'url_unreachable', retryable: true }],
    ['to something slow', ({ sources }) => sources.hang(), { code: 'url_timeout', retryable: true }],
    ['inward', () => 'http://10.0.0.1/', { code: 'url_blocked', retryable: false }],
    [
      'to a file that is not there',
      ({ storage }) => storage.publicUrl('files/unknown/picture.png'),
      { code: 'not_found' },
    ],
  ];
  it.each(FAILURES)('stores nothing when the URL leads %s', async (_, urlOf, failure) => {
    await expect(prepare({ url: urlOf(stage) })).rejects.toMatchObject(failure);
    expect(stage.storage.keys).toEqual([]);
    expect(stage.jobs.announced).toEqual([]);
  });

  it.each(FAILURES)(
    'gives back what it has stored when the control image leads %s',
    async (_, urlOf, failure) => {
      const url = stage.sources.serve(aPng());
      await expect(prepare({ url, controlImage: urlOf(stage) })).rejects.toMatchObject(failure);
      expect(stage.storage.keys).toHaveLength(1);
      const [job] = stage.jobs.announced;
      expect(job).toMatchObject({ name: 'files.reclaim', payload: { fileIds: [expect.any(Number)] } });
      expect(stage.jobs.announced).toHaveLength(1);
    },
  );

  it("does not give back the workspace's own files", async () => {
    const own = await stage.stored(MODEL, { contentType: 'model/gltf-binary', filename: 'model.glb' });
    const url = stage.storage.publicUrl(own.key);
    const controlImage = stage.sources.refuse(404);
    await expect(prepare({ url, controlImage })).rejects.toMatchObject({ code: 'url_unreachable' });
    expect(stage.jobs.announced).toEqual([]);
  });

  it("takes another workspace's file no more than one that never was", async () => {
    const { workspaceId } = await stage.store.newWorkspace();
    const foreign = await stage.stored(aPng(), { workspaceId });
    await expect(prepare({ url: stage.storage.publicUrl(foreign.key) })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('stops when it is told to, for the reason it is told', async () => {
    const stop = new AbortController();
    const reason = new Error('the worker stops');
    const url = stage.sources.serve(aPng());
    const prepared = prepare({ url, controlImage: stage.sources.hang() }, stop.signal);
    setTimeout(() => stop.abort(reason), 20);
    await expect(prepared).rejects.toBe(reason);
    expect(stage.jobs.announced).toMatchObject([{ name: 'files.reclaim' }]);
  });
});
