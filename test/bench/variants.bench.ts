import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PictureProcesses, SharpPictures } from '#adapters/images';
import { transformationOf } from '#transformation';
import { photo } from '../../libs/adapters/images/src/testing/photo.ts';
import { childSeconds } from '../support/child-seconds.ts';
import { median } from './measure.ts';

// Processor time of a variant that was not made before: a JPEG of 24 megapixels, 1,280 pixels wide.

const ROUNDS = Number(process.env.ROUNDS ?? 5);

const folder = await mkdtemp(join(tmpdir(), 'x12-bench-'));
try {
  const pictures = new SharpPictures(new PictureProcesses({ atOnce: 1 }));
  const [file, target] = [join(folder, 'picture'), join(folder, 'variant')];
  await writeFile(file, await photo(1_500, 1_000).resize(6_000, 4_000).jpeg({ quality: 90 }).toBuffer());
  for (const format of ['jpeg', 'webp', 'avif', 'png']) {
    const wanted = transformationOf(new URLSearchParams(`w=1200&fm=${format}`))!;
    const milliseconds: number[] = [];
    // The first one starts the process.
    for (let round = 0; round <= ROUNDS; round++) {
      const before = await childSeconds();
      await pictures.transform(file, target, wanted);
      milliseconds.push(1000 * ((await childSeconds()) - before));
    }
    const bytes = (await stat(target)).size;
    console.log(`${format}: ${median(milliseconds.slice(1)).toFixed(0)} ms, ${(bytes / 1024).toFixed(0)} KiB`);
  }
} finally {
  await rm(folder, { recursive: true });
}
process.exit();
