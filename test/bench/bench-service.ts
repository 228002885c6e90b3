import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgres } from '#embedded';
import { freePort } from '#process';

export interface BenchService {
  readonly baseUrl: string;
  /** Of the demo's user outside the team. */
  readonly token: string;
  readonly databaseUrl: string;
  /** Resident memory of the API, in bytes. */
  apiMemory(): Promise<number>;
  /** Processor time that the API has used. */
  apiCpuSeconds(): Promise<number>;
}

/** Runs `work` against what `npm start` starts, with a data folder of its own and no rate limit. */
export async function onBenchService(
  work: (service: BenchService) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'x12-bench-'));
  const port = String(await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const program = spawn(process.execPath, ['scripts/start.mjs'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATA_DIR: folder, PORT: port, RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'warn', ...env },
  });
  const ended = new Promise<void>((resolve) => program.once('close', () => resolve()));
  try {
    await untilReady(baseUrl, ended);
    const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as { tokens: { solo: string } };
    const databaseUrl = await EmbeddedPostgres.urlOfRunning({
      folder: join(folder, 'postgres'),
      password: await readFile(join(folder, 'secrets', 'postgres'), 'utf8'),
    });
    await work({
      baseUrl,
      token: demo.tokens.solo,
      databaseUrl: databaseUrl!,
      apiMemory: () => metric(baseUrl, 'process_resident_memory_bytes'),
      apiCpuSeconds: () => metric(baseUrl, 'process_cpu_seconds_total'),
    });
  } finally {
    program.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

async function untilReady(baseUrl: string, ended: Promise<void>): Promise<void> {
  let over = false;
  void ended.then(() => (over = true));
  while (!over) {
    const ready = await fetch(`${baseUrl}/health/ready`).catch(() => null);
    if (ready?.ok) return;
    await sleep(200);
  }
  throw new Error('the service did not start');
}

async function metric(baseUrl: string, name: string): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
}
