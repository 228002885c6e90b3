import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { connectPostgres } from '#adapters/postgres';
import { sqlOn } from '../support/database.ts';
import { allocateOn, onBenchService, type BenchService } from './bench-service.ts';
import { CALLERS, compete, postgresTime, report } from './contest.ts';
import { load, megabytes, percentiles, quantile, timed } from './measure.ts';

const FILES = 100;
const LEAST_RATIO = 0.5;

const GIGABYTE = 1024 ** 3;
const CHUNK = 64 * 1024;
const MOST_GROWTH = 150e6;
const MOST_LATENCY_MS = 50;

/** Allocations a second beside a bare node:http + pg handler; then what an upload of 1 GB costs the API in memory, and other requests in time, unless `allocate` follows the name of the bench. */
await onBenchService(
  async (service) => {
    const { allocate, pool } = service;
    const headers = { authorization: `Bearer ${service.token}` };
    await compareAllocations(service);
    if (process.argv[3] === 'allocate') return;

    const ask = async (): Promise<void> => {
      const { body } = await pool.request({ method: 'GET', path: '/v2/auth/me', headers });
      await body.dump();
    };
    const before = await service.apiMemory();
    const [quiet] = await whileAsking(ask, service, () => sleep(3_000));
    console.log(`other requests before: ${percentiles(quiet)}, max ${Math.max(...quiet).toFixed(1)} ms`);

    const ticket = await allocate();
    const [latencies, most, seconds] = await whileAsking(ask, service, () => send(pool, ticket.signed_url));
    const growth = most - before;
    console.log(
      `1 GB in ${seconds.toFixed(1)} s: memory ${megabytes(before)} to at most ${megabytes(most)}, growth ${megabytes(growth)}`,
    );
    console.log(`other requests meanwhile: ${percentiles(latencies)}, max ${Math.max(...latencies).toFixed(1)} ms`);

    const finalizing = await timed(async () => {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: `/v2/finalize_upload?url=${encodeURIComponent(ticket.final_url)}`,
        headers,
      });
      if (statusCode !== 200) throw new Error(`finalizing failed with ${statusCode}: ${await body.text()}`);
      await body.dump();
    });
    console.log(`1 GB finalized in ${finalizing.toFixed(0)} ms`);
    if (growth > MOST_GROWTH || quantile(latencies, 0.99) > MOST_LATENCY_MS) process.exitCode = 1;
  },
  { connections: CALLERS },
);

/** Single allocations beside those of the bare handler; and those of calls with many files. */
async function compareAllocations({ allocate, pool, token, databaseUrl, service }: BenchService): Promise<void> {
  const child = fork(join(import.meta.dirname, 'bare-uploads.ts'), {
    execArgv: ['--conditions=x12-source', '--experimental-transform-types'],
  });
  child.send({ databaseUrl });
  const [{ port }] = (await once(child, 'message')) as [AddressInfo];
  const bare = new Pool(`http://127.0.0.1:${port}`, { connections: CALLERS });
  const connection = await connectPostgres(databaseUrl, { poolSize: 1 });
  const standings = await compete(
    [
      { name: 'service', pid: service.process(/apps\/api\//).pid, work: allocate },
      { name: 'limit', pid: child.pid!, work: () => allocateOn(bare, token) },
    ],
    await postgresTime(sqlOn(connection.database)),
  );
  report('allocate an upload', LEAST_RATIO, standings);
  await connection.close();
  await bare.close();
  child.kill();

  const files = Array.from({ length: FILES }, (_, index) => ({ filename: `${index}.png` }));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = { method: 'POST', path: '/v2/uploads', headers, body: JSON.stringify({ files }) } as const;
  const many = await load({ callers: 4, times: 100 }, async () => {
    const { statusCode, body } = await pool.request(request);
    if (statusCode !== 201) throw new Error(`an allocation failed with ${statusCode}: ${await body.text()}`);
    await body.dump();
  });
  console.log(`${FILES} files a call: ${(many.perSecond * FILES).toFixed(0)} files/s, ${percentiles(many.latencies)}`);
}

/** Does `work` and sends a request every 20 ms. @returns their latencies, the peak memory, and the seconds of `work` */
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
  if (statusCode !== 200) throw new Error(`sending failed with ${statusCode}: ${await body.text()}`);
  await body.dump();
}

/** An MP4 by its first bytes, a gigabyte long. */
function* videoBytes(): Generator<Buffer> {
  const filling = Buffer.alloc(CHUNK, 7);
  const beginning = Buffer.from(filling);
  beginning.write('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1');
  yield beginning;
  for (let sent = CHUNK; sent < GIGABYTE; sent += CHUNK) yield filling;
}
