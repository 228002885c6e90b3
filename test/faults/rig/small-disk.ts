import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, statfs, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system of its own, which can be filled to the last block, and which can hang. */
export class SmallDisk {
  /** @returns why there is none where this account may not mount one */
  static async mount(megabytes: number): Promise<SmallDisk | string> {
    const home = await mkdtemp(join(tmpdir(), 'x12-disk-'));
    const image = join(home, 'image');
    const folder = join(home, 'disk');
    try {
      await mkdir(folder);
      await (await open(image, 'w')).close();
      await truncate(image, megabytes * 2 ** 20);
      // Nothing is kept back for root.
      await run('mkfs.ext4', ['-q', '-m', '0', image]);
      await run('mount', ['-o', 'loop', image, folder]);
      return new SmallDisk(home, folder);
    } catch (error) {
      await rm(home, { recursive: true });
      return (error as Error).message.trim().split('\n').at(-1)!;
    }
  }

  private constructor(
    private readonly home: string,
    readonly folder: string,
  ) {}

  get #ballast(): string {
    return join(this.folder, 'ballast');
  }

  /** @param options.leaving megabytes; else it is filled to the last block */
  async fill({ leaving = 0 } = {}): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder);
    if (leaving > 0) {
      await run('fallocate', ['-l', String(bavail * bsize - leaving * 2 ** 20), this.#ballast]);
      return;
    }
    const file = await open(this.#ballast, 'w');
    try {
      await run('fallocate', ['-l', String(bavail * bsize), this.#ballast]).catch(() => undefined);
      const block = Buffer.alloc(4096);
      const { size } = await file.stat();
      for (let at = size; ; at += block.length) await file.write(block, 0, block.length, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await file.close();
    }
  }

  async empty(): Promise<void> {
    await rm(this.#ballast, { force: true });
  }

  /** Writers wait, and cannot even be killed. Nobody here may touch the folder meanwhile. */
  async hang(seconds: number): Promise<void> {
    // In a process of its own: it has to come to its end even if this one does not live to see it.
    const script = 'fsfreeze --freeze "$0" && sleep "$1" && fsfreeze --unfreeze "$0"';
    const child = spawn('/bin/sh', ['-c', script, this.folder, String(seconds)], { stdio: 'ignore', detached: true });
    await new Promise((resolve) => child.once('close', resolve));
  }

  async unmount(): Promise<void> {
    await run('umount', ['--lazy', this.folder]);
    await rm(this.home, { recursive: true });
  }
}
