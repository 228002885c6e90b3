import { expiryOf } from '../../file-url.ts';
import { openUrlOf } from '../stored-files.ts';
import { download } from './download.ts';

/** Downloads a stored file under the name of its picture, also by a URL that has expired meanwhile. */
export async function saveFile(url: string, name?: string): Promise<void> {
  const end = expiryOf(url);
  await download(end && end.getTime() <= Date.now() ? await openUrlOf(url) : url, name);
}
