import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './eventually.ts';

export const ROOT = join(import.meta.dirname, '..', '..');

/** The program in `dist` of an app. */
const fileOf = (app: string, program = 'main'): string => join(ROOT, 'dist', 'apps', app, 'src', `${program}.js`);

/** APIs and workers from `dist`, each a process of its own. */
export class Processes {
  readonly #running = new Map<string, ChildProcess>();
  #isStopping = false;
  /** Log of the restarted processes. */
  output = '';

  /** @param restartAfterMs restarts a process so long after its end; `null` does not restart it */
  constructor(
    readonly env: NodeJS.ProcessEnv,
    private readonly restartAfterMs: number | null = null,
  ) {}

  start(name: string, app: 'api' | 'worker', settings: Readonly<Record<string, string>> = {}): void {
    const child = spawn(process.execPath, [fileOf(app)], {
      cwd: ROOT,
      env: { ...this.env, ...settings },
      // A process that is killed on purpose logs much.
      stdio: this.restartAfterMs === null ? ['ignore', 'ignore', 'inherit'] : ['ignore', 'pipe', 'ignore'],
    });
    this.#running.set(name, child);
    if (this.restartAfterMs === null) return;
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    const restart = () => this.#isStopping || this.start(name, app, settings);
    child.once('exit', () => setTimeout(restart, this.restartAfterMs!));
  }

  /** Runs another program to its end. */
  async run(app: string, program: string, ...args: string[]): Promise<void> {
    await promisify(execFile)(process.execPath, [fileOf(app, program), ...args], { env: this.env });
  }

  get names(): readonly string[] {
    return [...this.#running.keys()];
  }

  pidOf(name: string): number | undefined {
    return this.#running.get(name)?.pid;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(
      [...this.#running.values()].map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        await once(child, 'exit');
      }),
    );
  }
}

/** Waits until the API at each address is ready to serve. */
export async function untilReady(baseUrls: readonly string[]): Promise<void> {
  await Promise.all(baseUrls.map((url) => eventually(() => isReady(url), { everyMs: 100 })));
}

export async function isReady(baseUrl: string): Promise<boolean> {
  const url = new URL('/health/ready', baseUrl);
  const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  await response?.arrayBuffer().catch(() => undefined);
  return response?.ok === true;
}
