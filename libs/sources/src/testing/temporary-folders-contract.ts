import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { TemporaryFolders } from '../ports.ts';

export function temporaryFoldersContract(name: string, make: () => Promise<TemporaryFolders>): void {
  describe(`${name} as TemporaryFolders`, () => {
    it('gives each piece of work an empty folder of its own', async () => {
      const folders = await make();
      const seen = await Promise.all(
        Array.from({ length: 20 }, () =>
          folders.use(async (folder) => {
            expect(await readdir(folder)).toEqual([]);
            await writeFile(join(folder, 'file'), 'mine');
            return folder;
          }),
        ),
      );
      expect(new Set(seen).size).toBe(20);
    });

    it('leaves nothing behind, whatever became of the work', async () => {
      const folders = await make();
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

    it('saves a stream as a file', async () => {
      const folders = await make();
      await folders.use(async (folder) => {
        const target = join(folder, 'saved');
        await folders.save(Readable.from([Buffer.from('one '), Buffer.from('two')]), target);
        await expect(readFile(target, 'utf8')).resolves.toBe('one two');
      });
    });

    it('reads how a file begins', async () => {
      const folders = await make();
      await folders.use(async (folder) => {
        const file = join(folder, 'file');
        await writeFile(file, 'one two');
        for (const [length, begins] of [
          [3, 'one'],
          [7, 'one two'],
          [8, 'one two'],
        ] as const) {
          await expect(folders.head(file, length)).resolves.toEqual(Buffer.from(begins));
        }
        await expect(folders.head(join(folder, 'missing'), 1)).rejects.toMatchObject({ code: 'ENOENT' });
      });
    });

    it('fails as the stream fails', async () => {
      const folders = await make();
      const failure = new Error('the storage broke off');
      await folders.use(async (folder) => {
        const breaking = Readable.from(
          (async function* () {
            yield Buffer.from('one ');
            throw failure;
          })(),
        );
        await expect(folders.save(breaking, join(folder, 'saved'))).rejects.toBe(failure);
      });
    });

    it('stops saving when it is told to, for the reason it is told', async () => {
      const folders = await make();
      const reason = new Error('the worker stops');
      await folders.use(async (folder) => {
        const stop = new AbortController();
        const endless = new Readable({ read() {} });
        endless.push('one ');
        const saved = folders.save(endless, join(folder, 'saved'), stop.signal);
        stop.abort(reason);
        await expect(saved).rejects.toBe(reason);
        expect(endless.destroyed).toBe(true);
        await expect(folders.save(Readable.from(['x']), join(folder, 'b'), stop.signal)).rejects.toBe(reason);
      });
    });
  });
}
