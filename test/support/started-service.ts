import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgres } from '#embedded';
import { freePort } from '#process';
import { isReady, ROOT } from './processes.ts';

const READY = /^Ready at (\S+)$/m;

export interface DemoService {
  readonly service: StartedService;
  readonly baseUrl: string;
  readonly folder: string;
  readonly databaseUrl: string;
  /** Token of the demo's owner. */
  readonly token: string;
  /** Stops the service and removes its data. */
  stop(): Promise<void>;
}

/** Starts the service without a rate limit in a new data folder. */
export async function startDemo(env: Readonly<Record<string, string>> = {}): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'x12-demo-'));
  const port = String(await freePort());
  const service = new StartedService({ DATA_DIR: folder, PORT: port, RATE_LIMIT_PER_MINUTE: '0', ...env });
  const baseUrl = await service.ready().catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  return {
    service,
    baseUrl,
    folder,
    databaseUrl: await databaseUrlOf(folder),
    token: await demoToken(folder, 'owner'),
    async stop() {
      await service.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

export async function demoToken(folder: string, role: 'owner' | 'admin' | 'member' | 'solo'): Promise<string> {
  const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
  return demo.tokens[role] as string;
}

/** The URL of the database that the service in the data folder runs. */
export async function databaseUrlOf(folder: string): Promise<string> {
  const password = (await readFile(join(folder, 'secrets', 'postgres'), 'utf8')).trim();
  return (await EmbeddedPostgres.urlOfRunning({ folder: join(folder, 'postgres'), password }))!;
}

/** `npm start` in its own process group, as a terminal runs it. */
export class StartedService {
  readonly #npm: ChildProcess;
  readonly #exit: Promise<number | null>;
  /** Printed output. */
  output = '';

  constructor(env: Readonly<Record<string, string>>) {
    this.#npm = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      // Without the variables of Jest.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#npm.stdout!, this.#npm.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    // A worker of Jest that is stopped takes the service with it.
    const kill = () => void signal(-this.#npm.pid!, 'SIGKILL');
    process.once('exit', kill);
    this.#exit = once(this.#npm, 'close').then(([code]) => {
      process.off('exit', kill);
      return code as number | null;
    });
  }

  get hasEnded(): boolean {
    return this.#npm.exitCode !== null;
  }

  /** Resolves with the address once it is printed. On a busy machine, building and starting take more than a minute. */
  async ready(seconds = 150): Promise<string> {
    return this.until(() => READY.exec(this.output)?.[1], seconds);
  }

  /** Waits until the API at the address is ready to serve. */
  async healthy(baseUrl: string): Promise<void> {
    await this.until(() => isReady(baseUrl));
  }

  /** Waits for what `find` finds in the output, or anywhere else; fails when the service ends. */
  async until<T>(find: () => T | Promise<T>, seconds = 60): Promise<NonNullable<Exclude<T, false>>> {
    for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await sleep(50)) {
      const found = await find();
      if (found) return found as NonNullable<Exclude<T, false>>;
      if (this.hasEnded) {
        await this.#exit;
        break;
      }
    }
    throw new Error(`it did not happen within ${seconds} s:\n${this.output}`);
  }

  /** Resolves with the exit code. */
  async ended(): Promise<number | null> {
    return this.#exit;
  }

  /** Stops npm alone, as a process manager does. @returns the exit code */
  async stop(): Promise<number | null> {
    this.#npm.kill('SIGTERM');
    return this.#exit;
  }

  /** Interrupts every process of the group, as Ctrl-C does. */
  interrupt(): void {
    process.kill(-this.#npm.pid!, 'SIGINT');
  }

  /** Every process that descends from it, by what it runs. */
  processes(): StartedProcess[] {
    const all = allProcesses();
    const found: StartedProcess[] = [];
    for (const open = [this.#npm.pid!]; open.length > 0;) {
      const pid = open.pop()!;
      found.push(...all.filter((each) => each.pid === pid));
      open.push(...all.filter((each) => each.parent === pid).map((each) => each.pid));
    }
    return found;
  }

  find(runs: RegExp): StartedProcess | undefined {
    return this.processes().find(({ command }) => runs.test(command));
  }

  process(runs: RegExp): StartedProcess {
    const found = this.find(runs);
    if (!found) throw new Error(`no process runs ${runs.source}`);
    return found;
  }

  /** Resident memory of what runs this, in bytes, where the system tells. */
  memory(runs: RegExp): number {
    if (process.platform !== 'linux') return 0;
    const status = readFileSync(`/proc/${this.process(runs).pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
  }

  /** kill -9 of everything at once. */
  kill(): void {
    for (const { pid } of this.processes()) signal(pid, 'SIGKILL');
  }
}

export interface StartedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** @returns `false` when the process has ended meanwhile */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** The given processes that still run, zombies left out. */
export function stillRunning(processes: readonly StartedProcess[]): StartedProcess[] {
  const all = allProcesses();
  return processes.filter(({ pid, command }) => all.some((each) => each.pid === pid && each.command === command));
}

/** All processes of this machine. */
export function allProcesses(): StartedProcess[] {
  return process.platform === 'linux' ? processesFromProc() : processesFromPs();
}

function processesFromProc(): StartedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return [];
      }
    });
}

function processesFromPs(): StartedProcess[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    return match ? [{ pid: Number(match[1]), parent: Number(match[2]), command: match[3]! }] : [];
  });
}
