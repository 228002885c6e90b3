import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { ROOT } from '../../support/processes.ts';

/** `FILM=1` renews the pictures of the documentation; otherwise they go to a folder that git ignores. */
const FOLDER = process.env.FILM ? join(ROOT, 'docs', 'console') : join(ROOT, 'dist', 'screenshots', 'film');
const LARGEST_BYTES = 150_000;

/** A sequence of screenshots, `01-sign-in.webp` and so on. */
export class Film {
  #shots = 0;

  private constructor(private readonly folder: string) {}

  /** @param name the folder of the film; by default that of the first hour */
  static async begin(name = ''): Promise<Film> {
    const folder = join(FOLDER, name);
    await mkdir(folder, { recursive: true });
    const earlier = (await readdir(folder)).filter((file) => file.endsWith('.webp'));
    await Promise.all(earlier.map((file) => rm(join(folder, file))));
    return new Film(folder);
  }

  /** Takes the page as it stands. */
  async take(page: Page, name: string): Promise<void> {
    const png = await page.screenshot({ caret: 'hide' });
    const picture = await sharp(png).webp({ quality: 70, effort: 4 }).toBuffer();
    const file = `${String(++this.#shots).padStart(2, '0')}-${name}.webp`;
    if (picture.length > LARGEST_BYTES) throw new Error(`${file} has ${picture.length} bytes`);
    await writeFile(join(this.folder, file), picture);
  }
}
