import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DiskObjectStorage } from '#adapters/storage';
import type { ObjectStorage } from '#files';
import type { Clock } from '#kernel';
import { freePort } from '#process';
import { eventually } from '../../support/eventually.ts';
import { Processes } from '../../support/processes.ts';
import { databaseUrlOf, demoToken, signal, StartedService } from '../../support/started-service.ts';
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
/** Longer than other faults leave a stopped process; the supervisor waits 30 s for a heartbeat. */
const HANGING_MS = 20_000;
/** How long an API that was restarted serves before it is killed again. */
const SERVING_MS = 8_000;
/** How long storage, disk or renderer fail. */
const OUTAGE_MS = 4_000;
/** Enough for all that a run keeps, and filled in a moment. */
const DISK_MEGABYTES = 1_500;
/** Either way. What was in flight when a clock is set back may wait for as long as it was set back. */
const MOST_JUMP_SECONDS = 20;

export interface StageOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** True if everything that the service keeps is on a disk that can be filled, where one can be mounted. */
  readonly ownDisk?: boolean;
  /** True if API and workers have a clock that can jump, where there is one. */
  readonly falseClock?: boolean;
}

/** The embedded service with a second worker beside it, so that there is one to take over. */
export class Stage implements FaultStage<string> {
  readonly faults = {
    'kill worker': async (chance: Chance) => this.#killWorker(chance),
    'kill API': async () => {
      // A process that is still starting has promised nothing; and as its next start comes later each time, kills that
      // are late would follow each other and leave its clients no moment.
      await this.service.healthy(this.baseUrl);
      await sleep(SERVING_MS);
      await this.#signal(API, 'SIGKILL');
    },
    'kill database': () => this.#signal(DATABASE, 'SIGKILL'),
    // Immediate mode: no checkpoint, every connection is cut.
    'restart database': () => this.#signal(DATABASE, 'SIGQUIT'),
    /** Longer than its lock on a job lasts. */
    'freeze worker': () => this.#freeze(WORKER, FROZEN_MS),
    'hang worker': () => this.#hang(WORKER),
    'hang API': () => this.#hang(API),
    'kill renderer': () => this.#signal(RENDERER, 'SIGKILL'),
    'freeze renderer': () => this.#freeze(RENDERER, OUTAGE_MS),
    'redeliver jobs': () => this.#redeliver(),
    'take storage away': () => this.#takeStorageAway(),
    'fill disk': async () => {
      await this.disk!.fill();
      await sleep(OUTAGE_MS);
      await this.disk!.empty();
    },
    'hang disk': () => this.disk!.hang(OUTAGE_MS / 1000),
    'jump clock': (chance: Chance) => this.clock!.jumpTo(Math.round((2 * chance.next() - 1) * MOST_JUMP_SECONDS)),
  };
  readonly baseUrls: readonly string[];
  /** By the processes that are frozen. */
  readonly #thaws = new Map<number, NodeJS.Timeout>();
  /** Processes that nothing wakes but the supervisor's kill. */
  readonly #hung = new Set<number>();

  static async open(options: StageOptions = {}): Promise<Stage> {
    const home = await mkdtemp(join(tmpdir(), 'x12-faults-'));
    const mounted = options.ownDisk ? await SmallDisk.mount(DISK_MEGABYTES) : 'not used by this test';
    const disk = typeof mounted === 'string' ? null : mounted;
    const clock = options.falseClock ? await FalseClock.in(join(home, 'clock')) : null;
    const lacks = new Map<string, string>();
    if (typeof mounted === 'string') lacks.set('fill disk', mounted).set('hang disk', mounted);
    if (!clock) lacks.set('jump clock', 'libfaketime is not installed');
    const place = disk?.folder ?? home;
    const folder = join(place, 'data');
    for (const name of ['temporary', 'store', 'data']) await mkdir(join(place, name));
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
    const databaseUrl = await databaseUrlOf(folder);
    const production = { PATH: process.env.PATH, ...env, NODE_ENV: 'production', DATABASE_URL: databaseUrl };
    return new Stage(home, folder, baseUrl, databaseUrl, lacks, disk, clock, service, new Processes(production, 300));
  }

