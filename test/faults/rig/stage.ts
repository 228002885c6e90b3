import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedPostgres, probePort } from '#embedded';
import { kill, StartedService } from '../../support/started-service.ts';
import type { Chance } from './chance.ts';
import type { Fault } from './schedule.ts';

const API = /apps\/api\/src\/main/;
const WORKER = /apps\/worker\/src\/main/;
const DATABASE = /bin\/postgres -D/;
/** A worker's lock on a job lasts 15 s; by then another one has it. */
const FROZEN_MS = 22_000;
/** What an API that was started again has before it is killed again. */
const SERVING_MS = 3_000;

/** The embedded service with a second worker beside it, so that there is one to take over. */
export class Stage {
  readonly folder: string;
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly #service: StartedService;
  readonly #env: Readonly<Record<string, string>>;
  #second: ChildProcess | null = null;
  readonly #thaws = new Set<NodeJS.Timeout>();
  #closing = false;

  static async open(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'x12-faults-'));
    const probe = await probePort('127.0.0.1', 0);
    if (!('port' in probe)) throw new Error('no port is free');
    const env = {
      DATA_DIR: folder,
      PORT: String(probe.port),
      RATE_LIMIT_PER_MINUTE: '0',
      WORKER_CONCURRENCY: '3',
      SWEEP_INTERVAL_SECONDS: '10',
      LOG_LEVEL: 'error',
    };
    const service = new StartedService(env);
    const baseUrl = await service.ready();
    const password = (await readFile(join(folder, 'secrets', 'postgres'), 'utf8')).trim();
    const url = await EmbeddedPostgres.urlOfRunning({ folder: join(folder, 'postgres'), password });
    return new Stage(folder, baseUrl, url!, service, env);
  }

  private constructor(
    folder: string,
    baseUrl: string,
    databaseUrl: string,
    service: StartedService,
    env: Readonly<Record<string, string>>,
  ) {
    this.folder = folder;
    this.baseUrl = baseUrl;
    this.databaseUrl = databaseUrl;
    this.#service = service;
    this.#env = env;
    this.#startSecond();
  }

  get output(): string {
    return this.#service.output;
  }

  /** The token of a demo user. */
  async token(role: 'owner' | 'admin' | 'member' | 'solo'): Promise<string> {
    const demo = JSON.parse(await readFile(join(this.folder, 'demo.json'), 'utf8')) as {
      tokens: Record<string, string>;
    };
    return demo.tokens[role]!;
  }

  async inflict(fault: Fault, chance: Chance): Promise<void> {
    switch (fault) {
      case 'kill worker':
        return this.#killWorker(chance);
      case 'kill API':
        // One that is only starting holds no promise yet; and as its next start comes later each time, kills that
        // are late would follow each other and leave its clients no moment.
        await this.#ready();
        await sleep(SERVING_MS);
        return this.#signal(API, 'SIGKILL');
      case 'kill database':
        return this.#signal(DATABASE, 'SIGKILL');
      case 'restart database':
        // Immediate mode: no checkpoint, every connection is cut.
        return this.#signal(DATABASE, 'SIGQUIT');
      case 'freeze worker':
        return this.#freeze();
      case 'redeliver jobs':
        return this.#redeliver();
    }
  }

  /** Either one that is there: the supervisor waits longer before each start, the second one is back at once. */
  async #killWorker(chance: Chance): Promise<void> {
    const second = this.#second?.pid;
    const supervised = this.#service.processes().find(({ command }) => WORKER.test(command))?.pid;
    const victim = chance.next() < 0.5 ? (supervised ?? second) : (second ?? supervised);
    if (victim !== undefined) kill(victim);
  }

  async #signal(runs: RegExp, signal: NodeJS.Signals): Promise<void> {
    const { pid } = await this.#service.until(() =>
      this.#service.processes().find(({ command }) => runs.test(command)),
    );
    process.kill(pid, signal);
  }

  /** It goes on later, when it has lost all its jobs, without anybody waiting here. */
  async #freeze(): Promise<void> {
    const { pid } = await this.#service.until(() =>
      this.#service.processes().find(({ command }) => WORKER.test(command)),
    );
    process.kill(pid, 'SIGSTOP');
    const thaw = setTimeout(() => {
      this.#thaws.delete(thaw);
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // It was killed meanwhile.
      }
    }, FROZEN_MS);
    this.#thaws.add(thaw);
  }

  /** Hands every job that is at work to a second worker too. */
  async #redeliver(): Promise<void> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(
        'update jobs set deliveries = deliveries + 1, relayed_at = null where started_at is not null',
      );
    } catch {
      // The database is away just now: nobody is at work either.
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  #startSecond(): void {
    const child = spawn(process.execPath, ['dist/apps/worker/src/main.js'], {
      cwd: join(import.meta.dirname, '..', '..', '..'),
      env: { PATH: process.env.PATH, ...this.#env, NODE_ENV: 'production', DATABASE_URL: this.databaseUrl },
      stdio: 'ignore',
    });
    this.#second = child;
    child.once('exit', () => {
      if (!this.#closing) setTimeout(() => this.#closing || this.#startSecond(), 300);
    });
  }

  /** Waits until the service has recovered from everything. */
  async recovered(): Promise<void> {
    await sleep(FROZEN_MS);
    await this.#ready();
  }

  async #ready(): Promise<void> {
    await this.#service.until(async () => {
      const health = await fetch(new URL('/health/ready', this.baseUrl)).catch(() => null);
      return health?.ok ? true : undefined;
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const thaw of this.#thaws) clearTimeout(thaw);
    if (this.#second && this.#second.exitCode === null && this.#second.signalCode === null) {
      this.#second.kill('SIGTERM');
      await once(this.#second, 'exit');
    }
    this.#service.terminate();
    await this.#service.ended();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
