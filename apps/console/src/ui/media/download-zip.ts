import { type DownloadRequest, x12 } from '../../api/index.ts';
import { words } from '../words.ts';

/** Files of one zip that are named by their ids, as the service limits them. */
const MOST_DOWNLOADED = 500;

/** Why so many items can't be downloaded at once; null if they can. */
export function refusalToDownload(count: number): string | null {
  return count > MOST_DOWNLOADED ? words.output.tooManyToDownload(MOST_DOWNLOADED) : null;
}

/** Downloads files as one zip; with labels on pictures that AI made if the account wants them. @throws X12Error */
export async function downloadZip(selection: DownloadRequest): Promise<void> {
  const { preferences } = await x12.auth.preferences.get();
  const { url } = await x12.downloads.create({ ...selection, label: preferences.label_downloads === 'yes' });
  location.assign(url);
}
