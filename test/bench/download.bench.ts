import { randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiskObjectStorage } from '#adapters/storage';
import { eventually } from '../support/eventually.ts';
import { startDemo } from '../support/started-service.ts';
import { apiMemory } from './bench-service.ts';
import { megabytes, timed } from './measure.ts';

const FILES = 40;
const FILE_BYTES = 256 * 1024 ** 2;
const PART = randomFillSync(Buffer.alloc(1024 ** 2));
const LEAST_RATIO = 0.8;
const MOST_GROWTH = 200e6;

interface Cell {
  readonly output: { readonly url: string };
  readonly generation: { readonly id: number };
}

/** A zip of 10 GB beside the same files one by one, as the storage serves them; and its memory. */
const demo = await startDemo({ LOG_LEVEL: 'warn' });
process.once('SIGINT', () => demo.service.interrupt());
try {
  const authorization = `Bearer ${demo.token}`;
  const call = async <Body>(path: string, json?: object): Promise<Body> => {
    const headers = { authorization, ...(json && { 'content-type': 'application/json' }) };
    const init = json ? { method: 'POST', headers, body: JSON.stringify(json) } : { headers };
    const response = await fetch(`${demo.baseUrl}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const matrix = { models: ['local-image'], parameters: { width: 64, height: 64 }, seeds_count: FILES };
  const { batch } = await call<{ batch: { id: number } }>('/v2/batches', { name: 'Large', matrix });
  await eventually(
    async () => (await call<{ batch: { state: string } }>(`/v2/batches/${batch.id}`)).batch.state === 'ended',
  );
  const { cells } = await call<{ cells: Cell[] }>(`/v2/batches/${batch.id}?limit=200`);
  const urls = cells.map(({ output }) => output.url);
  const ids = cells.map(({ generation }) => generation.id);

  const storage = new DiskObjectStorage({
    root: join(demo.folder, 'files'),
    publicUrl: demo.baseUrl,
    secret: 'x'.repeat(32),
    clock: { now: () => new Date() },
  });
  for (const url of urls) {
    await storage.putStream(decodeURIComponent(new URL(url).pathname).slice(1), largeFile(), {
      contentType: 'image/webp',
    });
  }

  const before = await apiMemory(demo.baseUrl);
  const { url } = await call<{ url: string }>('/v2/downloads', { generation_ids: ids });
  let most = 0;
  const measuring = new AbortController();
  const measured = (async () => {
    for (; !measuring.signal.aborted; await sleep(100)) most = Math.max(most, await apiMemory(demo.baseUrl));
  })();
  let [ofZip, ofFiles] = [0, 0];
  const zipMs = await timed(async () => (ofZip = await read(url)));
  measuring.abort();
  await measured;
  const filesMs = await timed(async () => {
    for (const each of urls) ofFiles += await read(each);
  });
  if (ofFiles !== FILES * FILE_BYTES || ofZip < ofFiles) throw new Error(`${ofZip} bytes of ${ofFiles} are in the zip`);
  const [zip, files] = [ofZip / 1e3 / zipMs, ofFiles / 1e3 / filesMs];
  const growth = most - before;
  console.log(
    `a zip of ${(ofZip / 1e9).toFixed(1)} GB: ${zip.toFixed(0)} MB/s, ${(zip / files).toFixed(2)} of ${files.toFixed(0)} MB/s ` +
      `file by file (at least ${LEAST_RATIO}); memory grows by ${megabytes(growth)} (at most ${megabytes(MOST_GROWTH)})`,
  );
  if (zip / files < LEAST_RATIO || growth > MOST_GROWTH) process.exitCode = 1;
} finally {
  await demo.stop();
}

/** @returns the bytes of the body */
async function read(url: string): Promise<number> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  let bytes = 0;
  for await (const chunk of response.body!) bytes += chunk.length;
  return bytes;
}

async function* largeFile(): AsyncGenerator<Buffer> {
  for (let written = 0; written < FILE_BYTES; written += PART.length) yield PART;
}
