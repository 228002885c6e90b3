import { Pool } from 'undici';
import { demoToken, startDemo, type DemoService } from '../support/started-service.ts';

export interface BenchService extends Pick<DemoService, 'baseUrl' | 'databaseUrl' | 'service'> {
  /** Token of the demo's user outside the team. */
  readonly token: string;
  /** Connections to the API. */
  readonly pool: Pool;
  /** Allocates an upload. */
  allocate(filename?: string): Promise<{ readonly signed_url: string; readonly final_url: string }>;
  /** Resident memory of the API, in bytes. */
  apiMemory(): Promise<number>;
}

/** Runs `work` against what `npm start` starts, with a data folder of its own and no rate limit. */
export async function onBenchService(
  work: (service: BenchService) => Promise<void>,
  { connections, env }: { readonly connections: number; readonly env?: Readonly<Record<string, string>> },
): Promise<void> {
  const demo = await startDemo({ LOG_LEVEL: 'warn', ...env });
  const { baseUrl, databaseUrl, service } = demo;
  // It has a process group of its own, which Ctrl-C does not reach.
  process.once('SIGINT', () => service.interrupt());
  const pool = new Pool(baseUrl, { connections, keepAliveMaxTimeout: 500, headersTimeout: 0, bodyTimeout: 0 });
  try {
    const token = await demoToken(demo.folder, 'solo');
    await work({
      baseUrl,
      databaseUrl,
      service,
      token,
      pool,
      allocate: (filename) => allocateOn(pool, token, filename),
      apiMemory: () => apiMemory(baseUrl),
    });
  } finally {
    await pool.close();
    await demo.stop();
  }
}

/** Allocates an upload on the service behind the pool. */
export async function allocateOn(
  pool: Pool,
  token: string,
  filename = 'video.mp4',
): Promise<{ signed_url: string; final_url: string }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  const request = { method: 'POST', path: '/v2/upload', headers, body: `filename=${filename}` } as const;
  const { statusCode, body } = await pool.request(request);
  if (statusCode !== 201) throw new Error(`an allocation failed with ${statusCode}: ${await body.text()}`);
  return (await body.json()) as { signed_url: string; final_url: string };
}

/** Resident memory of the API, in bytes. */
export async function apiMemory(baseUrl: string): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
}
