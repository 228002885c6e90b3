import { keptKey, unkeptKey } from '#files';

/** Unfinished backups, and backups being removed, have such a name, which nothing reads. */
export const DRAFT = 'draft-';

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** The name of the backup of a moment. Names are in the order of time. */
export function nameAt(time: Date): string {
  return time.toISOString().replaceAll(':', '-');
}

/** When a backup of this name was made. */
export function timeOf(name: string): Date {
  return new Date(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
}

export function isBackup(name: string): boolean {
  return NAME.test(name);
}

/** The oldest backups, those beyond the `keep` newest. */
export function surplus(names: readonly string[], keep: number): readonly string[] {
  return names.filter(isBackup).sort().slice(0, -keep);
}

/** Where the bytes of a key may be: deletion and restoration move them before or after they change the record. */
export function placesOf(key: string): readonly string[] {
  const moved = /^(files|weights)\//.test(key) ? keptKey(key) : unkeptKey(key);
  return moved === key ? [key] : [key, moved, key];
}

/** Reports whether the bytes of a key never change: bytes of an upload can be sent again. */
export function isUnchangeable(key: string): boolean {
  return placesOf(key).length > 1;
}

/** The folder of a running restoration, within the data folder. */
export const RESTORING = 'restoring';

/** Entries that prevent a restoration into their folder: all but leftovers of an interrupted restoration. */
export function obstacles(entries: readonly string[]): readonly string[] {
  return entries.filter((entry) => ![RESTORING, 'lock', 'pid'].includes(entry));
}

/**
 * The parts of a restored data folder in the order in which they are put in place: until the last one is, the service
 * can't open the database and does not start.
 */
export const PLACED = ['postgres', 'files', 'mail', 'demo.json', 'secrets'] as const;

/** The secrets that belong to a backup: all but the password of the database, which differs by cluster. */
export function savedSecrets(names: readonly string[]): readonly string[] {
  return names.filter((name) => name !== 'postgres' && !/\.\d+\.[0-9a-f]+$/.test(name));
}

/** Migrations of a backup that this version does not know. */
export function unknownMigrations(ofBackup: readonly string[], known: readonly string[]): readonly string[] {
  return ofBackup.filter((name) => !known.includes(name));
}
