import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, probePort, StartError } from '#process';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { isReady, stopOrphan } from './postmaster.ts';
import { findServerAccount, type ServerAccount } from './server-account.ts';

const SUPERUSER = 'x12';

/** Small enough for a laptop; durability is not reduced. */
const CONFIGURATION: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '80',
  shared_buffers: '48MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '256MB',
  huge_pages: 'off',
  jit: 'off',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements are in the log of the service.
  log_min_messages: 'log',
};

const DRAFT = 'draft-';
const READY_WITHIN_MS = 120_000;
/** How long to retry after a temporary failure. */
const RETRY_START_MS = 20_000;
/** Time limit of an immediate shutdown. */
const KILL_AFTER_MS = 300;
const NO_SPACE = /No space left on device|Disk quota exceeded/;
const NO_REASON = 'no reason given';
/**
 * Temporary failures: the port was just taken, the processes of a killed server are still ending, or this server was
 * stopped or killed before it was ready.
 */
const TEMPORARY = new RegExp(
  `TCP/IP sockets|shared memory block .* in use|is shutting down|is starting up|${NO_REASON}`,
);

export interface EmbeddedPostgresOptions {
  /** An existing folder for the cluster, its log and its port, used by no other process at the same time. */
  readonly folder: string;
  /** The superuser's password; the first start sets it. */
  readonly password: string;
  /** Configuration in addition to the defaults. */
  readonly configuration?: Readonly<Record<string, string>>;
}

/**
 * A PostgreSQL server on the loopback interface. Its port stays the same while this object exists, and across restarts
 * of this process unless another program has taken the port.
 */
export class EmbeddedPostgres {
  #initdb: ChildProcess | null = null;
  #server: Server | null = null;
  #port: number | null = null;
  #stopped = false;

  /** @throws StartError */
  static async open(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const binaries = await findPostgresBinaries();
    const { folder } = options;
    const account = await findServerAccount(join(folder, 'cluster'), folder, binaries.postgres, binaries.initdb);
    return new EmbeddedPostgres(options, binaries, account);
  }

  /** The URL of the server that another process runs in this folder; `null` if there is none. */
  static async urlOfRunning({ folder, password }: EmbeddedPostgresOptions): Promise<string | null> {
    const port = await portIn(folder);
    if (port === 0 || 'port' in (await probePort('127.0.0.1', port))) return null;
    return urlOf(port, password);
  }

  private constructor(
    private readonly options: EmbeddedPostgresOptions,
    private readonly binaries: PostgresBinaries,
    private readonly account: ServerAccount,
  ) {}

  /**
   * Starts the server, after creating its cluster the first time and after stopping a server that a killed process left
   * running.
   *
   * @returns its URL
   * @throws StartError
   */
  async start(): Promise<string> {
    this.#stopped = false;
    await this.#initialize();
    await stopOrphan(this.#cluster);
    for (const deadline = Date.now() + RETRY_START_MS; ; await sleep(500)) {
      const port = this.#port ?? (await this.#choosePort());
      this.#server = await this.#launch(port);
      if (await this.#server.isReady()) {
        await this.#keepPort(port);
        return urlOf(port, this.options.password);
      }
      const reason = await this.#lastError();
      if (Date.now() > deadline || !TEMPORARY.test(reason)) {
        if (NO_SPACE.test(reason)) {
          throw new StartError(
            `PostgreSQL does not start, as the disk with ${this.options.folder} is full (${reason}): make space and ` +
              'start again; nothing is damaged',
          );
        }
        throw new StartError(
          `PostgreSQL does not start (${reason}): see ${this.#logFile}; ` +
            `if ${this.#cluster} is damaged, restore it from a backup`,
        );
      }
    }
  }

  /** Resolves when the running server has ended. */
  async ended(): Promise<void> {
    await this.#server?.ended;
  }

  /**
   * Aborts a start or the open transactions, and stops the server. After `timeoutMs` the server stops without a
   * checkpoint, and the next start recovers.
   */
  async stop(timeoutMs = 5000): Promise<void> {
    this.#stopped = true;
    this.#initdb?.kill('SIGKILL');
    await this.#server?.stop(timeoutMs);
  }

  get #cluster(): string {
    return join(this.options.folder, 'cluster');
  }

