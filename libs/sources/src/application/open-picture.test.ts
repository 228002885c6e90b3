import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MediaStage } from '../testing/media-stage.ts';
import { anSvg, aPng } from '../testing/sample-pictures.ts';
import type { OpenedPicture } from './open-picture.ts';

describe('Opening a picture', () => {
  let stage: MediaStage;

  beforeEach(async () => {
    stage = new MediaStage();
    await stage.open();
  });
  afterEach(() => stage.folders.remove());

  const open = (
    picture: { url: string; fileId?: number | null; signal?: AbortSignal },
    folder: string,
  ): Promise<OpenedPicture> =>
    stage.openPicture.run({ workspaceId: stage.workspaceId, fileId: null, ...picture }, folder);
  const urlOf = ({ key }: { key: string }) => stage.storage.publicUrl(key);

  it('brings a stored one and a stranger’s one side by side into a folder', async () => {
    const own = await stage.stored(aPng({ width: 5, height: 6 }));
    const foreign = stage.sources.serve(aPng({ width: 7, height: 8 }));
    await stage.folders.use(async (folder) => {
      const one = await open({ url: urlOf(own), fileId: own.id }, folder);
      const other = await open({ url: foreign }, folder);
      expect(one).toMatchObject({ contentType: 'image/png', width: 5, height: 6 });
      expect(other).toMatchObject({ contentType: 'image/png', width: 7, height: 8 });
      await expect(readFile(one.file)).resolves.toEqual(aPng({ width: 5, height: 6 }));
      await expect(readFile(other.file)).resolves.toEqual(aPng({ width: 7, height: 8 }));
      expect(await readdir(folder)).toHaveLength(2);
    });
  });

  it('goes by the file and not by the URL, which may be that of a temporary file gone since', async () => {
    const own = await stage.stored(aPng());
    await stage.folders.use(async (folder) => {
      const opened = await open(
        { url: stage.storage.publicUrl('files/gone/x12tmp-a.png'), fileId: own.id },
        folder,
      );
      expect(opened).toMatchObject({ width: 4, height: 3 });
    });
  });

  it('draws a drawing, wherever it comes from', async () => {
    const own = await stage.stored(anSvg({ width: 20, height: 10 }), {
      contentType: 'image/svg+xml',
      filename: 'own.svg',
    });
    const foreign = stage.sources.serve(anSvg({ width: 20, height: 10 }));
    await stage.folders.use(async (folder) => {
      for (const picture of [{ url: urlOf(own), fileId: own.id }, { url: foreign }]) {
        const opened = await open(picture, folder);
        expect(opened.contentType).toBe('image/png');
        expect(opened.width).toBe(2 * opened.height);
        expect((await readFile(opened.file)).toString('latin1', 1, 4)).toBe('PNG');
      }
    });
  });

  it.each<[string, (stage: MediaStage) => Promise<{ url: string; fileId?: number }>, object]>([
    [
      'a file that is gone',
      async ({ storage }) => ({ url: storage.publicUrl('files/gone/a.png'), fileId: 404 }),
      { code: 'url_unreachable', retryable: false },
    ],
    [
      'a stored URL that stands for no file of the workspace',
      async (stage) => ({ url: urlOf(await stage.stored(aPng())) }),
      { code: 'url_unreachable', retryable: false },
    ],
    [
      "another workspace's file",
      async (stage) => {
        const { workspaceId } = await stage.store.newWorkspace();
        const file = await stage.stored(aPng(), { workspaceId });
        return { url: urlOf(file), fileId: file.id };
      },
      { code: 'url_unreachable', retryable: false },
    ],
    [
      'a film',
      async (stage) => {
        const file = await stage.stored(Buffer.from('film'), {
          contentType: 'video/mp4',
          filename: 'a.mp4',
        });
        return { url: urlOf(file), fileId: file.id };
      },
      { code: 'not_an_image', retryable: false },
    ],
    [
      'a stored picture that is broken',
      async (stage) => {
        const file = await stage.stored(aPng().subarray(0, 40));
        return { url: urlOf(file), fileId: file.id };
      },
      { code: 'not_an_image', retryable: false },
    ],
    [
      'a stored picture that is too large',
      async (stage) => {
        const file = await stage.stored(Buffer.concat([aPng(), Buffer.alloc(10_000)]));
        return { url: urlOf(file), fileId: file.id };
      },
      { code: 'url_too_large', retryable: false },
    ],
    [
      "a stranger's picture that is too large",
      async ({ sources }) => ({ url: sources.serve(Buffer.alloc(10_001)) }),
      { code: 'url_too_large', retryable: false },
    ],
    [
      "a stranger's text",
      async ({ sources }) => ({ url: sources.serve(Buffer.from('text')) }),
      { code: 'not_an_image', retryable: false },
    ],
    [
      'a source that is busy',
      async ({ sources }) => ({ url: sources.refuse(503) }),
      { code: 'url_unreachable', retryable: true },
    ],
  ])('refuses %s', async (_what, pictureOf, failure) => {
    const picture = await pictureOf(stage);
    await stage.folders.use(async (folder) => {
      await expect(open(picture, folder)).rejects.toMatchObject(failure);
    });
  });

  it('takes a stored picture of exactly the size that is allowed', async () => {
    const png = aPng();
    const own = await stage.stored(Buffer.concat([png, Buffer.alloc(10_000 - png.length)]));
    await stage.folders.use(async (folder) => {
      await expect(open({ url: urlOf(own), fileId: own.id }, folder)).resolves.toMatchObject({ width: 4 });
    });
  });

  it('stops when it is told to', async () => {
    const own = await stage.stored(aPng());
    const stop = new AbortController();
    const reason = new Error('the worker stops');
    stop.abort(reason);
    await stage.folders.use(async (folder) => {
      for (const picture of [{ url: urlOf(own), fileId: own.id }, { url: stage.sources.hang() }]) {
        await expect(open({ ...picture, signal: stop.signal }, folder)).rejects.toBe(reason);
      }
    });
  });
});