  private constructor(
    private readonly home: string,
    readonly folder: string,
    readonly baseUrl: string,
    readonly databaseUrl: string,
    readonly lacks: ReadonlyMap<string, string>,
    readonly disk: SmallDisk | null,
    private readonly clock: FalseClock | null,
    private readonly service: StartedService,
    private readonly beside: Processes,
  ) {
    this.baseUrls = [baseUrl];
    beside.start('second', 'worker');
  }

  get output(): string {
    return this.service.output + this.beside.output;
  }

  storageAt(clock: Clock): ObjectStorage {
    const root = join(this.folder, 'files');
    return new DiskObjectStorage({ root, publicUrl: 'http://localhost', secret: 'x'.repeat(32), clock });
  }

  token(role: 'owner' | 'solo' = 'owner'): Promise<string> {
    return demoToken(this.folder, role);
  }

  /** Either one that is there: the supervisor waits longer before each start, the second one is back at once. */
  #killWorker(chance: Chance): void {
    const second = this.beside.pidOf('second');
    const supervised = this.service.find(WORKER)?.pid;
    const victim = chance.next() < 0.5 ? (supervised ?? second) : (second ?? supervised);
    if (victim !== undefined) signal(victim, 'SIGKILL');
  }

  /** @returns the process that got it; a renderer runs only now and then */
  async #signal(runs: RegExp, name: NodeJS.Signals): Promise<number | undefined> {
    const patienceMs = runs === RENDERER ? 10_000 : 60_000;
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(20)) {
      const found = this.service.find(runs);
      if (found && signal(found.pid, name)) return found.pid;
      if (this.service.hasEnded) throw new Error(`the service has ended:\n${this.service.output}`);
    }
    if (runs === RENDERER) return undefined;
    throw new Error(`no process runs ${runs.source}:\n${this.service.output}`);
  }

  /** It goes on later, without anybody waiting here; a worker has lost all its jobs by then. */
  async #freeze(runs: RegExp, milliseconds: number): Promise<void> {
    const pid = await this.#signal(runs, 'SIGSTOP');
    if (pid === undefined) return;
    clearTimeout(this.#thaws.get(pid));
    const thaw = setTimeout(() => {
      this.#thaws.delete(pid);
      if (!this.#hung.has(pid)) signal(pid, 'SIGCONT');
    }, milliseconds);
    this.#thaws.set(pid, thaw);
  }

  /** Stops it for good, until the supervisor replaces it: one that ends sooner was killed by another fault. */
  async #hang(runs: RegExp): Promise<void> {
    for (let hungMs = 0; hungMs < HANGING_MS;) {
      await this.service.healthy(this.baseUrl);
      // A process that is loading may be silent for two minutes, and one that is frozen may be loading.
      const pid = await eventually(() => this.#awake(runs));
      await sleep(SERVING_MS);
      if (this.#thaws.has(pid) || !signal(pid, 'SIGSTOP')) continue;
      const since = Date.now();
      this.#hung.add(pid);
      await eventually(() => !this.service.processes().some((each) => each.pid === pid));
      hungMs = Date.now() - since;
    }
  }

  /** The process, if it is there and not frozen. */
  #awake(runs: RegExp): number | null {
    const pid = this.service.find(runs)?.pid;
    return pid === undefined || this.#thaws.has(pid) ? null : pid;
  }

  /** For a while the folder of the store is a file: every operation in it fails. */
  async #takeStorageAway(): Promise<void> {
    const place = dirname(this.folder);
    const pointTo = async (target: string): Promise<void> => {
      const link = join(place, 'link');
      await symlink(target, link);
      await rename(link, join(this.folder, 'files'));
    };
    await pointTo(join(this.folder, 'lock'));
    await sleep(OUTAGE_MS);
    await pointTo(join(place, 'store'));
  }

  /** Delivers every job that runs to a second worker too. */
  async #redeliver(): Promise<void> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('update jobs set deliveries = deliveries + 1, relayed_at = null where started_at is not null');
    } catch {
      // The database is down just now: no job runs either.
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async recovered(): Promise<void> {
    while (this.#thaws.size > 0) await sleep(250);
    await this.service.healthy(this.baseUrl);
  }

  async close(): Promise<void> {
    for (const thaw of this.#thaws.values()) clearTimeout(thaw);
    await this.beside.stop();
    await this.service.stop();
    await this.disk?.unmount();
    await rm(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
