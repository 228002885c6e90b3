import { execFile } from 'node:child_process';
import { open, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRunning } from '#process';

/** Fast shutdown, immediate shutdown (the next start recovers), kill. */
const SHUTDOWNS: readonly [signal: NodeJS.Signals, timeoutMs: number][] = [
  ['SIGINT', 5000],
  ['SIGQUIT', 3000],
  ['SIGKILL', 2000],
];

/** Reports whether the server in `cluster`, whose process is `pid`, accepts connections. */
export async function isReady(cluster: string, pid: number): Promise<boolean> {
  const lines = await pidFile(cluster);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/**
 * Stops a server that a killed process left running in `cluster`, and keeps its files from preventing the next start.
 * The caller must have the lock of the data folder.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const pid = Number((await pidFile(cluster))[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  for (const [signal, timeoutMs] of SHUTDOWNS) {
    if (!(await servesCluster(pid, cluster))) break;
    process.kill(pid, signal);
    for (let waited = 0; waited < timeoutMs && (await servesCluster(pid, cluster)); waited += 50) await sleep(50);
  }
  if (isRunning(pid)) await replacePid(cluster);
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
 * Replaces the process id in the file, which belongs to another process or a zombie now, by the id of this process:
 * PostgreSQL does not start with another process's id, but accepts its parent's. The rest of the file stays, because
 * PostgreSQL checks it.
 */
async function replacePid(cluster: string): Promise<void> {
  const [, ...rest] = await pidFile(cluster);
  if (rest.length === 0) return;
  // In place, because a new file would be empty on a full disk.
  const file = await open(pidFileOf(cluster), 'r+');
  try {
    const text = [process.pid, ...rest].join('\n');
    await file.write(text, 0);
    await file.truncate(Buffer.byteLength(text));
  } finally {
    await file.close();
  }
}

/** Reports whether the process is the server of this cluster: its working directory, and in its command line. */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster));
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]);
    return stdout.includes(cluster);
  } catch {
    return false;
  }
}
