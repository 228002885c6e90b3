import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

// Load on a running installation while it is upgraded or scaled: reads, writes, uploads, files and generations. Fails if
// one request did, or one generation is lost or charged twice. The installation needs RATE_LIMIT_PER_MINUTE=0 and
// credits enough.
//
//   npm run load -- --url http://localhost:3000 --seconds 120
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '50' },
  },
});
const GENERATIONS_DONE_MS = 180_000;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';

interface LoadResponse {
  readonly code?: string;
  readonly token: string;
  readonly state: string;
  readonly generation_id: number;
  readonly cost: number;
  readonly signed_url: string;
  readonly final_url: string;
  readonly headers: Record<string, string>;
  readonly credits: { readonly used: number };
}

/** By what failed: how often, and when first and last. */
const failures: Record<string, { times: number; first: string; last: string }> = {};
const counts: Record<string, number> = {};
const slowest: Record<string, number> = {};
const generations: number[] = [];
/** Credits that all of them cost. */
let cost = 0;

function failed(what: string): void {
  const now = new Date().toISOString().slice(11, 23);
  failures[what] ??= { times: 0, first: now, last: now };
  failures[what].times++;
  failures[what].last = now;
}

async function call(
  kind: string,
  method: string,
  path: string,
  json?: object,
  token?: string,
): Promise<LoadResponse | null> {
  const response = await send(kind, new URL(path, values.url), {
    method,
    headers: {
      ...(json && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  return response === null ? null : (JSON.parse(response) as LoadResponse);
}

/** @returns the body, or `null` where it failed */
async function send(kind: string, url: URL | string, init: RequestInit = {}): Promise<string | null> {
  const start = performance.now();
  counts[kind] = (counts[kind] ?? 0) + 1;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
    const body = await response.text();
    if (response.ok) return body;
    failed(`${kind}: ${response.status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`);
  } catch (error) {
    const { message, cause } = error as Error;
    failed(`${kind}: ${message} ${cause ?? ''}`);
  } finally {
    slowest[kind] = Math.max(slowest[kind] ?? 0, Math.round(performance.now() - start));
  }
  return null;
}

async function upload(token: string): Promise<void> {
  const upload = await call('allocate', 'POST', '/v2/upload', { filename: 'a.svg' }, token);
  if (!upload) return;
  const { signed_url, final_url, headers } = upload;
  if ((await send('PUT to the storage', signed_url, { method: 'PUT', headers, body: SVG })) === null) return;
  const path = `/v2/finalize_upload?url=${encodeURIComponent(final_url)}`;
  if (await call('finalize', 'GET', path, undefined, token)) await send('file', final_url);
}

async function generate(token: string): Promise<void> {
  const fields = { model: 'local-image', width: 64, height: 64 };
  const generation = await call('generate', 'POST', '/v2/generate', fields, token);
  if (!generation) return;
  generations.push(generation.generation_id);
  cost += generation.cost;
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
    if (state === 'failed' && open.delete(id)) failed('generation failed');
  }
}
if (open.size > 0) failed(`generations lost: ${[...open].join(', ')}`);
const used = (await call('credits', 'GET', '/v2/credits', undefined, token))?.credits.used ?? 0;
if (used !== cost) failed(`${used} credits charged, not ${cost}`);
console.dir({ counts, slowest, generations: generations.length, used, failures }, { depth: null });
process.exitCode = Object.keys(failures).length > 0 ? 1 : 0;
