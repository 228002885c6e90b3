import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFoldersContract } from '#testing/sources';
import { DiskTemporaryFolders } from './disk-temporary-folders.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'x12-folders-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

temporaryFoldersContract('DiskTemporaryFolders', () => DiskTemporaryFolders.open(join(root, 'new')));

describe('At the start', () => {
  const leave = async (name: string, { hoursAgo = 0 } = {}): Promise<string> => {
    await mkdir(join(root, name, 'work-1'), { recursive: true });
    await writeFile(join(root, name, 'work-1', 'picture'), 'bytes');
    const time = new Date(Date.now() - hoursAgo * 3_600_000);
    await utimes(join(root, name), time, time);
    return name;
  };
  const runToItsEnd = async (): Promise<number> => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    return child.pid!;
  };

  it('what a process left that is gone is deleted', async () => {
    await leave(`${await runToItsEnd()}@${hostname()}`, { hoursAgo: 0 });
    await DiskTemporaryFolders.open(root);
    expect(await readdir(root)).toEqual([]);
  });

  it('what a former process of the same number left is deleted, as in a container that starts again', async () => {
    await leave(`${process.pid}@${hostname()}`);
    const folders = await DiskTemporaryFolders.open(root);
    await folders.use(async (folder) => expect(await readdir(join(folder, '..'))).toHaveLength(1));
  });

  it('what another living process works with is left alone', async () => {
    const name = await leave(`${process.ppid}@${hostname()}`, { hoursAgo: 100 });
    await DiskTemporaryFolders.open(root);
    expect(await readdir(root)).toEqual([name]);
  });

  it('what another machine works with is left alone for a day', async () => {
    const recent = await leave('7@elsewhere', { hoursAgo: 23 });
    await leave('8@elsewhere', { hoursAgo: 25 });
    await DiskTemporaryFolders.open(root);
    expect(await readdir(root)).toEqual([recent]);
  });

  it('what is no temporary folder is left alone', async () => {
    await leave('photos', { hoursAgo: 1_000 });
    await DiskTemporaryFolders.open(root);
    expect(await readdir(root)).toEqual(['photos']);
  });
});
