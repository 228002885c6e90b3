import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TemporaryFolders } from '../ports.ts';

/** Folders where the operating system has room for them; the test sees what is left of them. */
export class OsTemporaryFolders implements TemporaryFolders {
  readonly #root = mkdtemp(join(tmpdir(), 'x12-work-'));

  async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(await this.#root, 'work-'));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  async save(bytes: Readable, target: string, signal?: AbortSignal): Promise<void> {
    bytes.on('error', () => {});
    signal?.addEventListener('abort', () => bytes.destroy(signal.reason as Error));
    signal?.throwIfAborted();
    await writeFile(target, bytes);
  }

  async head(file: string, length: number): Promise<Buffer> {
    return (await readFile(file)).subarray(0, length);
  }

  /** How many folders there are. */
  async count(): Promise<number> {
    return (await readdir(await this.#root)).length;
  }

  async remove(): Promise<void> {
    await rm(await this.#root, { recursive: true });
  }
}
