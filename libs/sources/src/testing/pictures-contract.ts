import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { SourceFailure } from '../domain/source-failure.ts';
import type { Pictures } from '../ports.ts';
import { anSvg, aPng } from './sample-pictures.ts';
import { temporaryFolder } from './temporary-folder.ts';

export function picturesContract(name: string, make: () => Pictures): void {
  describe(`${name} as Pictures`, () => {
    const pictures = make();
    const { fileAt, save, list } = temporaryFolder();

    it('detects type and size of a picture from its bytes, not from its name', async () => {
      const png = pictures.examine(await save(aPng({ width: 7, height: 5 }), 'notes.txt'));
      await expect(png).resolves.toEqual({ contentType: 'image/png', width: 7, height: 5 });
      const svg = pictures.examine(await save(anSvg({ width: 30, height: 20 }), 'picture'));
      await expect(svg).resolves.toEqual({ contentType: 'image/svg+xml', width: 30, height: 20 });
    });

    it('writes a picture without its metadata if requested, but no drawing', async () => {
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
    ])('refuses %s for good', async (_what, bytes) => {
      const file = await save(bytes, 'picture.png');
      const target = fileAt('drawn');
      const failing = [
        pictures.examine(file),
        pictures.examine(file, fileAt('bare')),
        pictures.rasterise(file, target),
        pictures.reduce(file, target, 100),
      ];
      for (const failed of failing) {
        const failure = await failed.catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(SourceFailure);
        expect(failure).toMatchObject({ code: 'not_an_image', retryable: false });
      }
      expect(await list()).toEqual(['picture.png']);
    });

    it('renders an SVG as a large PNG of the same proportions', async () => {
      const target = fileAt('drawn');
      const drawn = await pictures.rasterise(await save(anSvg({ width: 30, height: 20 }), 'picture'), target);
      expect(drawn.contentType).toBe('image/png');
      expect(drawn.width).toBeGreaterThanOrEqual(512);
      expect(drawn.width / drawn.height).toBeCloseTo(1.5, 2);
      await expect(pictures.examine(target)).resolves.toEqual(drawn);
    });

    it.each([
      [300, 300, 200],
      [299, 299, 199],
      [301, 300, 200],
    ])('reduces a picture to a longer side of %i pixels, and enlarges none', async (edge, width, height) => {
      const file = await save(aPng({ width: 300, height: 200 }), 'picture');
      const reduced = await pictures.reduce(file, fileAt('reduced'), edge);
      expect(reduced).toMatchObject({ width, height });
      await expect(pictures.examine(fileAt('reduced'))).resolves.toEqual(reduced);
      await pictures.reduce(file, fileAt('again'), edge);
      expect(await readFile(fileAt('again'))).toEqual(await readFile(fileAt('reduced')));
      expect((await list()).sort()).toEqual(['again', 'picture', 'reduced']);
    });

    it('does not reduce a drawing', async () => {
      const reduced = pictures.reduce(await save(anSvg(), 'picture'), fileAt('reduced'), 100);
      await expect(reduced).rejects.toMatchObject({ code: 'not_an_image' });
      expect(await list()).toEqual(['picture']);
    });

    it('does not render a raster picture', async () => {
      const file = await save(aPng(), 'picture');
      const drawn = pictures.rasterise(file, fileAt('drawn'));
      await expect(drawn).rejects.toMatchObject({ code: 'not_an_image' });
      expect(await list()).toEqual(['picture']);
    });

    it('throws the error of the system for a missing file', async () => {
      await expect(pictures.examine(fileAt('missing'))).rejects.toMatchObject({ code: 'ENOENT' });
    });
  });
}
