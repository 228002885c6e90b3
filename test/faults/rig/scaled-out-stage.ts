import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { GenericContainer, Wait } from 'testcontainers';
import { loadS3 } from '#adapters/storage';
import type { ObjectStorage } from '#files';
import type { Clock } from '#kernel';
import { freePort } from '#process';
import { callApi } from '../../support/call-api.ts';
import { Engine } from '../../support/engine.ts';
import { Processes, ROOT, untilReady } from '../../support/processes.ts';
import { signal } from '../../support/started-service.ts';
import { valkeyImage } from '../../support/valkey-server.ts';
import type { Chance } from './chance.ts';
import type { FaultStage } from './run-rig.ts';

const s3 = await loadS3();

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test-secret' };
const BUCKET = 'faults';
const EACH = 2;
const OUTAGE_MS = 4_000;

type EngineName = 'database' | 'queue' | 'storage';

/** Two APIs and two workers, each a process that is started again when it ends, on engines in containers. */
export class ScaledOutStage implements FaultStage<string> {
  readonly faults = {
    'kill worker': async (chance: Chance) => this.#kill('worker', chance),
    'kill API': async (chance: Chance) => this.#kill('api', chance),
    'restart database': () => this.away('database', () => sleep(1000)),
    'freeze database': () => this.#freeze('database'),
    'flush queue': () => this.#flushQueue(),
    'kill queue': () => this.away('queue', () => sleep(OUTAGE_MS)),
    'freeze queue': () => this.#freeze('queue'),
    'kill storage': () => this.away('storage', () => sleep(OUTAGE_MS)),
    'freeze storage': () => this.#freeze('storage'),
  };
  readonly lacks = new Map<string, string>();
  readonly databaseUrl: string;
  readonly #turns = new Map<EngineName, Promise<void>>();

  static async open(): Promise<ScaledOutStage> {
    process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
    const [database, queue, storage] = await startEngines();
    const folder = await mkdtemp(join(tmpdir(), 'x12-scaled-out-'));
    const ports = await Promise.all(Array.from({ length: EACH }, () => freePort()));
    const baseUrls = ports.map((port) => `http://127.0.0.1:${port}`);
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
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
    const processes = new Processes(env, 500);
    const stage = new ScaledOutStage({ database, queue, storage }, folder, processes, baseUrls);
    await processes.run('service', 'migrate');
    await processes.run('cli', 'main', 'storage', 'setup');
    for (const port of ports) processes.start(`api ${port}`, 'api', { PORT: String(port) });
    for (let count = 0; count < EACH; count++) processes.start(`worker ${count}`, 'worker');
    await stage.recovered();
    return stage;
  }

  private constructor(
    private readonly engines: Readonly<Record<EngineName, Engine>>,
    private readonly folder: string,
    private readonly processes: Processes,
    readonly baseUrls: readonly string[],
  ) {
    this.databaseUrl = processes.env.DATABASE_URL!;
  }

  get output(): string {
    return this.processes.output;
  }

  storageAt(clock: Clock): ObjectStorage {
    return new s3.S3ObjectStorage({
      bucket: BUCKET,
      region: 'us-east-1',
      endpoint: this.processes.env.S3_ENDPOINT!,
      publicEndpoint: null,
      forcePathStyle: true,
      credentials: { accessKeyId: CREDENTIALS.AWS_ACCESS_KEY_ID, secretAccessKey: CREDENTIALS.AWS_SECRET_ACCESS_KEY },
      clock,
    });
  }

  /** Signs up a new user for each. */
  async token(): Promise<string> {
    const json = { email: `${randomUUID()}@example.com`, password: randomUUID() };
    const { body } = await callApi(new URL('/v2/auth/signup', this.baseUrls[0]), 'POST', { json });
    return body.token as string;
  }

  /** Does something while an engine is down. */
  away(name: EngineName, work: () => Promise<unknown>): Promise<void> {
    return this.#inTurn(name, async () => {
      await this.engines[name].kill();
      try {
        await work();
      } finally {
        await this.engines[name].startAgain();
      }
    });
  }

  recovered(): Promise<void> {
    return untilReady(this.baseUrls);
  }

  async close(): Promise<void> {
    await this.processes.stop();
    await Promise.all(Object.values(this.engines).map((engine) => engine.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }

  #kill(app: 'api' | 'worker', chance: Chance): void {
    const names = this.processes.names.filter((name) => name.startsWith(app));
    signal(this.processes.pidOf(chance.pick(names))!, 'SIGKILL');
  }

  #freeze(name: EngineName): Promise<void> {
    return this.#inTurn(name, async () => {
      await this.engines[name].freeze();
      await sleep(OUTAGE_MS);
      await this.engines[name].thaw();
    });
  }

  /** An engine that is frozen cannot be killed. */
  #inTurn(name: EngineName, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    this.#turns.set(name, settled);
    return turn;
  }

  async #flushQueue(): Promise<void> {
    const redis = new Redis(this.processes.env.REDIS_URL!, { maxRetriesPerRequest: 0, retryStrategy: () => null });
    // It may be down just now.
    redis.on('error', () => undefined);
    await redis.flushall().catch(() => undefined);
    redis.disconnect();
  }
}

/** PostgreSQL, Valkey and an S3 gateway; those that have started are stopped again when another one does not start. */
async function startEngines(): Promise<[database: Engine, queue: Engine, storage: Engine]> {
  const image = GenericContainer.fromDockerfile(join(ROOT, 'scripts', 's3-gateway'));
  const gateway = await image.build('x12-s3-gateway', { deleteOnExit: false });
  const postgres = new GenericContainer('postgres:17-trixie')
    .withEnvironment({ POSTGRES_PASSWORD: 'postgres' })
    .withHealthCheck({
      // Not over its socket: there the server that only creates the cluster accepts connections too.
      test: ['CMD-SHELL', 'pg_isready -h 127.0.0.1 -U postgres'],
      interval: 500,
      timeout: 3000,
      retries: 120,
    })
    .withWaitStrategy(Wait.forHealthCheck());
  const starting = [
    Engine.start(postgres, 5432),
    Engine.start(valkeyImage(), 6379),
    Engine.start(gateway.withEnvironment(CREDENTIALS).withWaitStrategy(Wait.forHealthCheck()), 7480),
  ] as const;
  try {
    return await Promise.all(starting);
  } catch (error) {
    for (const each of await Promise.allSettled(starting)) if (each.status === 'fulfilled') await each.value.stop();
    throw error;
  }
}
