import { createReadStream } from 'node:fs';
import { copyFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BASELINE,
  connectPostgres,
  loadState,
  migratePostgres,
  migrations,
  OlderDatabase,
  PostgresAudit,
} from '#adapters/postgres';
import { migrateQueue } from '#adapters/queue';
import type { AuditFinding } from '#audit';
import { keepSecret, makeFolder, pathsIn, type Settings } from '#config';
import { EmbeddedPostgres, openDataFolder } from '#embedded';
import { forEach } from '#kernel';
import { describeRelease, lockFolder, RELEASE, StartError } from '#process';
import { AT_ONCE, explained, ifThere, objectsOf, storeIn, type Backup } from './backup.ts';
import { obstacles, PLACED, RESTORING, unknownMigrations } from './rules.ts';
import { problemsOf, type Problem } from './verify.ts';

const DATABASE_STOP_MS = 60_000;

export interface Restored {
  /** Objects of the backup that were put into the store. */
  readonly objects: number;
  /** The findings of the audit in the restored database. */
  readonly findings: readonly AuditFinding[];
}

/**
 * Makes a data folder of a backup.
 *
 * @param folder empty, or not there yet
 * @param withoutDamaged leaves out objects that are damaged or missing in the backup, instead of refusing the backup
 * @throws StartError when programs use the folder, it is not empty, or the backup is damaged or of a newer version
 */
export async function restoreBackup(backup: Backup, folder: string, withoutDamaged: boolean): Promise<Restored> {
  refuseNewer(backup);
  try {
    const unlock = await claim(folder);
    try {
      const leftOut = leftOutOf(backup, await problemsOf(backup), withoutDamaged);
      return await restoreInto(folder, backup, leftOut);
    } finally {
      unlock();
    }
  } catch (error) {
    throw explained(error, folder);
  }
}

export function refuseNewer({ name, manifest }: Backup): void {
  const known = migrations.map((migration) => migration.name);
  const [unknown] = unknownMigrations(sinceBaseline(manifest), known);
  if (unknown === undefined) return;
  throw new StartError(`backup ${name} was made by a newer version (it has ${unknown}): use that version`);
}

/** The migrations of a backup; those before the baseline are part of it. @throws StartError for a backup without it */
function sinceBaseline({ migrations: ran }: Backup['manifest']): string[] {
  if (!ran.includes(BASELINE)) throw new StartError(new OlderDatabase().message);
  return ran.slice(ran.indexOf(BASELINE));
}

/** @returns unlocks the folder */
async function claim(folder: string): Promise<() => void> {
  const entries = (await ifThere(readdir(folder))) ?? [];
  // A folder in use is the better reason to report.
  const unlock = entries.includes('lock') ? lockFolder(folder) : undefined;
  const found = obstacles(entries);
  if (found.length > 0) {
    unlock?.();
    throw new StartError(
      `DATA_DIR ${folder} is not empty (${found.slice(0, 3).join(', ')}): move it away, or set another folder`,
    );
  }
  makeFolder(folder);
  return unlock ?? lockFolder(folder);
}

/** @returns keys of objects */
export function leftOutOf(backup: Backup, problems: readonly Problem[], withoutDamaged: boolean): ReadonlySet<string> {
  const found = problems.filter(({ problem }) => problem !== 'missing when it was made');
  const [part] = found.filter(({ kind }) => kind === 'part');
  if (part) throw new StartError(`${part.what} of backup ${backup.name} is ${part.problem}: use another backup`);
  if (found.length > 0 && !withoutDamaged) {
    throw new StartError(
      `${found.length} objects of backup ${backup.name} are damaged or missing (backup verify lists them): ` +
        'use another backup, or restore --without-damaged',
    );
  }
  return new Set(problems.map(({ what }) => what));
}

/** Restores into a separate folder, so that an incomplete service never looks complete. */
async function restoreInto(folder: string, backup: Backup, leftOut: ReadonlySet<string>): Promise<Restored> {
  const draft = pathsIn(join(folder, RESTORING));
  await rm(draft.folder, { recursive: true, force: true });
  openDataFolder(draft);
  for (const { path } of backup.manifest.parts) {
    const isData = path === 'demo.json' || path.startsWith('secrets');
    if (isData) await copyFile(join(backup.path, path), join(draft.folder, path));
  }
  const findings = await restoreDatabase(draft, backup);
  const objects = await restoreObjects(draft, backup, leftOut);
  for (const name of PLACED) await ifThere(rename(join(draft.folder, name), join(folder, name)));
  await rm(draft.folder, { recursive: true });
  return { objects, findings };
}

async function restoreDatabase(draft: Settings['data'], backup: Backup): Promise<readonly AuditFinding[]> {
  const password = keepSecret(join(draft.secrets, 'postgres'));
  const postgres = await EmbeddedPostgres.open({ folder: draft.postgres, password });
  try {
    return await loadDatabase(await postgres.start(), backup);
  } finally {
    await postgres.stop(DATABASE_STOP_MS);
  }
}

/** Fills an empty database. @throws StartError when it is not empty */
export async function loadDatabase(url: string, backup: Backup): Promise<readonly AuditFinding[]> {
  const connection = await connectPostgres(url, { poolSize: 2 });
  try {
    const { rowCount } = await connection.pool.query(`select from pg_tables where schemaname = 'public' limit 1`);
    if (rowCount) throw new StartError('the database has tables: give an empty one, so that nothing is overwritten');
    // Runs exactly the migrations of the backup; later migrations run on its rows.
    await connection.orm.migrator.up({ migrations: sinceBaseline(backup.manifest) });
    await loadState(url, backup.manifest, ({ name }) => createReadStream(join(backup.path, 'tables', name)));
    await migratePostgres(connection, describeRelease(RELEASE), () => migrateQueue(url));
    return await new PostgresAudit(connection.database).findings();
  } finally {
    await connection.close();
  }
}

async function restoreObjects(draft: Settings['data'], backup: Backup, leftOut: ReadonlySet<string>): Promise<number> {
  const from = storeIn(join(backup.path, 'files'));
  const to = storeIn(draft.files);
  let count = 0;
  for await (const objects of objectsOf(backup)) {
    await forEach(objects, AT_ONCE, async ({ key }) => {
      if (!leftOut.has(key) && (await to.copyFrom(from, key, key))) count++;
    });
  }
  return count;
}
