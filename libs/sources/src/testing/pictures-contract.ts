import { describe, expect, it } from '@jest/globals';
import { SourceFailure } from '../domain/source-failure.ts';
import type { Pictures } from '../ports.ts';
import { anSvg, aPng } from './sample-pictures.ts';
import { temporaryFolder } from './temporary-folder.ts';

export function picturesContract(name: string, make: () => Pictures): void {
  describe(`${name} as Pictures`, () => {
    const pictures = make();
    const { fileAt, save, list } = temporaryFolder();

    it('says what a picture is, by its bytes and not by its name, and how large', async () => {
      const png = pictures.examine(await save(aPng({ width: 7, height: 5 }), 'notes.txt'));
      await expect(png).resolves.toEqual({ contentType: 'image/png', width: 7, height: 5 });
      const svg = pictures.examine(await save(anSvg({ width: 30, height: 20 }), 'picture'));
      await expect(svg).resolves.toEqual({ contentType: 'image/svg+xml', width: 30, height: 20 });
    });

    it('gives a picture without its metadata when it is asked to, and for a drawing none', async () => {
      const size = { width: 7, height: 5 };
      await pictures.examine(await save(aPng(size), 'picture'), fileAt('bare'));
      await expect(pictures.examine(fileAt('bare'))).resolves.toEqual({ contentType: 'image/png', ...size });
      await pictures.examine(await save(anSvg(size), 'drawing'), fileAt('none'));
      expect((await list()).sort()).toEqual(['bare', 'drawing', 'picture']);
    });

    it.each([
      ['an empty file', ''],
      ['text', 'a thousand words'],
      ['a page', '<!DOCTYPE html><html><body><svg xmlns="http://www.w3.org/2000/svg"/></body></html>'],
      ['a picture cut off', aPng({ width: 100, height: 100 }).subarray(0, 60)],
    ])('takes %s for no picture, for good', async (_what, bytes) => {
      const file = await save(bytes, 'picture.png');
      const target = fileAt('drawn');
      const failing = [
        pictures.examine(file),
        pictures.examine(file, fileAt('bare')),
        pictures.rasterise(file, target),
      ];
      for (const failed of failing) {
        const failure = await failed.catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(SourceFailure);
        expect(failure).toMatchObject({ code: 'not_an_image', retryable: false });
      }
      expect(await list()).toEqual(['picture.png']);
    });

    it('draws an SVG as a PNG of the same proportions, large enough to work with', async () => {
      const target = fileAt('drawn');
      const drawn = await pictures.rasterise(await save(anSvg({ width: 30, height: 20 }), 'picture'), target);
      expect(drawn.contentType).toBe('image/png');
      expect(drawn.width).toBeGreaterThanOrEqual(512);
      expect(drawn.width / drawn.height).toBeCloseTo(1.5, 2);
      await expect(pictures.examine(target)).resolves.toEqual(drawn);
    });

    it('draws nothing that has pixels already', async () => {
      const file = await save(aPng(), 'picture');
      const drawn = pictures.rasterise(file, fileAt('drawn'));
      await expect(drawn).rejects.toMatchObject({ code: 'not_an_image' });
      expect(await list()).toEqual(['picture']);
    });

    it('does not blame the picture for a file that is not there', async () => {
      await expect(pictures.examine(fileAt('missing'))).rejects.toMatchObject({ code: 'ENOENT' });
    });
  });
}
