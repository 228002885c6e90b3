import { resolve } from 'node:path';
import { Command } from 'commander';
import { SettingsError, type Settings } from '#config';
import { integerArgument } from '../arguments.ts';
import { backupsIn, openBackup, type Backup } from '../backup/backup.ts';
import { createBackup } from '../backup/create.ts';
import { withSaved } from '../backup/saved.ts';
import { restoreOutside } from '../backup/restore-outside.ts';
import { restoreBackup, type Restored } from '../backup/restore.ts';
import { problemsOf } from '../backup/verify.ts';
import { isAnyFound, type Session } from '../session.ts';

interface From {
  readonly from?: string;
}

export function backupCommand(session: Session): Command {
  const backup = new Command('backup').description('Backups of the database and the files, wherever they are.');
  const from = ['--from <folder>', 'where the backups are (default: DATA_DIR with `-backups` appended)'] as const;

  backup
    .command('create')
    .description('saves everything while the service runs; fails when bytes of files are missing')
    .option('--to <folder>', 'where to (default: DATA_DIR with `-backups` appended)')
    .option('--keep <number>', 'delete the oldest backups there beyond so many', integerArgument)
    .option('--verify', 'read the backup again, before older ones are deleted')
    .action(
      session.runOnFolder(
        async (settings, { to, ...options }: { to?: string; keep?: number; verify?: boolean }) =>
          withSaved(settings, async (saved) => shown(await createBackup(saved, folderOf(settings, to), options))),
        ({ missing }) => missing > 0,
      ),
    );

  backup
    .command('list')
    .description('lists the backups, the oldest first')
    .option(...from)
    .action(
      session.runOnFolder(async (settings, options: From) => {
        const folder = folderOf(settings, options.from);
        const names = await backupsIn(folder);
        return Promise.all(names.map(async (name) => shown(await openBackup(folder, name))));
      }),
    );

  backup
    .command('verify <name>')
    .description('reads a whole backup and lists what is damaged or missing; needs no service')
    .option(...from)
    .action(
      session.runOnFolder(
        async (settings, name: string, options: From) =>
          problemsOf(await openBackup(folderOf(settings, options.from), name)),
        isAnyFound,
      ),
    );

  backup
    .command('restore <name>')
    .description('fills an empty DATA_DIR, or an empty database and a bucket, from the backup, and audits it')
    .option(...from)
    .option('--without-damaged', 'leave damaged and missing objects out, instead of refusing the backup')
    .action(
      session.runOnFolder(
        async (settings, name: string, options: From & { withoutDamaged?: boolean }) => {
          const saved = await openBackup(folderOf(settings, options.from), name);
          const { objects, findings } = await restored(saved, settings, options.withoutDamaged ?? false);
          const { rows } = shown(saved);
          const data = settings.database.url === null ? settings.data.folder : 'DATABASE_URL and S3_BUCKET';
          return { name, data, rows, objects, findings };
        },
        ({ findings }) => findings.length > 0,
      ),
    );

  return backup;
}

const folderOf = (settings: Settings, given: string | undefined) => resolve(given ?? settings.data.backups);

function shown({ name, manifest }: Backup) {
  const { tables, objects, bytes, missing } = manifest;
  return { name, rows: tables.reduce((sum, table) => sum + table.rows, 0), objects, bytes, missing };
}

async function restored(backup: Backup, settings: Settings, withoutDamaged: boolean): Promise<Restored> {
  const { database, storage } = settings;
  if (database.url === null && storage.bucket === null) {
    return restoreBackup(backup, settings.data.folder, withoutDamaged);
  }
  const { url } = database;
  if (url === null || storage.bucket === null) {
    throw new SettingsError('a restoration goes into DATA_DIR, or into DATABASE_URL and S3_BUCKET: give both, or none');
  }
  return withSaved(settings, ({ bucket }) => restoreOutside(backup, url, bucket!, withoutDamaged));
}
