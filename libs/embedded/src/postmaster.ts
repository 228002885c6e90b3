import { execFile } from 'node:child_process';
import { open, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Fast shutdown, immediate shutdown (it recovers at the next start), kill. */
const WAYS_TO_STOP: readonly [signal: NodeJS.Signals, patienceMs: number][] = [
  ['SIGINT', 5000],
  ['SIGQUIT', 3000],
  ['SIGKILL', 2000],
];

/** Whether the server in `cluster`, whose process is `pid`, accepts connections. */
export async function isReady(cluster: string, pid: number): Promise<boolean> {
  const lines = await pidFile(cluster);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/**
 * Stops the server that a killed process left running in `cluster`, and makes sure that its files don't prevent the
 * next start. The caller must have the lock of the data folder.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const pid = Number((await pidFile(cluster))[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  for (const [signal, patienceMs] of WAYS_TO_STOP) {
    if (!(await servesCluster(pid, cluster))) break;
    process.kill(pid, signal);
    for (let waited = 0; waited < patienceMs && (await servesCluster(pid, cluster)); waited += 50) await sleep(50);
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

const pidFileOf = (cluster: string) => join(cluster, 'postmaster.pid');

/**
 * The process id in the file belongs to another process now (or to a zombie), and PostgreSQL would refuse to start. It
 * accepts the id of its parent, and then makes its own checks, for which it needs the rest of the file.
 */
async function disownPidFile(cluster: string): Promise<void> {
  const [, ...rest] = await pidFile(cluster);
  if (rest.length === 0) return;
  // In place: on a full disk, a new file would be empty.
  const file = await open(pidFileOf(cluster), 'r+');
  try {
    const text = [process.pid, ...rest].join('\n');
    await file.write(text, 0);
    await file.truncate(Buffer.byteLength(text));
  } finally {
    await file.close();
  }
}

/** The working directory of a server is its cluster, whose path is also in its command line. */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster));
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
