import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepSecret, keepSecretKey, readSettings, type Settings } from '#config';
import { EmbeddedPostgres, openDataFolder } from '#embedded';
import {
  checkPort,
  ChildProgram,
  keepRunning,
  lockFolder,
  StartError,
  SupervisedProgram,
  type Program,
} from '#process';
import { welcome } from './welcome.ts';

/** Ctrl-C takes less than ten seconds: both timeouts, and the kill of the database, are shorter together. */
const PROGRAM_STOP_MS = 6500;
const DATABASE_STOP_MS = 2000;

/** Maximum delay before the database is restarted. */
const LONGEST_DELAY_MS = 15_000;

/** The whole service of `npm start`: the embedded parts, the API and the worker, under supervision. */
export class Service implements Program {
  readonly #running: SupervisedProgram[] = [];
  #postgres: EmbeddedPostgres | null = null;
  #preparation: ChildProgram | null = null;
  readonly #stopping = new AbortController();

  async start(): Promise<void> {
    const settings = readSettings(process.env);
    const { data, database, redis, storage, models } = settings;
    openDataFolder(data);
    const embedded = database.url === null;
    if (embedded) lockFolder(data.folder);
    keepSecretKey(settings);
    await checkPorts(settings);
    if (!embedded || redis.url !== null || storage.bucket !== null || models.file !== null) {
      await this.#prepare(
        'the check of external services and models',
        './check-services',
        environment(settings, database.url),
      );
    }
    const env = environment(settings, database.url ?? (await this.#startPostgres(settings)));
    const link = embedded ? await this.#prepare('the preparation of the database', './prepare', env) : null;
    await Promise.all([
      this.#supervise('the API', '../../api/src/main', env),
      this.#supervise('the worker', '../../worker/src/main', env),
    ]);
    print(await welcome(settings, link));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const programs = this.#preparation ? [this.#preparation, ...this.#running] : this.#running;
    await Promise.all(programs.map((program) => program.stop(PROGRAM_STOP_MS)));
    await this.#postgres?.stop(DATABASE_STOP_MS);
  }

  async #startPostgres(settings: Settings): Promise<string> {
    const postgres = await EmbeddedPostgres.open({
      folder: settings.data.postgres,
      password: keepSecret(join(settings.data.secrets, 'postgres')),
    });
    this.#postgres = postgres;
    const url = await postgres.start();
    void this.#keepRunning(postgres);
    return url;
  }

  /** While restarting fails, for example on a full disk, requests are refused and jobs wait. */
  #keepRunning(postgres: EmbeddedPostgres): Promise<void> {
    const ended = () => postgres.ended().then(() => 'PostgreSQL ended');
    const restart = () =>
      postgres.start().then(
        () => undefined,
        (error: unknown) => {
          if (!this.#stopping.signal.aborted) print(error instanceof Error ? error.message : String(error));
        },
      );
    return keepRunning({ ended, restart, report: print, longestDelayMs: LONGEST_DELAY_MS }, this.#stopping.signal);
  }

  /** Runs a program to its end. @returns its result */
  async #prepare(name: string, path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
    this.#throwIfStopping();
    this.#preparation = new ChildProgram({ name, file: program(path), env });
    await this.#preparation.ready;
    await this.#preparation.ended;
    return this.#preparation.result;
  }

  async #supervise(name: string, path: string, env: NodeJS.ProcessEnv): Promise<void> {
    this.#throwIfStopping();
    // The cache of compiled code would occupy 12 MB as long as the program runs.
    const long = { ...env, NODE_DISABLE_COMPILE_CACHE: '1' };
    const supervised = new SupervisedProgram({ name, file: program(path), env: long }, print);
    this.#running.push(supervised);
    await supervised.start();
  }

  #throwIfStopping(): void {
    if (this.#stopping.signal.aborted) throw new StartError('stopped before it was ready');
  }
}

async function checkPorts({ http, metrics }: Settings): Promise<void> {
  const { host, port, workerPort } = metrics;
  if (workerPort !== null && [http.port, port].includes(workerPort)) {
    throw new StartError('WORKER_METRICS_PORT is the same as PORT or METRICS_PORT: give another port');
  }
  await checkPort(http.host, http.port);
  if (port !== null) await checkPort(host, port, 'METRICS_');
  if (workerPort !== null) await checkPort(host, workerPort, 'WORKER_METRICS_');
}

function environment(settings: Settings, databaseUrl: string | null): NodeJS.ProcessEnv {
  return {
    // Two arenas instead of eight for each core: decoding pictures takes a quarter less memory.
    MALLOC_ARENA_MAX: '2',
    NODE_ENV: 'production',
    ...process.env,
    DATA_DIR: settings.data.folder,
    DATABASE_URL: databaseUrl ?? '',
  };
}

/** The path of a program, relative to this file: TypeScript or compiled, as this file is. */
function program(path: string): string {
  return fileURLToPath(new URL(path + extname(import.meta.url), import.meta.url));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
