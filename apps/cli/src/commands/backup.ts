import { resolve } from 'node:path';
import { Command } from 'commander';
import { SettingsError, type Settings } from '#config';
import { integerArgument } from '../arguments.ts';
import { backupsIn, openBackup, type Backup } from '../backup/backup.ts';
import { createBackup } from '../backup/create.ts';
import { restoreBackup } from '../backup/restore.ts';
import { problemsOf } from '../backup/verify.ts';
import { embeddedUrl, isAnyFound, type Session } from '../session.ts';

interface From {
  readonly from?: string;
}

export function backupCommand(session: Session): Command {
  const backup = new Command('backup').description('Backups of the embedded database and the files in DATA_DIR.');
  const from = ['--from <folder>', 'where the backups are (default: DATA_DIR with `-backups` appended)'] as const;

  backup
    .command('create')
    .description('saves everything while the service runs; fails when bytes of files are missing')
    .option('--to <folder>', 'where to (default: DATA_DIR with `-backups` appended)')
    .option('--keep <number>', 'delete the oldest backups there beyond so many', integerArgument)
    .action(
      session.runOnFolder(
        async (settings, { to, keep }: { to?: string; keep?: number }) => {
          refuseExternal(settings);
          return shown(
            await createBackup(settings.data, await embeddedUrl(settings), folderOf(settings, to), keep ?? null),
          );
        },
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
    .description('makes an empty DATA_DIR that of the backup, and audits it')
    .option(...from)
    .option('--without-damaged', 'leave damaged and missing objects out, instead of refusing the backup')
    .action(
      session.runOnFolder(
        async (settings, name: string, options: From & { withoutDamaged?: boolean }) => {
          refuseExternal(settings);
          const saved = await openBackup(folderOf(settings, options.from), name);
          const { objects, findings } = await restoreBackup(
            saved,
            settings.data.folder,
            options.withoutDamaged ?? false,
          );
          const { rows } = shown(saved);
          return { name, data: settings.data.folder, rows, objects, findings };
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

function refuseExternal({ database, storage }: Settings): void {
  if (database.url === null && storage.bucket === null) return;
  throw new SettingsError(
    'backups are of the embedded database and of files in DATA_DIR: for those of DATABASE_URL and S3_BUCKET see ' +
      '"Backups of PostgreSQL and a bucket" in docs/operations.md',
  );
}
