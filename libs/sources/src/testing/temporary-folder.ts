import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

/** Gives each test of the calling suite an empty folder. */
export function temporaryFolder() {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'x12-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const fileAt = (name: string): string => join(folder, name);
  return {
    fileAt,
    /** Writes a file and returns its path. */
    async save(bytes: Buffer | string, name: string): Promise<string> {
      await writeFile(fileAt(name), bytes);
      return fileAt(name);
    },
    /** The names of its files, sorted. */
    list: (): Promise<string[]> => readdir(folder),
  };
}
