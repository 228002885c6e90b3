import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PictureProcesses, SharpPictures } from '#adapters/images';
import { transformationOf } from '#transformation';
import { photo } from '../../libs/adapters/images/src/testing/photo.ts';
import { childSeconds } from '../support/child-seconds.ts';
import { onBenchService, type BenchService } from './bench-service.ts';
import { load, median, percentiles } from './measure.ts';

// Processor time of a variant that was not made before: a JPEG of 24 megapixels, 1,280 pixels wide. Then how long a
// variant takes that was, beside the file itself.

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const HITS = 2_000;

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
await onBenchService(measureHits, { connections: 4 });
process.exit();

async function measureHits({ allocate, pool, token }: BenchService): Promise<void> {
  const { signed_url, final_url } = await allocate('photo.jpg');
  const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
  const call = async (method: 'GET' | 'PUT', path: string, init: { headers?: object; body?: Buffer } = {}) => {
    const response = await pool.request({ method, path, ...init } as Parameters<typeof pool.request>[0]);
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${await response.body.text()}`);
    await response.body.dump({ limit: Infinity });
  };
  await call('PUT', pathOf(signed_url), { body: await photo(1_500, 1_000).jpeg({ quality: 90 }).toBuffer() });
  const headers = { authorization: `Bearer ${token}` };
  await call('GET', `/v2/finalize_upload?url=${encodeURIComponent(final_url)}`, { headers });
  const file = pathOf(final_url);
  for (const [what, path] of Object.entries({ 'a hit': `${file}?w=400&fm=webp`, 'the file': file })) {
    await call('GET', path);
    for (const callers of [1, 4]) {
      const { latencies } = await load({ callers, times: HITS }, () => call('GET', path));
      console.log(`${what}, ${callers} at once: ${percentiles(latencies, [0.5, 0.95])}`);
    }
  }
}
