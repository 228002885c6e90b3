import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './program.ts';

const SQLITE_BUSY = 5;

/** Keeps the locks from being garbage collected, which would release them. */
const held = new Set<DatabaseSync>();

/**
 * Locks a data folder until this process ends, in whatever way. It is a lock of the operating system, taken through
 * SQLite since Node offers none.
 *
 * @throws StartError when another process has it
 */
export function lockFolder(folder: string): void {
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
}

function processIn(file: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(file, 'utf8'), 10)})`;
  } catch {
    return '';
  }
}
