import { accessSync, constants } from 'node:fs';
import { folderRefusal, makeFolder, type Settings } from '#config';
import { StartError } from '#process';

/**
 * Creates the data folder and the folders in it, where missing, readable for the owner only.
 *
 * @throws StartError when one is not writable
 */
export function openDataFolder(data: Settings['data']): void {
  // PostgreSQL may run under another account, which must be able to enter its folder.
  const modes = { folder: undefined, postgres: 0o711, files: 0o700, mail: 0o700, secrets: 0o700 } as const;
  for (const [name, mode] of Object.entries(modes)) {
    const folder = data[name as keyof typeof modes];
    try {
      makeFolder(folder, mode);
      accessSync(folder, constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new StartError(folderRefusal(folder, error));
    }
  }
}
