import { Pool } from 'undici';
import { demoToken, startDemo, type DemoService } from '../support/started-service.ts';

export interface BenchService extends Pick<DemoService, 'baseUrl' | 'databaseUrl'> {
  /** Of the demo's user outside the team. */
  readonly token: string;
  /** Connections to the API. */
  readonly pool: Pool;
  /** Allocates an upload. */
  allocate(): Promise<{ readonly signed_url: string; readonly final_url: string }>;
  /** Resident memory of the API, in bytes. */
  apiMemory(): Promise<number>;
  /** Processor time that the API has used. */
  apiCpuSeconds(): Promise<number>;
}

/** Runs `work` against what `npm start` starts, with a data folder of its own and no rate limit. */
export async function onBenchService(
  work: (service: BenchService) => Promise<void>,
  { connections, env }: { readonly connections: number; readonly env?: Readonly<Record<string, string>> },
): Promise<void> {
  const demo = await startDemo({ LOG_LEVEL: 'warn', ...env });
  const { baseUrl, databaseUrl } = demo;
  // It has a process group of its own, which Ctrl-C does not reach.
  process.once('SIGINT', () => demo.service.interrupt());
  const pool = new Pool(baseUrl, { connections, headersTimeout: 0, bodyTimeout: 0 });
  try {
    const token = await demoToken(demo.folder, 'solo');
    await work({
      baseUrl,
      databaseUrl,
      token,
      pool,
      allocate: () => allocate(pool, token),
      apiMemory: () => metric(baseUrl, 'process_resident_memory_bytes'),
      apiCpuSeconds: () => metric(baseUrl, 'process_cpu_seconds_total'),
    });
  } finally {
    await pool.close();
    await demo.stop();
  }
}

const FILENAME = new URLSearchParams({ filename: 'video.mp4' }).toString();

async function allocate(pool: Pool, token: string): Promise<{ signed_url: string; final_url: string }> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/v2/upload',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: FILENAME,
  });
  if (statusCode !== 201) throw new Error(`an allocation failed with ${statusCode}: ${await body.text()}`);
  return (await body.json()) as { signed_url: string; final_url: string };
}

async function metric(baseUrl: string, name: string): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
}
