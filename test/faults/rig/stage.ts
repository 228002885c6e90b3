import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DiskObjectStorage } from '#adapters/storage';
import { EmbeddedPostgres } from '#embedded';
import { freePort } from '#process';
import type { Clock } from '#kernel';
import type { ObjectStorage } from '#files';
import { demoToken, kill, StartedService } from '../../support/started-service.ts';
import type { Chance } from './chance.ts';
import { FalseClock } from './false-clock.ts';
import type { FaultStage } from './run-rig.ts';
import { SmallDisk } from './small-disk.ts';

const API = /apps\/api\/src\/main/;
const WORKER = /apps\/worker\/src\/main/;
const RENDERER = /local\/render-main/;
const DATABASE = /bin\/postgres -D/;
/** A worker's lock on a job lasts 15 s; by then another one has it. */
const FROZEN_MS = 22_000;
/** What an API that was started again has before it is killed again. */
const SERVING_MS = 3_000;
/** How long storage, disk or renderer do not do what they should. */
const OUTAGE_MS = 4_000;
/** Enough for all that a run keeps, and filled in a moment. */
const DISK_MEGABYTES = 1_500;
/** Either way. What was in flight when a clock is set back may wait for as long as it was set back. */
const MOST_JUMP_SECONDS = 20;

/**
 * What is done to the service. `freeze worker` stops it for longer than its lock on a job lasts; `take storage away`
 * lets every call to the store fail, `hang disk` lets every write wait, for some seconds.
 */
export type Fault =
  | 'kill worker'
  | 'kill API'
  | 'kill database'
  | 'restart database'
  | 'freeze worker'
  | 'kill renderer'
  | 'freeze renderer'
  | 'redeliver jobs'
  | 'take storage away'
  | 'fill disk'
  | 'hang disk'
  | 'jump clock';

export interface StageOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Whether everything that the service keeps is on a disk that can be filled, where one can be mounted. */
  readonly ownDisk?: boolean;
  /** Whether API and workers have a clock that can jump, where there is one. */
  readonly falseClock?: boolean;
}

/** The embedded service with a second worker beside it, so that there is one to take over. */
export class Stage implements FaultStage<Fault> {
  #second: ChildProcess | null = null;
  readonly #thaws = new Set<NodeJS.Timeout>();
  #closing = false;

  static async open(options: StageOptions = {}): Promise<Stage> {
    const home = await mkdtemp(join(tmpdir(), 'x12-faults-'));
    const disk = options.ownDisk ? await SmallDisk.mount(DISK_MEGABYTES) : 'it was not asked for';
    const clock = options.falseClock ? await FalseClock.in(join(home, 'clock')) : null;
    const lacks = new Map<Fault, string>();
    if (typeof disk === 'string') lacks.set('fill disk', disk).set('hang disk', disk);
    if (!clock) lacks.set('jump clock', 'libfaketime is not installed');
    const place = typeof disk === 'string' ? home : disk.folder;
    const folder = join(place, 'data');
    await mkdir(join(place, 'temporary'));
    await mkdir(join(place, 'store'));
    await mkdir(folder);
    await symlink(join(place, 'store'), join(folder, 'files'));

    const env = {
      DATA_DIR: folder,
      TMPDIR: join(place, 'temporary'),
      PORT: String(await freePort()),
      RATE_LIMIT_PER_MINUTE: '0',
      WORKER_CONCURRENCY: '3',
      SWEEP_INTERVAL_SECONDS: '10',
      LOG_LEVEL: 'error',
      ...clock?.env,
      ...options.env,
    };
    const service = new StartedService(env);
    const baseUrl = await service.ready();
    const password = (await readFile(join(folder, 'secrets', 'postgres'), 'utf8')).trim();
    const url = await EmbeddedPostgres.urlOfRunning({ folder: join(folder, 'postgres'), password });
    const small = typeof disk === 'string' ? null : disk;
    return new Stage(home, folder, baseUrl, url!, lacks, small, clock, service, env);
  }

  /** @param lacks the faults that can't be inflicted here, and why */
  private constructor(
    private readonly home: string,
    readonly folder: string,
    readonly baseUrl: string,
    readonly databaseUrl: string,
    readonly lacks: ReadonlyMap<Fault, string>,
    readonly disk: SmallDisk | null,
    private readonly clock: FalseClock | null,
    private readonly service: StartedService,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.#startSecond();
  }

  get output(): string {
    return this.service.output;
  }

  storageAt(clock: Clock): ObjectStorage {
    const root = join(this.folder, 'files');
    return new DiskObjectStorage({ root, publicUrl: 'http://localhost', secret: 'x'.repeat(32), clock });
  }

