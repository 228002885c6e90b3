import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isRunning } from '#process';
import type { TemporaryFolders } from '#sources';

/** Age after which a folder of another machine counts as abandoned. */
const ABANDONED_MS = 24 * 60 * 60 * 1_000;

/**
 * Temporary folders under a root that many processes may share. Each process has a folder named after it, so that a
 * starting process recognises the folders of dead ones.
 */
export class DiskTemporaryFolders implements TemporaryFolders {
  #opened: Promise<void> | undefined;

  /** Opened at the first use: make one for each process and root. */
  constructor(private readonly root: string) {}

  /** Deletes the folders of dead processes under `root`, and a former one of this process. */
  static async open(root: string): Promise<DiskTemporaryFolders> {
    const folders = new DiskTemporaryFolders(root);
    await folders.#open();
    return folders;
  }

  async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await this.#open();
    const own = join(this.root, nameOf(process.pid));
    await mkdir(own, { recursive: true });
    const folder = await mkdtemp(join(own, 'work-'));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Once, however many begin at the same time: it would delete what they use. After a failure it is tried again. */
  #open(): Promise<void> {
    return (this.#opened ??= deleteAbandoned(this.root).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    }));
  }

  async save(bytes: Readable | Buffer, target: string, signal?: AbortSignal): Promise<void> {
    if (Buffer.isBuffer(bytes)) return writeFile(target, bytes);
    // `writeFile` throws an error that came before it reads the first byte.
    bytes.on('error', () => {});
    if (signal) addAbortSignal(signal, bytes);
    try {
      await writeFile(target, bytes);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  async head(file: string, length: number): Promise<Buffer> {
    await using handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  }

  async size(file: string): Promise<number> {
    return (await stat(file)).size;
  }

  async sha256(file: string): Promise<string> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    return hash.digest('hex');
  }
}

async function deleteAbandoned(root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) {
    if (await isAbandoned(root, name)) await rm(join(root, name), { recursive: true, force: true });
  }
}

function nameOf(pid: number): string {
  return `${pid}@${hostname()}`;
}

async function isAbandoned(root: string, name: string): Promise<boolean> {
  const pid = Number(/^\d+(?=@)/.exec(name)?.[0]);
  if (!pid) return false;
  if (name === nameOf(pid)) return pid === process.pid || !isRunning(pid);
  const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > ABANDONED_MS;
}
