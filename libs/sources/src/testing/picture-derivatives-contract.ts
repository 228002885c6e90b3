import { readFile, rm } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { SourceFailure } from '../domain/source-failure.ts';
import type { PictureDerivatives, Pictures } from '../ports.ts';
import { anSvg, aPng } from './sample-pictures.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** @param make also returns the `Pictures` that read the results */
export function pictureDerivativesContract(
  name: string,
  make: () => { readonly derivatives: PictureDerivatives; readonly pictures: Pictures },
): void {
  describe(`${name} as PictureDerivatives`, () => {
    const { derivatives, pictures } = make();
    const { fileAt, save, list } = temporaryFolder();

    const derive = async (bytes: Buffer, edges: readonly number[] = [], original = true) =>
      derivatives.derive(await save(bytes, 'picture'), {
        original: original ? fileAt('original') : null,
        thumbnails: edges.map((edge) => ({ edge, file: fileAt(`thumbnail-${edge}`) })),
      });

    it('makes thumbnails by their longer side, in the order of the targets, and enlarges no picture', async () => {
      const made = await derive(aPng({ width: 60, height: 40 }), [15, 30, 61]);
      expect(made).toMatchObject({ contentType: 'image/png', width: 60, height: 40 });
      expect(made.thumbnails).toEqual([
        { file: fileAt('thumbnail-15'), width: 15, height: 10 },
        { file: fileAt('thumbnail-30'), width: 30, height: 20 },
        { file: fileAt('thumbnail-61'), width: 60, height: 40 },
      ]);
      for (const { file, width, height } of made.thumbnails) {
        await expect(pictures.examine(file)).resolves.toMatchObject({ width, height });
      }
      const { placeholder } = await derive(aPng({ width: 60, height: 40 }));
      for (const each of [placeholder, made.placeholder]) {
        expect(Buffer.from(each, 'base64').length).toBeGreaterThan(4);
      }
    });

    it('makes one thumbnail of a picture that no target makes smaller', async () => {
      const size = { width: 60, height: 40 };
      const thumbnail = { ...size, file: fileAt('thumbnail-60') };
      expect((await derive(aPng(size), [60, 100, 200])).thumbnails).toEqual([thumbnail]);
      expect((await derive(aPng(size), [59, 60, 100])).thumbnails).toMatchObject([{ width: 59 }, size]);
    });

    it('writes the picture itself if requested, and nothing else', async () => {
      const bytes = aPng({ width: 9, height: 5 });
      await derive(bytes);
      expect(await list()).toEqual(['original', 'picture']);
      const original = await pictures.examine(fileAt('original'));
      expect(original).toMatchObject({ contentType: 'image/png', width: 9, height: 5 });
      await rm(fileAt('original'));
      await derive(bytes, [4], false);
      expect(await list()).toEqual(['picture', 'thumbnail-4']);
      expect(await readFile(fileAt('picture'))).toEqual(bytes);
    });

    it('renders a drawing in the requested size', async () => {
      const made = await derive(anSvg({ width: 30, height: 20 }), [60], false);
      expect(made).toMatchObject({ contentType: 'image/svg+xml', width: 30, height: 20 });
      expect(made.thumbnails).toMatchObject([{ width: 60, height: 40 }]);
    });

    it.each([
      ['an empty file', Buffer.alloc(0)],
      ['text', Buffer.from('a thousand words')],
      ['a picture cut off', aPng({ width: 100, height: 100 }).subarray(0, 60)],
    ])('refuses %s for good', async (_what, bytes) => {
      const failure = await derive(bytes, [8, 16]).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SourceFailure);
      expect(failure).toMatchObject({ code: 'not_an_image', retryable: false });
      expect(await list()).toEqual(['picture']);
    });
  });
}
