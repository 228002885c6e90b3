import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

// Load on a running installation while it is upgraded or scaled: reads, writes, uploads and generations. Fails if one
// request did, or one generation is lost. The installation needs RATE_LIMIT_PER_MINUTE=0 and credits enough.
//
//   node test/bench/operations-load.ts --url http://localhost:3000 --seconds 120
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '50' },
  },
});
const GENERATIONS_DONE_MS = 180_000;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';

interface Answer {
  readonly code?: string;
  readonly token: string;
  readonly state: string;
  readonly generation_id: number;
  readonly signed_url: string;
  readonly final_url: string;
  readonly headers: Record<string, string>;
}

const failures: string[] = [];
const counts: Record<string, number> = {};
const slowest: Record<string, number> = {};
const generations: number[] = [];

async function call(kind: string, method: string, path: string, json?: object, token?: string): Promise<Answer | null> {
  const start = performance.now();
  counts[kind] = (counts[kind] ?? 0) + 1;
  try {
    const response = await fetch(new URL(path, values.url), {
      method,
      headers: {
        ...(json && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(json && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(60_000),
    });
    const body = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`${response.status} ${body.code}`);
    return body;
  } catch (error) {
    const { message, cause } = error as Error;
    failures.push(`${new Date().toISOString()} ${kind}: ${message} ${cause ?? ''}`);
    return null;
  } finally {
    slowest[kind] = Math.max(slowest[kind] ?? 0, Math.round(performance.now() - start));
  }
}

async function upload(token: string): Promise<void> {
  const upload = await call('allocate', 'POST', '/v2/upload', { filename: 'a.svg' }, token);
  if (!upload) return;
  const put = await fetch(upload.signed_url, { method: 'PUT', headers: upload.headers, body: SVG }).catch(() => null);
  if (!put?.ok) return void failures.push(`PUT to the storage: ${put?.status}`);
  await call('finalize', 'GET', `/v2/finalize_upload?url=${encodeURIComponent(upload.final_url)}`, undefined, token);
}

async function generate(token: string): Promise<void> {
  const fields = { model: 'local-image', width: 64, height: 64 };
  const generation = await call('generate', 'POST', '/v2/generate', fields, token);
  if (generation) generations.push(generation.generation_id);
}

const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
const { token } = (await call('sign up', 'POST', '/v2/auth/signup', account))!;
const running: Promise<unknown>[] = [];
const rate = Number(values.rate);
const start = Date.now();
for (let turn = 0; turn < rate * Number(values.seconds); turn++) {
  const next = sleep(Math.max(1, start + (turn * 1000) / rate - Date.now()));
  running.push(
    turn % 5 === 0
      ? call('create board', 'POST', '/boards', { name: `Board ${turn}` }, token)
      : call('list boards', 'GET', '/boards?limit=5', undefined, token),
  );
  if (turn % rate === 0) running.push(upload(token), generate(token));
  await next;
}
await Promise.all(running);

const open = new Set(generations);
for (const until = Date.now() + GENERATIONS_DONE_MS; open.size > 0 && Date.now() < until; await sleep(1000)) {
  for (const id of open) {
    const state = (await call('generation', 'GET', `/v2/generations/${id}`, undefined, token))?.state;
    if (state === 'succeeded') open.delete(id);
    if (state === 'failed' && open.delete(id)) failures.push(`generation ${id} failed`);
  }
}
for (const id of open) failures.push(`generation ${id} is lost`);
console.log({ counts, slowest, generations: generations.length, failures });
process.exitCode = failures.length > 0 ? 1 : 0;
