import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents. Node's recursive `mkdir` never returns where no folder can be made, as in `/proc`.
 */
export function makeFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    if (code !== 'ENOENT') throw error;
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode });
  }
}

/** Why the data folder can't be used, and what to do. */
export function folderRefusal(folder: string, error: unknown): string {
  // `EROFS: read-only file system, mkdir '/data'`
  const [reason] = (error as Error).message.split(',');
  if (/^E(NOSPC|DQUOT)/.test(reason!)) {
    return `DATA_DIR ${folder} is on a disk that is full (${reason}): make space, or set another folder; nothing is damaged`;
  }
  return `DATA_DIR ${folder} is not writable (${reason}): make it writable, or set another folder`;
}
