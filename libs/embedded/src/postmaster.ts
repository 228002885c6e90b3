import { execFile } from 'node:child_process';
import { open, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** From polite to rough: finish transactions being rolled back, drop everything (it recovers), kill. */
const WAYS_TO_STOP: readonly [signal: NodeJS.Signals, patienceMs: number][] = [
  ['SIGINT', 5000],
  ['SIGQUIT', 3000],
  ['SIGKILL', 2000],
];

/** Whether the server in `cluster`, whose process is `pid`, takes connections. */
export async function isReady(cluster: string, pid: number): Promise<boolean> {
  const lines = await pidFile(cluster);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/**
 * Stops the server that a killed predecessor left running in `cluster`, and makes sure that the next one is not
 * kept from starting by what it left behind. Only for who holds the lock of the data folder.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const pid = Number((await pidFile(cluster))[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  for (const [signal, patienceMs] of WAYS_TO_STOP) {
    if (!(await servesCluster(pid, cluster))) break;
    process.kill(pid, signal);
    for (let waited = 0; waited < patienceMs && (await servesCluster(pid, cluster)); waited += 50)
      await sleep(50);
  }
  if (isAlive(pid)) await disownPidFile(cluster);
}

async function pidFile(cluster: string): Promise<string[]> {
  try {
    return (await readFile(pidFileOf(cluster), 'utf8')).split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function pidFileOf(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/**
 * The number in the file belongs to some other process by now (or to one that is dead and not buried), and
 * PostgreSQL would refuse to start for it. It does not mind its parent's number, and then makes its own checks,
 * for which it needs the rest of the file.
 */
async function disownPidFile(cluster: string): Promise<void> {
  const [, ...rest] = await pidFile(cluster);
  if (rest.length === 0) return;
  // In place: on a full disk, writing it anew would leave an empty file.
  const file = await open(pidFileOf(cluster), 'r+');
  try {
    const text = [process.pid, ...rest].join('\n');
    await file.write(text, 0);
    await file.truncate(Buffer.byteLength(text));
  } finally {
    await file.close();
  }
}

/** A server works in the folder of its cluster, and was started with its path. */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  try {
    if (process.platform === 'linux')
      return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster));
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]);
    return stdout.includes(cluster);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
