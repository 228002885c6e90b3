import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './program.ts';

const SQLITE_BUSY = 5;

export interface FolderLock {
  release(): void;
}

/** Keeps the locks from being garbage collected, which would release them. */
const held = new Set<DatabaseSync>();

/**
 * Locks a data folder for this process. It is a lock of the operating system, taken through SQLite since Node offers
 * none: it is released however the process ends.
 *
 * @throws StartError when another process has it
 */
export function lockFolder(folder: string): FolderLock {
  const pidFile = join(folder, 'pid');
  const database = new DatabaseSync(join(folder, 'lock'));
  try {
    database.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error;
    throw new StartError(
      `DATA_DIR ${folder} is in use by another start${processIn(pidFile)}: stop that one, or set another folder`,
    );
  }
  held.add(database);
  writeFileSync(pidFile, String(process.pid));
  return {
    release: () => {
      database.close();
      held.delete(database);
    },
  };
}

function processIn(file: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(file, 'utf8'), 10)})`;
  } catch {
    return '';
  }
}
