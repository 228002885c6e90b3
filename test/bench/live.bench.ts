import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDemo } from '../support/started-service.ts';
import { apiMemory } from './bench-service.ts';
import { median, quantile } from './measure.ts';

const STREAMS = Number(process.env.STREAMS ?? 200);
const CHANGES = 50;
/** Streams for the measure of memory, which varies by some megabytes from one reading to the next. */
const MANY = 2_000;
const MOST_MS = 500;
const MOST_KB = 30;

/** How fast the streams of one board on one API have a change, and their memory. */
const demo = await startDemo({ LOG_LEVEL: 'warn', STREAMS_PER_USER: '0' });
process.once('SIGINT', () => demo.service.interrupt());
try {
  const headers = { authorization: `Bearer ${demo.token}` };
  const put = async (path: string, body: object, method = 'PUT') => {
    const json = { ...headers, 'content-type': 'application/json' };
    const response = await fetch(`${demo.baseUrl}${path}`, { method, headers: json, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { readonly board: { readonly id: number } };
  };
  const { id } = (await put('/boards', { name: 'Live' }, 'POST')).board;
  const url = `${demo.baseUrl}/boards/${id}/events`;
  /** When each stream had each version, in ms. */
  const seen = new Map<number, number[]>();
  const open = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(url, { headers, agent: false }, (response) => {
        response.setEncoding('utf8').on('error', () => undefined);
        response.once('data', () => resolve(response));
        response.on('data', (text: string) => {
          for (const [, version] of text.matchAll(/event: changed\nid: (\d+)/g)) {
            const times = seen.get(Number(version)) ?? [];
            seen.set(Number(version), times);
            times.push(performance.now());
          }
        });
      }).on('error', reject);
    });
  const openMany = async (count: number): Promise<IncomingMessage[]> => {
    const streams: IncomingMessage[] = [];
    while (streams.length < count) streams.push(...(await Promise.all(Array.from({ length: 20 }, open))));
    return streams;
  };
  const kilobytes = async (): Promise<number> => (await apiMemory(demo.baseUrl)) / 1024;

  const streams = await openMany(STREAMS);
  await sleep(1_000);
  const delays: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    seen.clear();
    const started = performance.now();
    await put(`/boards/${id}`, { name: `Live ${change}` });
    for (let waits = 0; waits < 400 && [...seen.values()].flat().length < STREAMS; waits++) await sleep(5);
    const times = [...seen.values()].flat();
    if (times.length !== STREAMS) throw new Error(`${times.length} of ${STREAMS} streams have the change`);
    delays.push(...times.map((time) => time - started));
  }
  const p95 = quantile(delays, 0.95);
  console.log(
    `${STREAMS} streams: a change arrives ${median(delays).toFixed(0)} ms after it is sent (median), ` +
      `${p95.toFixed(0)} ms (p95; at most ${MOST_MS})`,
  );

  // The first streams have made the heap grow.
  const before = await kilobytes();
  const more = await openMany(MANY);
  await sleep(2_000);
  const each = ((await kilobytes()) - before) / MANY;
  console.log(`${MANY} further streams: ${each.toFixed(1)} kB each (at most ${MOST_KB})`);
  for (const stream of [...streams, ...more]) stream.destroy();
  if (p95 > MOST_MS || each > MOST_KB) process.exitCode = 1;
} finally {
  await demo.stop();
}
