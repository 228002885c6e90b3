import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#process';

const ROOT = join(import.meta.dirname, '..', '..');
const READY = /^Ready at (\S+)$/m;

export interface DemoService {
  readonly service: StartedService;
  readonly baseUrl: string;
  readonly folder: string;
  /** Of the demo's owner. */
  readonly token: string;
  /** Stops the service and removes its data. */
  stop(): Promise<void>;
}

/** Starts the service without a rate limit in a new data folder. */
export async function startDemo(env: Readonly<Record<string, string>> = {}): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'x12-demo-'));
  const port = String(await freePort());
  const service = new StartedService({ DATA_DIR: folder, PORT: port, RATE_LIMIT_PER_MINUTE: '0', ...env });
  const baseUrl = await service.ready();
  return {
    service,
    baseUrl,
    folder,
    token: await demoToken(folder, 'owner'),
    async stop() {
      service.terminate();
      await service.ended();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

export async function demoToken(folder: string, role: 'owner' | 'admin' | 'member' | 'solo'): Promise<string> {
  const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
  return demo.tokens[role] as string;
}

/** `npm start` in its own process group, as a terminal runs it. */
export class StartedService {
  readonly #npm: ChildProcess;
  readonly #exit: Promise<number | null>;
  #output = '';

  constructor(env: Readonly<Record<string, string>>) {
    this.#npm = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      // Without the variables of Jest.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#npm.stdout!, this.#npm.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    }
    this.#exit = once(this.#npm, 'close').then(([code]) => code as number | null);
  }

  get output(): string {
    return this.#output;
  }

  get hasEnded(): boolean {
    return this.#npm.exitCode !== null;
  }

  /** Resolves with the address once it is printed. */
  async ready(): Promise<string> {
    return this.until(() => READY.exec(this.#output)?.[1]);
  }

  /** Waits for what `find` finds in what has been printed, or anywhere else. */
  async until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
      const found = await find();
      if (found !== undefined) return found;
      if (this.#npm.exitCode !== null) {
        // With its last words.
        await this.#exit;
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`it did not happen within 60 s:\n${this.#output}`);
  }

  /** Resolves with the exit code. */
  async ended(): Promise<number | null> {
    return this.#exit;
  }

  /** What Ctrl-C does: every process of the group gets it. */
  interrupt(): void {
    process.kill(-this.#npm.pid!, 'SIGINT');
  }

  /** Stops npm alone, as a process manager does. */
  terminate(): void {
    this.#npm.kill('SIGTERM');
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

  process(runs: RegExp): StartedProcess {
    const found = this.processes().find(({ command }) => runs.test(command));
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
    for (const { pid } of this.processes()) kill(pid);
  }
}

export interface StartedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Which of these are still there; one that is dead and only not yet buried is not. */
export function stillRunning(processes: readonly StartedProcess[]): StartedProcess[] {
  const all = allProcesses();
  return processes.filter(({ pid, command }) => all.some((each) => each.pid === pid && each.command === command));
}

function allProcesses(): StartedProcess[] {
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
