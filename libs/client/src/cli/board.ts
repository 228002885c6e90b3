import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { saveFile } from '#open-file';
import { retryingFetch } from '../retrying-fetch.ts';
import { errorOfResponse } from '../x12-error.ts';
import type { Call } from './command.ts';
import { Failure } from './failures.ts';
import { folderPaths, mediaName } from './safe-path.ts';
import type { Session } from './session.ts';

interface Pulled {
  readonly id: number;
  /** Null for an item without a file. */
  readonly path: string | null;
  readonly state: 'saved' | 'skipped' | 'missing';
}

/** Saves the originals of a board. @throws Failure `failed` if some have no file */
export async function pull(session: Session, { args }: Call): Promise<void> {
  const [board_id, root] = [Number(args[0]), args[1]!];
  const { signal } = session;
  const x12 = await session.client();
  const { folders } = await x12.boards.folders.list({ board_id }, { signal });
  const paths = folderPaths(root, folders);
  const pulled: Pulled[] = [];
  for (const path of [root, ...paths.values()]) await mkdir(path, { recursive: true });
  for await (const { id, name, url, folder_id } of x12.boards.media.list({ board_id, sort: 'oldest' }, { signal })) {
    const folder = paths.get(folder_id ?? 0) ?? root;
    const path = url === null ? null : join(folder, mediaName({ id, name, url }));
    session.progress(`${pulled.length + 1}: ${name ?? id}`);
    pulled.push({ id, path, state: path === null ? 'missing' : await saveUnlessThere(url!, path, signal) });
  }
  session.print(
    pulled,
    pulled.map(({ id, path, state }) => [state, path ?? `media item ${id}`]),
  );
  const missing = pulled.filter(({ state }) => state === 'missing').length;
  if (missing > 0)
    throw new Failure('failed', `${missing} media items have no file: they failed, or are not processed yet`);
}

/** A file of the right size is whole: it gets its name when its last byte is written. */
async function saveUnlessThere(url: string, path: string, signal: AbortSignal): Promise<'saved' | 'skipped'> {
  const response = await retryingFetch({})(url, { signal });
  if (!response.ok) throw errorOfResponse(response, await response.json().catch(() => null));
  const size = await stat(path).then(
    (found) => found.size,
    () => -1,
  );
  if (String(size) === response.headers.get('content-length')) {
    await response.body?.cancel();
    return 'skipped';
  }
  await saveFile(path, response.body!);
  return 'saved';
}
