import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import type { DataSettings } from '#config';
import { StartError } from '#process';

/**
 * Makes the data folder and what belongs in it, where missing. What is kept there is for its
 * owner's eyes only.
 *
 * @throws StartError when it can't be written to
 */
export async function openDataFolder(data: DataSettings): Promise<void> {
  try {
    await mkdir(data.folder, { recursive: true });
    await access(data.folder, constants.W_OK | constants.X_OK);
    // The database may run under another account, which finds its own folder in there.
    await mkdir(data.postgres, { recursive: true, mode: 0o711 });
    for (const folder of [data.files, data.mail, data.secrets]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartError(
      `DATA_DIR ${data.folder} can not be written to (${reason}): allow it, or give another folder`,
    );
  }
}
