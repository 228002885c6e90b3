import { mkdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { GenerationResponse } from '../generated/index.ts';
import type { X12 } from '../x12.ts';
import { safeName } from './safe-path.ts';

/**
 * Saves the outputs of a generation as `<id>-<index>` with their extensions in a folder; the only output of a generation is
 * saved under the path itself, if that has an extension and is no folder.
 *
 * @returns the paths
 */
export async function saveOutputs(
  x12: X12,
  { id, outputs }: Pick<GenerationResponse, 'id' | 'outputs'>,
  out: string,
  signal: AbortSignal,
): Promise<string[]> {
  const isFile = outputs.length === 1 && extname(out) !== '' && !/[\\/]$/.test(out) && !(await isFolder(out));
  if (!isFile) await mkdir(out, { recursive: true });
  const saved: string[] = [];
  for (const { index, url } of outputs) {
    const path = isFile ? out : join(out, safeName(`${id}-${index}${extname(new URL(url).pathname)}`));
    await x12.download(url, path, { signal });
    saved.push(path);
  }
  return saved;
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
