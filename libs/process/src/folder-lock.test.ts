import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../sources/src/testing/temporary-folder.ts';
import { lockFolder } from './folder-lock.ts';

const { fileAt } = temporaryFolder();
let folder: string;
let owner: ChildProcess | undefined;
beforeEach(() => {
  folder = fileAt('.');
});
afterEach(() => void owner?.kill('SIGKILL'));

describe('the lock of a data folder', () => {
  it('belongs to one process at a time, and the error names it', () => {
    lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(
      `DATA_DIR ${folder} is in use by another start (process ${process.pid}): stop that one, or set another folder`,
    );
    expect(readdirSync(folder)).toEqual(['lock', 'pid']);
  });

  it('survives a garbage collection', async () => {
    owner = await lockElsewhere('gc();');
    expect(() => lockFolder(folder)).toThrow(`(process ${owner.pid})`);
  });

  it('is released when its process is killed', async () => {
    owner = await lockElsewhere();
    expect(() => lockFolder(folder)).toThrow(`(process ${owner.pid})`);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(() => lockFolder(folder)).not.toThrow();
  });
});

/** Locks the folder in another process, which then runs `then`. */
async function lockElsewhere(then = ''): Promise<ChildProcess> {
  const module = JSON.stringify(join(import.meta.dirname, 'folder-lock.ts'));
  const script = `const { lockFolder } = await import(${module});
    lockFolder(${JSON.stringify(folder)}); ${then} process.send('locked'); setInterval(() => {}, 1000);`;
  const child = fork('-', [], { execArgv: ['--expose-gc', '--input-type=module', '-e', script] });
  await once(child, 'message');
  return child;
}
