import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { onBenchService, type BenchService } from './bench-service.ts';

const ALLOCATIONS = 5_000;
const CALLERS = 32;

const GIGABYTE = 1024 ** 3;
const CHUNK = 64 * 1024;
const MOST_GROWTH = 150e6;
const MOST_LATENCY_MS = 50;

const form = new URLSearchParams({ filename: 'video.mp4' }).toString();

/** Allocations a second; then what an upload of 1 GB costs the API in memory, and other requests in time. */
await onBenchService(async (service) => {
  const pool = new Pool(service.baseUrl, { connections: CALLERS, headersTimeout: 0, bodyTimeout: 0 });
  const headers = { authorization: `Bearer ${service.token}` };
  const allocate = async (): Promise<{ signed_url: string; final_url: string }> => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/v2/upload',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
    });
    if (statusCode !== 201) throw new Error(`allocating answered ${statusCode}: ${await body.text()}`);
    return (await body.json()) as { signed_url: string; final_url: string };
  };

  for (let count = 0; count < 500; count++) await allocate();
  let left = ALLOCATIONS;
  const allocations: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (left-- > 0) allocations.push(await timed(allocate));
    }),
  );
  const perSecond = (ALLOCATIONS / (performance.now() - started)) * 1000;
  console.log(
    `allocations: ${perSecond.toFixed(0)}/s from ${CALLERS} callers, p50 ${at(allocations, 0.5)}, p99 ${at(allocations, 0.99)}`,
  );

  const ask = async (): Promise<void> => {
    const { body } = await pool.request({ method: 'GET', path: '/v2/auth/me', headers });
    await body.dump();
  };
  const before = await service.apiMemory();
  const [quiet] = await whileAsking(ask, service, () => sleep(3_000));
  console.log(`other requests before: p50 ${at(quiet, 0.5)}, p99 ${at(quiet, 0.99)}, max ${at(quiet, 1)}`);

  const ticket = await allocate();
  const [latencies, most, seconds] = await whileAsking(ask, service, () => send(pool, ticket.signed_url));
  const growth = most - before;
  console.log(
    `1 GB in ${seconds.toFixed(1)} s: memory ${mega(before)} to at most ${mega(most)}, growth ${mega(growth)}`,
  );
  console.log(
    `other requests meanwhile: p50 ${at(latencies, 0.5)}, p99 ${at(latencies, 0.99)}, max ${at(latencies, 1)}`,
  );

  const finalizing = await timed(async () => {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: `/v2/finalize_upload?url=${encodeURIComponent(ticket.final_url)}`,
      headers,
    });
    if (statusCode !== 200) throw new Error(`finalizing answered ${statusCode}: ${await body.text()}`);
    await body.dump();
  });
  console.log(`1 GB finalized in ${finalizing.toFixed(0)} ms`);
  await pool.close();

  latencies.sort((a, b) => a - b);
  const slow = latencies[Math.floor(latencies.length * 0.99)]! > MOST_LATENCY_MS;
  if (growth > MOST_GROWTH || slow) process.exitCode = 1;
});

/** Does `work` and asks every 20 ms: how long each answer took, the most memory, and the seconds of it all. */
async function whileAsking(
  ask: () => Promise<void>,
  service: BenchService,
  work: () => Promise<unknown>,
): Promise<[latencies: number[], mostMemory: number, seconds: number]> {
  let isOver = false;
  const latencies: number[] = [];
  let most = 0;
  const asking = async (): Promise<void> => {
    while (!isOver) {
      latencies.push(await timed(ask));
      await sleep(20);
    }
  };
  const weighing = async (): Promise<void> => {
    while (!isOver) {
      most = Math.max(most, await service.apiMemory());
      await sleep(250);
    }
  };
  const both = Promise.all([asking(), weighing()]);
  const milliseconds = await timed(work).finally(() => (isOver = true));
  await both;
  return [latencies, most, milliseconds / 1000];
}

async function send(pool: Pool, signedUrl: string): Promise<void> {
  const { pathname, search } = new URL(signedUrl);
  const { statusCode, body } = await pool.request({
    method: 'PUT',
    path: pathname + search,
    headers: { 'content-length': String(GIGABYTE), 'content-type': 'video/mp4' },
    body: Readable.from(videoBytes()),
  });
  if (statusCode !== 200) throw new Error(`sending answered ${statusCode}: ${await body.text()}`);
  await body.dump();
}

/** What is an MP4 by its beginning, a gigabyte long. */
function* videoBytes(): Generator<Buffer> {
  const filling = Buffer.alloc(CHUNK, 7);
  const beginning = Buffer.from(filling);
  beginning.write('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1');
  yield beginning;
  for (let sent = CHUNK; sent < GIGABYTE; sent += CHUNK) yield filling;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function at(latencies: number[], share: number): string {
  latencies.sort((a, b) => a - b);
  return `${latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!.toFixed(1)} ms`;
}

function mega(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
