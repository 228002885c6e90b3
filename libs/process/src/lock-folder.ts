import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './start-error.ts';

const SQLITE_BUSY = 5;

export interface FolderLock {
  release(): void;
}

/** Keeps the locks from the garbage collector, which would let go of them. */
const held = new Set<DatabaseSync>();

/**
 * Takes a data folder for this process alone. The lock is the operating system's, taken through SQLite because
 * Node itself has none: however the process ends, it is free again.
 *
 * @throws StartError when another process has it
 */
export function lockFolder(folder: string): FolderLock {
  const holder = join(folder, 'pid');
  const database = new DatabaseSync(join(folder, 'lock'));
  try {
    database.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error;
    throw new StartError(
      `DATA_DIR ${folder} is in use by another start${processIn(holder)}: stop that one, or give another folder`,
    );
  }
  held.add(database);
  writeFileSync(holder, String(process.pid));
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
