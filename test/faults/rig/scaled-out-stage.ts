import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { GenericContainer, Wait } from 'testcontainers';
import { S3ObjectStorage } from '#adapters/storage';
import { freePort } from '#process';
import type { Clock } from '#kernel';
import type { ObjectStorage } from '#files';
import { kill } from '../../support/started-service.ts';
import type { Chance } from './chance.ts';
import { Engine } from '../../support/engine.ts';
import type { FaultStage } from './run-rig.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test-secret' };
const BUCKET = 'faults';
const EACH = 2;
const OUTAGE_MS = 4_000;
const READY_WITHIN_MS = 120_000;

export type ScaledOutFault =
  | 'kill worker'
  | 'kill API'
  | 'restart database'
  | 'freeze database'
  | 'flush queue'
  | 'kill queue'
  | 'freeze queue'
  | 'kill storage'
  | 'freeze storage';

export type EngineName = 'database' | 'queue' | 'storage';

/** Two APIs and two workers, each a process that is started again when it ends, on engines in containers. */
export class ScaledOutStage implements FaultStage<ScaledOutFault> {
  readonly lacks: ReadonlyMap<ScaledOutFault, string> = new Map();
  readonly databaseUrl: string;
  readonly #running = new Map<string, ChildProcess>();
  readonly #turns = new Map<EngineName, Promise<void>>();
  #closing = false;

