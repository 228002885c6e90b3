import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { folderRefusal } from '#config';
import { StartError } from './program.ts';

const SQLITE_BUSY = 5;

/** Keeps the locks from being garbage collected, which would release them. */
const held = new Set<DatabaseSync>();

/**
 * Locks a folder until this process ends, in whatever way, or until it is unlocked. It is a lock of the operating
 * system, taken through SQLite since Node offers none.
 *
 * @param what the folder and its use
 * @returns unlocks it
 * @throws StartError when another process has it
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
      throw new StartError(`${lockFile} can not be locked (${(error as Error).message}): delete it, it holds no data`);
    }
    throw new StartError(`${what}${processIn(pidFile)}: stop that one, or set another folder`);
  }
  const locked = database;
  held.add(locked);
  try {
    writeFileSync(pidFile, String(process.pid));
  } catch (error) {
    throw new StartError(folderRefusal(folder, error));
  }
  return () => {
    held.delete(locked);
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
