import { resolve } from 'node:path';
import { readSettings } from '#config';
import { systemClock } from '#kernel';
import { runProgram } from '#process';
import { createBackup, type BackupOptions } from './backup/create.ts';
import { withSaved } from './backup/saved.ts';
import { ScheduledBackups } from './backup/scheduled-backups.ts';

// The program that makes the backups of BACKUP_SCHEDULE, in the folder of its argument.
const settings = readSettings(process.env, () => '');
const folder = resolve(process.argv[2] ?? settings.data.backups);
const create = (options: BackupOptions) => withSaved(settings, (saved) => createBackup(saved, folder, options));

await runProgram(new ScheduledBackups(settings, folder, create, systemClock), 6000);