  static async open(): Promise<ScaledOutStage> {
    process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
    const gateway = await GenericContainer.fromDockerfile(join(ROOT, 'scripts', 's3-gateway')).build('x12-s3-gateway', {
      deleteOnExit: false,
    });
    const [database, queue, storage] = await allOrNone([
      Engine.start(
        new GenericContainer('postgres:17-trixie')
          .withEnvironment({ POSTGRES_PASSWORD: 'postgres' })
          .withHealthCheck({
            // Not over its socket: there the server that only makes the cluster answers too.
            test: ['CMD-SHELL', 'pg_isready -h 127.0.0.1 -U postgres'],
            interval: 500,
            timeout: 3000,
            retries: 120,
          })
          .withWaitStrategy(Wait.forHealthCheck()),
        5432,
      ),
      Engine.start(
        new GenericContainer('valkey/valkey:8-trixie')
          .withCommand(['valkey-server', '--protected-mode', 'no', '--appendonly', 'yes'])
          .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/)),
        6379,
      ),
      Engine.start(gateway.withEnvironment(CREDENTIALS).withWaitStrategy(Wait.forHealthCheck()), 7480),
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'x12-scaled-out-'));
    const ports = await Promise.all(Array.from({ length: EACH }, () => freePort()));
    const baseUrls = ports.map((port) => `http://127.0.0.1:${port}`);
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      LOG_LEVEL: 'fatal',
      DATA_DIR: folder,
      PUBLIC_URL: baseUrls[0],
      DATABASE_URL: `postgres://postgres:postgres@${database.address}/postgres`,
      DATABASE_POOL_SIZE: '5',
      REDIS_URL: `redis://${queue.address}`,
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://${storage.address}`,
      S3_FORCE_PATH_STYLE: 'true',
      ...CREDENTIALS,
      RATE_LIMIT_PER_MINUTE: '0',
      SWEEP_INTERVAL_SECONDS: '5',
      WORKER_CONCURRENCY: '3',
      PLANS: '{"free":{"monthly_credits":1000000,"teams":false}}',
    };
    const stage = new ScaledOutStage({ database, queue, storage }, folder, env, baseUrls);
    await stage.#run('service/src/migrate.js');
    await stage.#run('cli/src/main.js', 'storage', 'setup');
    for (const port of ports) stage.#keep(`api ${port}`, 'api', { PORT: String(port) });
    for (let count = 0; count < EACH; count++) stage.#keep(`worker ${count}`, 'worker');
    await stage.#ready();
    return stage;
  }

  private constructor(
    readonly engines: Readonly<Record<EngineName, Engine>>,
    private readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
    readonly baseUrls: readonly string[],
  ) {
    this.databaseUrl = env.DATABASE_URL!;
  }

  storageAt(clock: Clock): ObjectStorage {
    return new S3ObjectStorage({
      bucket: BUCKET,
      region: 'us-east-1',
      endpoint: this.env.S3_ENDPOINT!,
      publicEndpoint: null,
      forcePathStyle: true,
      credentials: { accessKeyId: CREDENTIALS.AWS_ACCESS_KEY_ID, secretAccessKey: CREDENTIALS.AWS_SECRET_ACCESS_KEY },
      clock,
    });
  }

  /** The token of a new user. */
  async token(): Promise<string> {
    const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
    const response = await fetch(new URL('/v2/auth/signup', this.baseUrls[0]), {
      method: 'POST',
      body: new URLSearchParams(account),
    });
    return ((await response.json()) as { token: string }).token;
  }

  async inflict(fault: ScaledOutFault, chance: Chance): Promise<void> {
    switch (fault) {
      case 'kill worker':
        return this.#kill('worker', chance);
      case 'kill API':
        return this.#kill('api', chance);
      case 'restart database':
        return this.away('database', () => sleep(1000));
      case 'freeze database':
        return this.#freeze('database');
      case 'flush queue':
        return this.#flushQueue();
      case 'kill queue':
        return this.away('queue', () => sleep(OUTAGE_MS));
      case 'freeze queue':
        return this.#freeze('queue');
      case 'kill storage':
        return this.away('storage', () => sleep(OUTAGE_MS));
      case 'freeze storage':
        return this.#freeze('storage');
    }
  }

  /** Does something while an engine is gone. */
  away(name: EngineName, work: () => Promise<unknown>): Promise<void> {
    return this.#inTurn(name, async () => {
      await this.engines[name].kill();
      await work().finally(() => this.engines[name].startAgain());
    });
  }

  async recovered(): Promise<void> {
    await this.#ready();
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(
      [...this.#running.values()].map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        await once(child, 'exit');
      }),
    );
    await Promise.all(Object.values(this.engines).map((engine) => engine.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }

  async #run(program: string, ...args: string[]): Promise<void> {
    const file = join(ROOT, 'dist', 'apps', program);
    await promisify(execFile)(process.execPath, [file, ...args], { env: this.env });
  }

  #keep(name: string, app: 'api' | 'worker', settings: Readonly<Record<string, string>> = {}): void {
    const child = spawn(process.execPath, [join(ROOT, 'dist', 'apps', app, 'src', 'main.js')], {
      env: { ...this.env, ...settings },
      stdio: 'ignore',
    });
    this.#running.set(name, child);
    child.once('exit', () => {
      if (!this.#closing) setTimeout(() => this.#closing || this.#keep(name, app, settings), 500);
    });
  }

  async #kill(app: 'api' | 'worker', chance: Chance): Promise<void> {
    const names = [...this.#running.keys()].filter((name) => name.startsWith(app));
    kill(this.#running.get(chance.pick(names))!.pid!);
  }

  #freeze(name: EngineName): Promise<void> {
    return this.#inTurn(name, async () => {
      await this.engines[name].freeze();
      await sleep(OUTAGE_MS);
      await this.engines[name].thaw();
    });
  }

  /** What is frozen can not be killed. */
  #inTurn(name: EngineName, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(work);
    this.#turns.set(
      name,
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #flushQueue(): Promise<void> {
    const redis = new Redis(this.env.REDIS_URL!, { maxRetriesPerRequest: 0, retryStrategy: () => null });
    // It may be away just now.
    redis.on('error', () => undefined);
    await redis.flushall().catch(() => undefined);
    redis.disconnect();
  }

  async #ready(): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    for (const url of this.baseUrls) {
      while (!(await isReady(url))) {
        if (Date.now() > deadline) throw new Error(`${url} is not ready`);
        await sleep(250);
      }
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.ok === true;
}

/** Engines that have started are stopped again when another one does not. */
async function allOrNone<Engines extends readonly Promise<Engine>[]>(
  starting: readonly [...Engines],
): Promise<{ -readonly [Index in keyof Engines]: Engine }> {
  const settled = await Promise.allSettled(starting);
  if (settled.some(({ status }) => status === 'rejected')) {
    for (const each of settled) if (each.status === 'fulfilled') await each.value.stop();
  }
  return (await Promise.all(starting)) as { -readonly [Index in keyof Engines]: Engine };
}
