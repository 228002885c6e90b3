import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#process';
import { createDatabase, type TestDatabase } from './database.ts';
import { engineSettings } from './engines.ts';

const DIST = join(import.meta.dirname, '..', '..', 'dist', 'apps');
const READY_WITHIN_MS = 60_000;

/** Two APIs and two workers, each a process, as they run beside a proxy, on PostgreSQL, Valkey and S3 in containers. */
export class SeveralProcesses {
  readonly #running: ChildProcess[] = [];

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<SeveralProcesses> {
    const database = await createDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'x12-processes-'));
    const ports = [await freePort(), await freePort()] as const;
    const urls = [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`] as const;
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '5',
      PUBLIC_URL: urls[0],
      AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID,
      AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY,
      ...(await engineSettings()),
      ...settings,
    };
    const processes = new SeveralProcesses(database, env, urls, folder);
    for (const port of ports) processes.spawn('api', { PORT: String(port) });
    for (let count = 0; count < 2; count++) processes.spawn('worker');
    await Promise.all(urls.map(untilReady));
    return processes;
  }

  private constructor(
    readonly database: TestDatabase,
    readonly env: NodeJS.ProcessEnv,
    /** Where each API listens. */
    readonly urls: readonly [string, string],
    private readonly folder: string,
  ) {}

  spawn(app: 'api' | 'worker', settings: Readonly<Record<string, string>> = {}): ChildProcess {
    const child = spawn(process.execPath, [join(DIST, app, 'src', 'main.js')], {
      env: { ...this.env, ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#running.push(child);
    return child;
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#running.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        await once(child, 'close');
      }),
    );
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function untilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(100)) {
    const answer = await fetch(`${url}/health/ready`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error(`${url} is not ready`);
}