  token(role: 'owner' | 'admin' | 'member' | 'solo'): Promise<string> {
    return demoToken(this.folder, role);
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
        await this.#signal(API, 'SIGKILL');
        return;
      case 'kill database':
        await this.#signal(DATABASE, 'SIGKILL');
        return;
      case 'restart database':
        // Immediate mode: no checkpoint, every connection is cut.
        await this.#signal(DATABASE, 'SIGQUIT');
        return;
      case 'freeze worker':
        return this.#freeze(WORKER, FROZEN_MS);
      case 'kill renderer':
        await this.#signal(RENDERER, 'SIGKILL');
        return;
      case 'freeze renderer':
        return this.#freeze(RENDERER, OUTAGE_MS);
      case 'redeliver jobs':
        return this.#redeliver();
      case 'take storage away':
        return this.#takeStorageAway();
      case 'fill disk':
        return this.#fillDisk();
      case 'hang disk':
        return this.disk!.hang(OUTAGE_MS / 1000);
      case 'jump clock':
        return this.clock!.jumpTo(Math.round((2 * chance.next() - 1) * MOST_JUMP_SECONDS));
    }
  }

  /** Either one that is there: the supervisor waits longer before each start, the second one is back at once. */
  async #killWorker(chance: Chance): Promise<void> {
    const second = this.#second?.pid;
    const supervised = this.service.processes().find(({ command }) => WORKER.test(command))?.pid;
    const victim = chance.next() < 0.5 ? (supervised ?? second) : (second ?? supervised);
    if (victim !== undefined) kill(victim);
  }

  /** @returns the process that got it; a renderer is there only now and then */
  async #signal(runs: RegExp, signal: NodeJS.Signals): Promise<number | undefined> {
    const patienceMs = runs === RENDERER ? 10_000 : 60_000;
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(20)) {
      const found = this.service.processes().find(({ command }) => runs.test(command));
      if (found && wasSent(signal, found.pid)) return found.pid;
      if (this.service.hasEnded) throw new Error(`the service has ended:\n${this.output}`);
    }
    if (runs === RENDERER) return undefined;
    throw new Error(`no process runs ${runs.source}:\n${this.output}`);
  }

  /** It goes on later, without anybody waiting here; a worker has lost all its jobs by then. */
  async #freeze(runs: RegExp, milliseconds: number): Promise<void> {
    const pid = await this.#signal(runs, 'SIGSTOP');
    if (pid === undefined) return;
    const thaw = setTimeout(() => {
      this.#thaws.delete(thaw);
      wasSent('SIGCONT', pid);
    }, milliseconds);
    this.#thaws.add(thaw);
  }

  /** The store's folder is none for a while: whatever is tried in it fails. */
  async #takeStorageAway(): Promise<void> {
    const files = join(this.folder, 'files');
    const place = dirname(this.folder);
    const pointTo = async (target: string): Promise<void> => {
      const link = join(place, 'link');
      await symlink(target, link);
      await rename(link, files);
    };
    await pointTo(join(this.folder, 'lock'));
    await sleep(OUTAGE_MS);
    await pointTo(join(place, 'store'));
  }

  async #fillDisk(): Promise<void> {
    await this.disk!.fill();
    await sleep(OUTAGE_MS);
    await this.disk!.empty();
  }

  /** Hands every job that is at work to a second worker too. */
  async #redeliver(): Promise<void> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('update jobs set deliveries = deliveries + 1, relayed_at = null where started_at is not null');
    } catch {
      // The database is away just now: nobody is at work either.
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  #startSecond(): void {
    const child = spawn(process.execPath, ['dist/apps/worker/src/main.js'], {
      cwd: join(import.meta.dirname, '..', '..', '..'),
      env: { PATH: process.env.PATH, ...this.env, NODE_ENV: 'production', DATABASE_URL: this.databaseUrl },
      stdio: 'ignore',
    });
    this.#second = child;
    child.once('exit', () => {
      if (!this.#closing) setTimeout(() => this.#closing || this.#startSecond(), 300);
    });
  }

  /** Waits until the service has recovered from everything. */
  async recovered(): Promise<void> {
    while (this.#thaws.size > 0) await sleep(250);
    await this.#ready();
  }

  async #ready(): Promise<void> {
    await this.service.until(async () => {
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
    this.service.terminate();
    await this.service.ended();
    await this.disk?.unmount();
    await rm(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** False when the process has ended meanwhile. */
function wasSent(signal: NodeJS.Signals, pid: number): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
