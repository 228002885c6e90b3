import { randomFillSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { SafeHttp, SafeRemoteSources } from '#adapters/outgoing-http';
import { FfmpegVideos, MagicFileTypes, PictureProcesses, SharpPictures } from '#adapters/images';
import {
  PostgresFileRecords,
  PostgresStorageSpace,
  PostgresUnitOfWork,
  PostgresUploadRecords,
} from '#adapters/postgres';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import { systemClock } from '#kernel';
import { PrepareMedia } from '#board';
import { DerivedFiles, PictureLooks, Sources } from '#sources';
import { Files, ServedFiles, StoredUrls } from '#files';
import { onBenchDatabase } from './bench-database.ts';
import { report } from './contest.ts';
import { load, median } from './measure.ts';

const CORES = 2;
/** As many jobs as a worker has at a time. */
const JOBS = 4;
const PICTURES = 24;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const REQUIRED = 0.8;

/** A 12-megapixel JPEG with the detail of a photograph, as cameras make them, upright. */
async function photograph(): Promise<Buffer> {
  const noise = (width: number, height: number, amplitude: number) => {
    const pixels = randomFillSync(Buffer.alloc(width * height * 3)).map((byte) => 128 + (byte - 128) * amplitude);
    return sharp(pixels, { raw: { width, height, channels: 3 } });
  };
  const shapes = await noise(16, 12, 1).resize(4_000, 3_000, { kernel: 'cubic' }).png().toBuffer();
  const detail = await noise(1_000, 750, 0.6).resize(4_000, 3_000, { kernel: 'cubic' }).png().toBuffer();
  return sharp(shapes)
    .composite([{ input: detail, blend: 'soft-light' }])
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** The simplest way to make a thumbnail, for trusted pictures. It keeps the metadata. */
async function bareSharp(source: string, folder: string): Promise<void> {
  await writeFile(join(folder, 'original'), await readFile(source));
  const within = (edge: number, picture: Sharp) => picture.resize(edge, edge, { fit: 'inside' });
  const pixelsOf = (picture: Sharp) => picture.raw().toBuffer({ resolveWithObject: true });
  const webp = { quality: 80, effort: 2 };
  const large = await pixelsOf(within(1_024, sharp(source).autoOrient()));
  const { width, height, channels } = large.info;
  const picture = sharp(large.data, { raw: { width, height, channels } });
  await picture.clone().webp(webp).toFile(join(folder, '1024.webp'));
  await within(320, picture.clone()).webp(webp).toFile(join(folder, '320.webp'));
  const small = await pixelsOf(within(100, picture).ensureAlpha());
  rgbaToThumbHash(small.info.width, small.info.height, small.data);
}

/** Pictures a second, with `callers` of them in flight. */
async function measure(callers: number, work: (number: number) => Promise<unknown>): Promise<number> {
  return (await load({ callers, times: PICTURES }, work)).perSecond;
}

/**
 * A 12-megapixel JPEG from a server to stored original, two thumbnails and placeholder, against a bare sharp script.
 */
await onBenchDatabase(async (bench) => {
  const { database, folder } = bench;
  // The picture processes are nicer than others; so is all they are compared with.
  setPriority(5);
  sharp.cache(false);
  sharp.concurrency(1);
  const bytes = await photograph();
  const source = join(folder, 'source.jpg');
  await writeFile(source, bytes);
  const server = createServer((_, response) => response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const clock = systemClock;
  const unitOfWork = new PostgresUnitOfWork(database);
  const records = new PostgresFileRecords(database);
  const storage = bench.storage();
  const processes = new PictureProcesses({ atOnce: CORES });
  const http = new SafeHttp({ timeoutSeconds: 30, allowedHosts: [host] });
  const urls = new StoredUrls('http://store.test');
  const folders = await DiskTemporaryFolders.open(join(folder, 'tmp'));
  const pictures = new SharpPictures(processes);
  const files = new Files(
    records,
    new PostgresUploadRecords(database),
    storage,
    urls,
    clock,
    new PostgresStorageSpace(database, {}),
  );
  const derived = new DerivedFiles({
    files,
    derivatives: pictures,
    videos: new FfmpegVideos(processes),
    manifests: { signs: false, sign: async () => false },
    jobs: { announce: async () => {} },
    unitOfWork,
  });
  const prepareMedia = new PrepareMedia({
    sources: new Sources({
      files,
      records,
      served: new ServedFiles(records, null, clock),
      storage,
      urls,
      remote: new SafeRemoteSources(http),
      pictures,
      folders,
      unitOfWork,
      maxBytes: 50_000_000,
    }),
    derived,
    looks: new PictureLooks({ records, storage, derived, folders, clock, maxBytes: 50_000_000 }),
    urls,
    fileTypes: new MagicFileTypes(),
    folders,
  });
  const { workspaceId } = await bench.newUser();
  const { signal } = new AbortController();
  const sources = { url: `http://${host}/photo.jpg`, controlImage: null };

  const bare = () =>
    measure(CORES, async (number) => {
      const target = join(folder, `bare-${number}`);
      await mkdir(target, { recursive: true });
      await bareSharp(source, target);
    });
  const ours = () => measure(JOBS, () => prepareMedia.prepare(workspaceId, sources, signal));

  await ours();
  const rounds: { readonly bare: number; readonly ours: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push({ bare: await bare(), ours: await ours() });
  server.closeAllConnections();
  server.close();

  console.log(`${(bytes.length / 1e6).toFixed(1)} MB, 4000 × 3000, ${CORES} cores, median of ${ROUNDS} rounds`);
  const standings = [
    { name: 'PrepareMedia', perSecond: median(rounds.map((round) => round.ours)) },
    { name: 'bare sharp', perSecond: median(rounds.map((round) => round.bare)) },
  ];
  report('pictures of a media', REQUIRED, standings);
});
