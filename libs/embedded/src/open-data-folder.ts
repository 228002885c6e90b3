import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import type { Settings } from '#config';
import { StartError } from '#process';

/**
 * Creates the data folder and the folders in it, where missing, readable for the owner only.
 *
 * @throws StartError when it is not writable
 */
export async function openDataFolder(data: Settings['data']): Promise<void> {
  try {
    await mkdir(data.folder, { recursive: true });
    await access(data.folder, constants.W_OK | constants.X_OK);
    // The database may run under another account, which must be able to enter it.
    await mkdir(data.postgres, { recursive: true, mode: 0o711 });
    for (const folder of [data.files, data.mail, data.secrets]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartError(
      `DATA_DIR ${data.folder} is not writable (${reason}): make it writable, or set another folder`,
    );
  }
}
