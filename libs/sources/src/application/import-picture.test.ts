import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anSvg, aPng } from '../testing/sample-pictures.ts';
import { MediaStage } from '../testing/media-stage.ts';

describe('Importing a picture', () => {
  let stage: MediaStage;

  beforeEach(async () => {
    stage = new MediaStage();
    await stage.open();
  });
  afterEach(async () => {
    expect(await stage.folders.count()).toBe(0);
    await stage.folders.remove();
  });

  const importFrom = (url: string, signal?: AbortSignal) => {
    const { workspaceId, personaId } = stage;
    return stage.importPicture.run({ workspaceId, personaId, url, signal });
  };

  it("copies a stranger's picture, as the persona's, named after what it is", async () => {
    const bytes = aPng();
    const file = await importFrom(stage.sources.serve(bytes));
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

  it('keeps a drawing a drawing', async () => {
    const file = await importFrom(stage.sources.serve(anSvg()));
    expect(file).toMatchObject({ filename: 'picture.svg', contentType: 'image/svg+xml' });
  });

  it('takes a picture of the workspace as it is, without fetching or copying', async () => {
    const own = await stage.stored(aPng());
    const before = stage.storage.keys;
    await expect(importFrom(stage.storage.publicUrl(own.key))).resolves.toEqual(own);
    expect(stage.storage.keys).toEqual(before);
  });

  it('takes no file of the workspace that is no picture', async () => {
    const film = await stage.stored(Buffer.from('film'), { contentType: 'video/mp4', filename: 'film.mp4' });
    await expect(importFrom(stage.storage.publicUrl(film.key))).rejects.toMatchObject({
      code: 'not_an_image',
      retryable: false,
    });
  });

  it("takes another workspace's file no more than one that never was", async () => {
    const { workspaceId } = await stage.store.newWorkspace();
    const foreign = await stage.stored(aPng(), { workspaceId });
    for (const key of [foreign.key, 'files/unknown/picture.png']) {
      await expect(importFrom(stage.storage.publicUrl(key))).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it.each<[string, (stage: MediaStage) => string, object]>([
    [
      'something else',
      ({ sources }) => sources.serve(Buffer.from('text')),
      { code: 'not_an_image', retryable: false },
    ],
    [
      'too much',
      ({ sources }) => sources.serve(Buffer.alloc(10_001)),
      { code: 'url_too_large', retryable: false },
    ],
    ['an error', ({ sources }) => sources.refuse(503), { code: 'url_unreachable', retryable: true }],
    ['nothing', ({ sources }) => sources.hang(), { code: 'url_timeout', retryable: true }],
    ['a private address', () => 'http://10.0.0.1/', { code: 'url_blocked', retryable: false }],
  ])('stores nothing when the URL leads to %s', async (_what, urlOf, failure) => {
    await expect(importFrom(urlOf(stage))).rejects.toMatchObject(failure);
    expect(stage.storage.keys).toEqual([]);
  });

  it('stores nothing when it is told to stop', async () => {
    const stop = new AbortController();
    const reason = new Error('the worker stops');
    const imported = importFrom(stage.sources.hang(), stop.signal);
    stop.abort(reason);
    await expect(imported).rejects.toBe(reason);
    expect(stage.storage.keys).toEqual([]);
  });

  it('does no harm when it is done again: each time there is a whole picture', async () => {
    const url = stage.sources.serve(aPng());
    const [one, other] = await Promise.all([importFrom(url), importFrom(url)]);
    expect(one.id).not.toBe(other.id);
    for (const { key, size } of [one, other]) {
      await expect(stage.storage.head(key)).resolves.toMatchObject({ size });
    }
  });
});
