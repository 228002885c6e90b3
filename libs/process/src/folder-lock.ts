import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { folderRefusal } from '#config';
import { StartError } from './program.ts';

const SQLITE_BUSY = 5;

/** Keeps the locks from being garbage collected, which would release them. */
const locks = new Set<DatabaseSync>();

/**
 * Locks a folder until it is unlocked or this process ends. Uses the file locks of the operating system through SQLite,
 * because Node has no API for them.
 *
 * @param what the start of the error message: the folder and its use
 * @returns a function that unlocks the folder
 * @throws StartError when another process has the lock
 */
export function lockFolder(folder: string, what = `DATA_DIR ${folder} is in use by another start`): () => void {
  const pidFile = join(folder, 'pid');
  const lockFile = join(folder, 'lock');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(lockFile);
    database.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    database?.close();
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) {
      throw new StartError(
        `${lockFile} cannot be locked (${(error as Error).message}): delete it; it contains no data`,
      );
    }
    throw new StartError(`${what}${processIn(pidFile)}: stop that one, or set another folder`);
  }
  const locked = database;
  locks.add(locked);
  try {
    writeFileSync(pidFile, String(process.pid));
  } catch (error) {
    throw new StartError(folderRefusal(folder, error));
  }
  return () => {
    locks.delete(locked);
    locked.close();
  };
}

function processIn(file: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(file, 'utf8'), 10)})`;
  } catch {
    return '';
  }
}