  get #logFile(): string {
    return join(this.options.folder, 'log');
  }

  /** Creates the cluster in a draft folder and renames it when complete; a kill in between leaves only the draft. */
  async #initialize(): Promise<void> {
    await this.#removeDrafts();
    if (existsSync(this.#cluster)) return;
    const draft = await mkdtemp(join(this.options.folder, DRAFT));
    await this.account.own(draft);
    const passwordFile = join(draft, 'password');
    await writeFile(passwordFile, this.options.password, { mode: 0o600 });
    await this.account.own(passwordFile);
    const cluster = join(draft, 'cluster');
    await this.#runInitdb([
      `--pgdata=${cluster}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--data-checksums',
    ]);
    await rename(cluster, this.#cluster);
    await syncFolder(this.options.folder);
    await this.#removeDrafts();
  }

  /** Skips a draft that the initdb of a killed start still writes to; the next start removes it. */
  async #removeDrafts(): Promise<void> {
    const drafts = (await readdir(this.options.folder)).filter((name) => name.startsWith(DRAFT));
    for (const draft of drafts) {
      await rm(join(this.options.folder, draft), { recursive: true, force: true }).catch(() => undefined);
    }
  }

  async #runInitdb(args: readonly string[]): Promise<void> {
    const initdb = this.account.spawn(this.binaries.initdb, args, {
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#initdb = initdb;
    let errors = '';
    initdb.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const [code] = (await once(initdb, 'close').catch((error: Error) => [error.message])) as [unknown];
    if (code === 0) return;
    const reason = reasonIn(errors) || `initdb ended with ${String(code)}`;
    const { folder } = this.options;
    throw new StartError(
      `PostgreSQL cannot create its files in ${folder} (${reason}): make space and give rights, ` +
        'or set another DATA_DIR',
    );
  }

  async #choosePort(): Promise<number> {
    const port = await freePort(await portIn(this.options.folder));
    if (port !== null) return port;
    throw new StartError('no port is free on 127.0.0.1 for PostgreSQL: stop some programs');
  }

  async #keepPort(port: number): Promise<void> {
    this.#port = port;
    // Written only after a change: on a full disk, writing would leave an empty file.
    if ((await portIn(this.options.folder)) !== port) await writeFile(portFileOf(this.options.folder), String(port));
  }

  async #launch(port: number): Promise<Server> {
    if (this.#stopped) throw new StartError('PostgreSQL was stopped before it had started');
    const configuration = { ...CONFIGURATION, ...this.options.configuration, port: String(port) };
    const args = Object.entries(configuration).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = await open(this.#logFile, 'w', 0o600);
    try {
      const child = this.account.spawn(this.binaries.postgres, ['-D', this.#cluster, ...args], {
        env: environment(),
        stdio: ['ignore', log.fd, log.fd],
        // In a session of its own, which Ctrl-C does not reach: the database stops last.
        detached: true,
      });
      return new Server(child, this.#cluster);
    } finally {
      await log.close();
    }
  }

  async #lastError(): Promise<string> {
    return reasonIn(await readFile(this.#logFile, 'utf8').catch(() => '')) || NO_REASON;
  }
}

/** The last error in the output of PostgreSQL with its detail, or the last output without one; may be empty. */
function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line !== '' && !/\bLOG:/.test(line));
  const at = lines.findLastIndex((line) => /(FATAL|PANIC|error):\s/.test(line));
  const [error = '', ...after] = lines.slice(at);
  const detail = after.find((line) => line.includes('DETAIL:'));
  return [error, detail].flatMap((line) => line?.replace(/^.*?(FATAL|PANIC|error|DETAIL):\s*/, '') ?? []).join('; ');
}

/** The port of the last start; 0 for none. */
const portIn = async (folder: string) => Number(await readFile(portFileOf(folder), 'utf8').catch(() => '0'));
const portFileOf = (folder: string) => join(folder, 'port');
const urlOf = (port: number, password: string) =>
  `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;

/** A running postgres process. */
class Server {
  readonly ended: Promise<void>;
  #hasEnded = false;

  constructor(
    private readonly child: ChildProcess,
    private readonly cluster: string,
  ) {
    const guard = child.pid === undefined ? null : stopWithUs(child.pid);
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.#hasEnded = true;
        guard?.kill('SIGKILL');
        resolve();
      };
      child.once('exit', end).once('error', end);
    });
  }

  /** Waits until the server accepts connections. False when it has ended before. */
  async isReady(): Promise<boolean> {
    const deadline = Date.now() + READY_WITHIN_MS;
    while (!this.#hasEnded && Date.now() < deadline) {
      if (await isReady(this.cluster, this.child.pid ?? 0)) return true;
      await sleep(20);
    }
    await this.stop(0);
    return false;
  }

  async stop(timeoutMs: number): Promise<void> {
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      if (this.#hasEnded) return;
      this.child.kill(signal);
      this.child.kill('SIGCONT');
      await Promise.race([
        this.ended,
        sleep(signal === 'SIGINT' ? timeoutMs : KILL_AFTER_MS, undefined, { ref: false }),
      ]);
    }
  }
}

/** Starts a shell that stops the server `pid` when this process ends, even by SIGKILL. */
function stopWithUs(pid: number): ChildProcess {
  const guard = spawn(
    '/bin/sh',
    ['-c', 'while read -r line; do :; done; kill -INT "$0"; kill -CONT "$0"', String(pid)],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  guard.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?(): void } | null)?.unref?.();
  return guard;
}

/** The environment of the server: variables of this process, such as PGDATA or LANG, would change its behaviour. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
