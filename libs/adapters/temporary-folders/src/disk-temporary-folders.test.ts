import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../sources/src/testing/temporary-folder.ts';
import { DiskTemporaryFolders } from './disk-temporary-folders.ts';

const { fileAt, list } = temporaryFolder();

describe('temporary folders', () => {
  let folders: DiskTemporaryFolders;
  beforeEach(async () => {
    folders = await DiskTemporaryFolders.open(fileAt('new'));
  });

  it('are empty, one for each use', async () => {
    const uses = Array.from({ length: 20 }, () =>
      folders.use(async (folder) => {
        expect(await readdir(folder)).toEqual([]);
        await writeFile(join(folder, 'file'), 'mine');
        return folder;
      }),
    );
    expect(new Set(await Promise.all(uses)).size).toBe(20);
  });

  it('are opened once by many that begin at the same time, which deletes nothing that they use', async () => {
    const unopened = new DiskTemporaryFolders(fileAt('unopened'));
    const own = fileAt(`unopened/${process.pid}@${hostname()}/work-former`);
    await mkdir(own, { recursive: true });
    const uses = Array.from({ length: 20 }, () => unopened.use(async (folder) => writeFile(join(folder, 'file'), '')));
    await Promise.all(uses);
    await expect(access(own)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('are opened again after a failure', async () => {
    await writeFile(fileAt('taken'), '');
    const taken = new DiskTemporaryFolders(fileAt('taken'));
    await expect(taken.use(async () => 'done')).rejects.toMatchObject({ code: 'EEXIST' });
    await rm(fileAt('taken'));
    expect(await taken.use(async () => 'done')).toBe('done');
  });

  it('are deleted after success and failure', async () => {
    const failure = new Error('could not be done');
    for (const end of [async () => 'done', () => Promise.reject(failure)]) {
      let used = '';
      const done = folders.use(async (folder) => {
        used = folder;
        await writeFile(join(folder, 'file'), 'mine');
        return end();
      });
      expect(await done.catch((error: unknown) => error)).toBe(await end().catch((error: unknown) => error));
      await expect(access(used)).rejects.toMatchObject({ code: 'ENOENT' });
    }
  });

  it('save streams as files, and read their first bytes', async () => {
    const file = fileAt('saved');
    await folders.save(Readable.from([Buffer.from('one '), Buffer.from('two')]), file);
    await expect(readFile(file, 'utf8')).resolves.toBe('one two');
    for (const [length, begins] of Object.entries({ 3: 'one', 7: 'one two', 8: 'one two' })) {
      await expect(folders.head(file, Number(length))).resolves.toEqual(Buffer.from(begins));
    }
    await expect(folders.head(fileAt('missing'), 1)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('throw the error of a stream that is saved', async () => {
    const failure = new Error('the storage broke off');
    const breaking = async function* () {
      yield Buffer.from('one ');
      throw failure;
    };
    await expect(folders.save(Readable.from(breaking()), fileAt('saved'))).rejects.toBe(failure);
  });

  it('throw the reason of an abort', async () => {
    const reason = new Error('the worker stops');
    const stop = new AbortController();
    const endless = new Readable({ read() {} });
    endless.push('one ');
    const saved = folders.save(endless, fileAt('saved'), stop.signal);
    stop.abort(reason);
    await expect(saved).rejects.toBe(reason);
    expect(endless.destroyed).toBe(true);
    await expect(folders.save(Readable.from(['x']), fileAt('b'), stop.signal)).rejects.toBe(reason);
  });
});

describe('at the start, the folder', () => {
  const own = `${process.pid}@${hostname()}`;
  const another = `${process.ppid}@${hostname()}`;
  const gone = async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    return `${child.pid}@${hostname()}`;
  };

  it.each<[string, string | (() => Promise<string>), number, boolean]>([
    ['of a dead process is deleted', gone, 0, false],
    ['of a former process with the same id is deleted, as in a restarted container', own, 0, false],
    ['of another running process is kept', another, 100, true],
    ['of another machine is kept for a day', '7@elsewhere', 23, true],
    ['of another machine is deleted after a day', '8@elsewhere', 25, false],
    ['of something else is kept', 'photos', 1_000, true],
  ])('%s', async (_rule, left, hoursAgo, isKept) => {
    const name = typeof left === 'string' ? left : await left();
    await mkdir(fileAt(`${name}/work-1`), { recursive: true });
    await writeFile(fileAt(`${name}/work-1/picture`), 'bytes');
    const time = new Date(Date.now() - hoursAgo * 3_600_000);
    await utimes(fileAt(name), time, time);
    await DiskTemporaryFolders.open(fileAt(''));
    expect(await list()).toEqual(isKept ? [name] : []);
  });
});
